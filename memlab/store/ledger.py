"""The book of all memories of one store: who they are, what they said before, and which are retired."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any, Self

from memlab.memory import Candidate, Memory, Revision
from memlab.memory_json import Json, memory_from_json, memory_to_json
from memlab.store.store import UnknownMemoryError

_NAMED_IN_ERRORS = 10


class Ledger:
    """Memories by id (`m0`, `m1`, ... in order of creation), retired ones included.

    A method that changes nothing returns None and leaves `version` as it was. Ids that are not live raise
    UnknownMemoryError before anything is changed.
    """

    def __init__(self) -> None:
        self._memories: dict[str, Memory] = {}
        self.version = 0

    @property
    def next_number(self) -> int:
        """The place that the next new memory will take in the order of creation."""
        return len(self._memories)

    def memories(self, *, retired: bool = False) -> list[Memory]:
        """Return the live memories, and the retired ones too when asked, in order of creation."""
        return [memory for memory in self._memories.values() if retired or memory.retired_at is None]

    def known(self, id_: str) -> Memory:
        """Return a memory by its id, retired or not."""
        return self._memories[id_]

    def live(self, id_: str) -> Memory:
        """Return a live memory by its id."""
        memory = self._memories.get(id_)
        if memory is None or memory.retired_at is not None:
            raise UnknownMemoryError(f"no live memory {id_!r}; live: {self._live_ids()}")
        return memory

    def add(self, candidate: Candidate) -> Memory:
        """Enter a new memory."""
        return self._enter(
            Memory(
                id=id_of(self.next_number),
                content=candidate.content,
                speaker=candidate.speaker,
                sources=union((), candidate.sources),
                created_at=candidate.said_at,
                updated_at=candidate.said_at,
                valid_from=candidate.said_at,
            )
        )

    def update(self, id_: str, candidate: Candidate) -> Memory | None:
        """Give a memory a new content, keep the old one in its history, and unite the sources.

        Saying the same again from a new turn adds the turn and its time, but no revision; from a known turn, nothing.
        """
        memory = self.live(id_)
        sources = union(memory.sources, candidate.sources)
        history = memory.history
        if memory.content == candidate.content:
            if sources == memory.sources:
                return None
        else:
            history = (*history, Revision(memory.content, memory.sources, memory.updated_at))
        return self._enter(
            replace(memory, content=candidate.content, sources=sources, updated_at=candidate.said_at, history=history)
        )

    def retire(self, id_: str, at: datetime) -> Memory:
        """Mark a memory as no longer valid."""
        return self._enter(replace(self.live(id_), retired_at=at))

    def credit(self, id_: str, sources: tuple[str, ...]) -> Memory | None:
        """Add turns to what a memory came from."""
        memory = self.live(id_)
        united = union(memory.sources, sources)
        return None if united == memory.sources else self._enter(replace(memory, sources=united))

    def to_json(self) -> Json:
        """Return the whole book as JSON."""
        return {
            "version": self.version,
            "memories": [memory_to_json(memory) for memory in self._memories.values()],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the book that `to_json` wrote."""
        ledger = cls()
        ledger._memories = {entry["id"]: memory_from_json(entry) for entry in value["memories"]}
        ledger.version = value["version"]
        return ledger

    def _enter(self, memory: Memory) -> Memory:
        self._memories[memory.id] = memory
        self.version += 1
        return memory

    def _live_ids(self) -> str:
        live = [memory.id for memory in self.memories()]
        named = ", ".join(islice(live, _NAMED_IN_ERRORS)) or "none"
        more = len(live) - _NAMED_IN_ERRORS
        return f"{named} and {more} more" if more > 0 else named


def id_of(number: int) -> str:
    """Return the id of the memory at a place in the order of creation: `m3` for 3."""
    return f"m{number}"


def number_of(id_: str) -> int:
    """Return the place of a memory in the order of creation: 3 for `m3`."""
    return int(id_[1:])


def union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Return all entries in order, each once."""
    return tuple(dict.fromkeys((*first, *second)))
