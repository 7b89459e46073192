"""Similarity bands instead of a model: the same again, nearly the same, or new."""

from collections.abc import Sequence
from typing import get_args

from memlab.memory import Add, Candidate, Decision, Hit, Noop, Operation
from memlab.update.merge import Merge, merged, recorded_in
from memlab.update.updater import Proposal, Updater


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
        self._merge: Merge = merge

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order."""
        return [Decision((self._operation(proposal.candidate, proposal.related),)) for proposal in proposals]

    def _operation(self, candidate: Candidate, related: Sequence[Hit]) -> Operation:
        own = [hit for hit in related if hit.memory.speaker == candidate.speaker]
        if known := recorded_in(candidate, (hit.memory for hit in own)):
            return known
        if not own or own[0].score < self._near:
            return Add(candidate)
        closest = own[0].memory
        if own[0].score >= self._equivalent:
            return Noop(closest.id, candidate.sources)
        return merged(candidate, closest, self._merge)
