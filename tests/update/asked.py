"""Proposals, updaters and stores that the tests of the asking updaters share."""

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from memlab.embed.hashed import Hashed
from memlab.ingest import applied
from memlab.llm.chat import ChatModel, ChatRequest, ToolCall
from memlab.llm.scripted import Line, Scripted
from memlab.memory import Add, Candidate, Decision, Delete, Hit, Memory, Noop, Operation, Update
from memlab.store.dense import DenseStore
from memlab.testing import candidate
from memlab.testing.samples import START
from memlab.update.joint_json import JointJson
from memlab.update.pairwise import Pairwise
from memlab.update.tool_call import ToolCallUpdater
from memlab.update.updater import Proposal, Updater

LATER = START + timedelta(days=7)
TEXTS = ("Ada lives in Oslo.", "Ada plays the violin.", "Ada is allergic to peanuts.")
UNRELATED = ("Ada dreads thunderstorms.", "Ada once won a chess prize.", "Ada's sister is a nurse.")

TOOL_CALL: dict[str, Any] = {
    "prompt": "update_tools",
    "ask": "tools",
    "on_delete": "paper",
    "information": "none",
    "update_text": "model",
    "fallback": "add",
}
JOINT: dict[str, Any] = {"prompt": "update_joint", "reply": "schema", "on_delete": "paper", "fallback": "add"}
PAIRWISE: dict[str, Any] = {
    "prompt": "update_pairwise_word",
    "ask": "word",
    "gate": 0.6,
    "neighbours": 3,
    "merge": "join",
    "on_delete": "paper",
    "fallback": "add",
}


def tool_call(llm: ChatModel, **settings: Any) -> ToolCallUpdater:
    return ToolCallUpdater(llm, **{**TOOL_CALL, **settings})


def joint(llm: ChatModel, **settings: Any) -> JointJson:
    return JointJson(llm, **{**JOINT, **settings})


def pairwise(llm: ChatModel, **settings: Any) -> Pairwise:
    return Pairwise(llm, **{**PAIRWISE, **settings})


NEW: dict[str, Callable[..., Updater]] = {"tool_call": tool_call, "joint_json": joint, "pairwise": pairwise}


def said(text: str, source: str = "D2:1") -> Candidate:
    return candidate(text, source=source, at=LATER)


def memories(texts: Sequence[str] = TEXTS, speaker: str = "Ada") -> list[Memory]:
    facts = [candidate(text, speaker=speaker, source=f"D1:{place}") for place, text in enumerate(texts, 1)]
    return [
        Memory(f"m{place}", one.content, speaker, one.sources, START, START, START) for place, one in enumerate(facts)
    ]


def proposal(one: Candidate, related: Sequence[Memory] | None = None, score: float = 0.8) -> Proposal:
    shown = memories() if related is None else related
    return Proposal(one, tuple(Hit(memory, score - place / 100) for place, memory in enumerate(shown)))


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name, arguments, json.dumps(arguments))


def decisions(*entries: dict[str, Any]) -> str:
    return json.dumps({"decisions": entries})


def kinds(decision: Decision) -> list[str]:
    return [flaw.split(":")[0] for flaw in decision.flaws]


def typically(request: ChatRequest) -> Line:
    return request.typical


def verbs(operations: Sequence[Operation]) -> list[tuple[str, str | None]]:
    """Return operations by their names and the memories that they change."""
    named: list[tuple[str, str | None]] = []
    for one in operations:
        match one:
            case Add():
                named.append(("ADD", None))
            case Update(id=id_) | Delete(id=id_):
                named.append((type(one).__name__.upper(), id_))
            case Noop(duplicate_of=id_):
                named.append(("NOOP", id_))
    return named


async def filled() -> DenseStore:
    store = DenseStore(Hashed(64), exact_up_to=None)
    for place, text in enumerate(TEXTS, 1):
        await store.apply(Add(candidate(text, source=f"D1:{place}")))
    return store


async def fed(updater: Updater, store: DenseStore, candidates: Sequence[Candidate], s: int) -> list[Decision]:
    """Return the decisions for candidates, applied to a store as ingestion does; only shown memories may be named."""
    done: list[Decision] = []
    for batch in [candidates] if updater.joint else [[one] for one in candidates]:
        proposals = [Proposal(one, tuple(await store.related(one.content, s))) for one in batch]
        shown = {hit.memory.id for one in proposals for hit in one.related} | {None}
        for decision in await updater.decide(proposals):
            named = {id_ for _, id_ in verbs(decision.operations)}
            assert named <= shown, f"{named - shown} was not shown"
            done.append(await applied(decision, store))
    return done


def scripted(*lines: Line) -> Scripted:
    return Scripted(lines)
