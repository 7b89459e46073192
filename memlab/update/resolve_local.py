"""Conflicts among edges resolved by tables instead of a model (arXiv 2504.19413 section 2.2)."""

import re
from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from memlab.memory import Add, Candidate, Content, Decision, Delete, Hit, Memory, Noop, Operation, Triple
from memlab.relations import canonical, may_conflict
from memlab.update.conflicts import exclude, same_again
from memlab.update.event_time import days
from memlab.update.updater import Proposal, Updater

NUMBER = re.compile(r"\d+")


class ResolveLocal(Updater):
    """Ends an edge where a table says that it cannot hold beside the new one; a doubt leaves both valid.

    NOOP for what an edge says already. An edge ends, as of the time the new one was said, when both fill a slot with
    one destination at a time (a home, an age) with different destinations, or when the new label denies the old one of
    the same destination. It does not when it was said later or in the same turn, or tells of a later time, or when the
    new one tells of the future. An ended edge keeps its interval. A fact is a NOOP when it is known, else added.
    """

    needs_same_source: ClassVar[bool] = True

    def __init__(self, *, equivalent: float | None) -> None:
        if equivalent is not None and not 0.0 < equivalent <= 1.0:
            raise ValueError(f"equivalent={equivalent}, but 0 < equivalent <= 1 must hold; null: by name alone")
        self._equivalent = equivalent

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order."""
        return [self._decision(proposal.candidate, proposal.related) for proposal in proposals]

    def _decision(self, candidate: Candidate, related: Sequence[Hit]) -> Decision:
        known = same_again(candidate, related, equivalent=self._equivalent)
        excluded = [hit.memory for hit in related if excludes(candidate.content, hit.memory.content)]
        if known is None and any(said_before(candidate, memory) for memory in excluded):
            told = "out_of_order: a memory that was said later excludes it; it was stored nowhere"
            return Decision((Noop(None, candidate.sources),), (told,))
        ended = [memory for memory in excluded if ends(candidate, memory)]
        last: Operation = Add(candidate) if known is None else known
        return Decision((*(Delete(memory.id, candidate.said_at) for memory in ended), last))


def excludes(new: Content, old: Content) -> bool:
    """Return whether both are triples that cannot hold together."""
    return isinstance(new, Triple) and isinstance(old, Triple) and exclude(new, old)


def ends(candidate: Candidate, memory: Memory) -> bool:
    """Return whether a candidate makes an edge that it excludes invalid: not the other way round, and not too early."""
    new, old = candidate.content, memory.content
    if not (isinstance(new, Triple) and isinstance(old, Triple)) or said_before(candidate, memory):
        return False
    if not may_conflict(canonical(new.relation), canonical(old.relation)):
        return False  # what happened once, a sale, is not ended by a state, to own
    if set(candidate.sources) & set(memory.sources):
        return False  # one breath does not contradict itself: it tells of two times that the labels do not show
    told = days(new.when)
    return told is None or not (told[1] < holds_since(old, memory) or told[0] > candidate.said_at.date())


def holds_since(triple: Triple, memory: Memory) -> date:
    """Return a day on which an edge held for certain: the first one told, or the one it was said on."""
    told = days(triple.when)
    if told is None or told[0] == date.min or told[1] == date.max:
        return memory.updated_at.date()
    return told[0]


def said_before(candidate: Candidate, memory: Memory) -> bool:
    """Return whether a candidate was said before a memory, as when the same messages come in a second time."""
    if candidate.said_at != memory.updated_at:
        return candidate.said_at < memory.updated_at
    if not (candidate.sources and memory.sources):
        return False
    here, there = candidate.sources[-1], memory.sources[0]
    alike = NUMBER.sub("0", here) == NUMBER.sub("0", there)
    return alike and [int(one) for one in NUMBER.findall(here)] < [int(one) for one in NUMBER.findall(there)]
