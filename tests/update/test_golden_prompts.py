"""The prompts of the asking updaters on the mini dataset, word for word: a change is a reviewed diff."""

from pathlib import Path
from typing import Any

import pytest

from memlab.datasets.mini import Mini
from memlab.llm.chat import ChatRequest
from memlab.llm.scripted import Scripted
from memlab.memory import Candidate, Fact, Hit, Memory
from memlab.tokens import count_tokens
from memlab.update.updater import Proposal
from tests.update.asked import NEW, typically

GOLDEN = Path(__file__).parent / "golden"
PROMPTS = {
    "update_tools": ("tool_call", {"ask": "tools"}),
    "update_schema": ("tool_call", {"ask": "schema"}),
    "update_joint": ("joint_json", {}),
    "update_pairwise_word": ("pairwise", {"ask": "word"}),
    "update_pairwise_schema": ("pairwise", {"ask": "schema"}),
}


async def first_request(prompt: str) -> ChatRequest:
    """Return the first request about two turns of the mini dataset, with earlier turns as memories."""
    turns = Mini(seed=11, size=1, conversations=None, sessions=None, limit_questions=None).read().conversations[0].turns
    speaker = turns[0].speaker
    own = [turn for turn in turns if turn.speaker == speaker]
    said = [Candidate(Fact(f"{one.speaker}: {one.text}"), one.speaker, (one.id,), one.said_at) for one in own]
    known = [
        Memory(f"m{n}", one.content, one.speaker, one.sources, one.said_at, one.said_at, one.said_at)
        for n, one in enumerate(said[:4])
    ]
    hits = tuple(Hit(memory, 0.9 - place / 10) for place, memory in enumerate(known))
    updater, settings = PROMPTS[prompt]
    llm = Scripted(typically)
    chosen: dict[str, Any] = {**settings, "prompt": prompt}
    await NEW[updater](llm, **chosen).decide([Proposal(one, hits) for one in said[-2:]])
    return llm.requests[0]


@pytest.mark.parametrize("prompt", PROMPTS)
async def test_prompts_are_what_was_reviewed(prompt: str) -> None:
    request = await first_request(prompt)
    rendered = "\n".join(f"[{message.role}]\n{message.content}" for message in request.messages) + "\n"
    assert rendered == (GOLDEN / f"{prompt}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("prompt", PROMPTS)
async def test_the_fixed_part_is_short(prompt: str) -> None:
    request = await first_request(prompt)
    assert sum(count_tokens(message.content) for message in request.messages[:-1]) < 350
