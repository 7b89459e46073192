"""Similarity bands instead of a model: the same again, nearly the same, or new."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

from memlab.memory import Add, Candidate, Decision, Fact, Hit, Memory, Noop, Operation, Update
from memlab.update.updater import Proposal, Updater

Merge = Literal["join", "longer", "replace"]
"""What an UPDATE makes of the old text and the new one.

join: both, one after the other; nothing is lost, memories grow.
longer: the one with more words, a stand-in for the information content of arXiv 2504.19413 algorithm 1.
replace: the new one, whatever the old one said.
"""


class Threshold(Updater):
    """Compares a candidate with the closest memory of the same speaker, by the score of the search.

    From `equivalent` on it is the same again: NOOP, and its turns are credited to that memory. From `near` on the two
    are merged: UPDATE. Below, or when nobody of that speaker said anything like it: ADD. Similarity cannot see a
    contradiction, so nothing is ever deleted.
    """

    def __init__(self, *, equivalent: float, near: float, merge: Merge) -> None:
        if not 0.0 <= near <= equivalent <= 1.0:
            raise ValueError(f"near={near} and equivalent={equivalent}, but 0 <= near <= equivalent <= 1 must hold")
        if merge not in get_args(Merge):
            raise ValueError(f"merge={merge!r} is none of {', '.join(get_args(Merge))}")
        self._equivalent = equivalent
        self._near = near
        self._merge = merge

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order."""
        return [Decision((self._operation(proposal.candidate, proposal.related),)) for proposal in proposals]

    def _operation(self, candidate: Candidate, related: Sequence[Hit]) -> Operation:
        own = [hit for hit in related if hit.memory.speaker == candidate.speaker]
        for hit in own:
            if recorded(candidate, hit.memory):
                return Noop(hit.memory.id, candidate.sources)
        if not own or own[0].score < self._near:
            return Add(candidate)
        closest = own[0].memory
        if own[0].score >= self._equivalent:
            return Noop(closest.id, candidate.sources)
        return self._merged(candidate, closest)

    def _merged(self, candidate: Candidate, memory: Memory) -> Operation:
        update = Update(memory.id, candidate)
        if self._merge == "replace":
            return update
        old, new = memory.text, candidate.content.text
        if self._merge == "longer":
            return update if len(new.split()) > len(old.split()) else Noop(memory.id, candidate.sources)
        if not (isinstance(memory.content, Fact) and isinstance(candidate.content, Fact)):
            return Add(candidate)  # two triples cannot be joined into one, and neither may be lost
        if new in old:
            return Noop(memory.id, candidate.sources)
        return update if old in new else Update(memory.id, replace(candidate, content=Fact(f"{old} {new}")))


def recorded(candidate: Candidate, memory: Memory) -> bool:
    """Return whether a memory said this before, from these very turns: then saying it again must change nothing."""
    texts = (memory.text, *(revision.content.text for revision in memory.history))
    return set(candidate.sources) <= set(memory.sources) and any(candidate.content.text in text for text in texts)
