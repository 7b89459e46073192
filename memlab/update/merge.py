"""What becomes of a memory that a candidate adds to, and whether it says the same already."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from memlab.memory import Add, Candidate, Fact, Memory, Noop, Operation, Update

Merge = Literal["join", "longer", "replace"]
"""What an UPDATE makes of the old text and the new one.

join: both, one after the other; nothing is lost, memories grow.
longer: the one with more words, a stand-in for the information content of arXiv 2504.19413 algorithm 1.
replace: the new one, whatever the old one said.
"""


def merged(candidate: Candidate, memory: Memory, merge: Merge) -> Operation:
    """Return the operation that brings what a candidate says into a memory."""
    update = Update(memory.id, candidate)
    if merge == "replace":
        return update
    old, new = memory.text, candidate.content.text
    if merge == "longer":
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


def recorded_in(candidate: Candidate, memories: Iterable[Memory]) -> Noop | None:
    """Return the NOOP for a candidate that one of these memories has recorded; None when none has."""
    known = next((memory for memory in memories if recorded(candidate, memory)), None)
    return None if known is None else Noop(known.id, candidate.sources)
