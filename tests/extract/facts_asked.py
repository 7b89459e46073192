"""A facts extractor with a scripted model, a pair of messages, and replies about them."""

import json
from datetime import datetime
from typing import Any

from memlab.dialogue import Turn
from memlab.extract.extractor import Window
from memlab.extract.facts import Facts
from memlab.llm.meter import metered
from memlab.llm.scripted import Line, Scripted
from memlab.memory import Candidate

MAY = datetime(2023, 5, 8, 13, 56)
PAIR = (
    Turn("D1:3", "Ada", "I moved to Oslo. My sister Clara is a nurse.", MAY, 1),
    Turn("D1:4", "Ben", "I bought a red bicycle yesterday!", MAY, 1),
)
NONE = '{"facts": []}'


def facts(llm: Scripted, **settings: Any) -> Facts:
    usual = {
        "prompt": "facts",
        "reply": "schema",
        "messages": 2,
        "captions": True,
        "timestamps": "metadata",
        "relative_dates": "model",
        "most_facts": 20,
    }
    return Facts(llm, **{**usual, **settings})


def written(*entries: object) -> str:
    return json.dumps({"facts": entries})


def fact(text: str, message: object) -> dict[str, object]:
    return {"message": message, "text": text}


async def taken(
    *replies: Line, owner: str | None = None, new: tuple[Turn, ...] = PAIR, **settings: Any
) -> tuple[list[Candidate], list[str]]:
    """Return the candidates of a window and its flaws."""
    with metered() as meter:
        found = await facts(Scripted(replies), **settings).extract(Window(new, owner=owner))
    return found, meter.flaws
