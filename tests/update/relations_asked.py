"""Relations of one source, and a resolver with a scripted model."""

from datetime import timedelta
from typing import Any

from memlab.llm.chat import ChatModel
from memlab.memory import Candidate, Entity, Hit, Memory, Triple
from memlab.testing.samples import START
from memlab.update.resolve_conflict import ResolveConflict
from memlab.update.updater import Proposal

LATER = START + timedelta(days=7)
ADA = Entity("Ada", "Person")


def triple(relation: str, place: str, when: str = "") -> Triple:
    return Triple(ADA, relation, Entity(place, "Location"), when)


def said(content: Triple, source: str = "D2:1") -> Candidate:
    return Candidate(content, "Ada", (source,), LATER)


def edges(*contents: Triple) -> list[Memory]:
    return [
        Memory(f"m{place}", one, "Ada", (f"D1:{place}",), START, START, START)
        for place, one in enumerate(contents, start=1)
    ]


KNOWN = edges(
    triple("likes", "tea"), triple("lives_in", "Oslo"), triple("has_pet", "Pixel"), triple("moves_to", "Bergen")
)
ROME = said(triple("lives_in", "Rome"))
"""It may end the second and the fourth of what is known."""


def proposal(one: Candidate, related: list[Memory]) -> Proposal:
    return Proposal(one, tuple(Hit(memory, 0.9 - place / 100) for place, memory in enumerate(related)))


def resolver(llm: ChatModel, **settings: Any) -> ResolveConflict:
    ask = settings.get("ask", "tools")
    return ResolveConflict(llm, **{"prompt": f"resolve_{ask}", "ask": ask, "fallback": "add", **settings})
