"""Memories of several types of content: one ledger of all, and a shelf for each type."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import assert_never

import numpy as np

from memlab.embed.embedder import Embedder, Vectors
from memlab.memory import Add, Candidate, Content, Delete, Hit, Memory, Noop, Operation, Update
from memlab.store.ledger import Ledger, id_of, number_of
from memlab.store.saved import read_store, write_store
from memlab.store.shelf import Shelf


class Shelves:
    """A ledger of memories beside the shelves on which the live ones are found.

    All that can fail or wait (an unknown id, the embedder, its vectors) comes before the first change, and the change
    itself awaits nothing: whoever reads in between sees the store before or after it.
    """

    def __init__(self, embedder: Embedder, shelves: Mapping[type[Content], Shelf]) -> None:
        self.embedder = embedder
        self.ledger = Ledger()
        self._shelves = shelves

    async def apply(self, operation: Operation) -> Memory | None:
        """Carry out one operation; return the memory it made or changed (None: nothing was)."""
        match operation:
            case Add(candidate=candidate):
                vectors = await self.vectors(candidate.content)
                return self._shelved(self.ledger.add(candidate), vectors)
            case Update(id=id_, candidate=candidate):
                return await self._update(id_, candidate)
            case Delete(id=id_, at=at):
                return self._retire(id_, at)
            case Noop(duplicate_of=known, sources=sources):
                return None if known is None else self.ledger.credit(known, sources)
            case _:
                assert_never(operation)

    async def vectors(self, content: Content) -> Vectors:
        """Return the vectors of a content's texts, one a row; raises TypeError when there is no shelf for it."""
        self._shelf(content)
        return unit_rows(await self.embedder.embed(content.texts), self.embedder.dimension)

    async def nearest_batch(self, texts: Sequence[str], k: int, *, of: type[Content] | None) -> list[list[Hit]]:
        """Return for each text its k closest live memories, closest first; fewer when there are fewer."""
        shelves = [shelf for kind, shelf in self._shelves.items() if of in (None, kind) and len(shelf)]
        if not shelves or not texts:
            return [[] for _ in texts]
        queries = await self.embedder.embed(texts)
        found = [shelf.search(queries, k) for shelf in shelves]
        scores, numbers = (np.concatenate(parts, axis=1) for parts in zip(*found, strict=True))
        if len(shelves) > 1:
            best = np.lexsort((numbers, -scores), axis=-1)[:, :k]
            scores, numbers = (np.take_along_axis(rows, best, axis=1) for rows in (scores, numbers))
        live = self.ledger.live
        return [
            [Hit(live(id_of(number)), score) for score, number in zip(*row, strict=True)]
            for row in zip(scores.tolist(), numbers.tolist(), strict=True)
        ]

    def save(self, folder: Path) -> None:
        """Write the ledger, and what each shelf saves."""
        parts = {kind.__name__: shelf.saved() for kind, shelf in self._shelves.items()}
        shelves = {kind: {"rows": len(vectors), **contents} for kind, (contents, vectors) in parts.items()}
        vectors = np.concatenate([vectors for _, vectors in parts.values()])
        write_store(folder, {**self.ledger.to_json(), "shelves": shelves}, vectors, self.embedder)

    def load(self, folder: Path) -> None:
        """Fill this empty ledger and its shelves from what was saved; raises ValueError when it does not fit."""
        if self.ledger.version:
            count = len(self.ledger.memories())
            raise ValueError(f"only an empty store can be loaded; this one holds {count} memories")
        contents, vectors = read_store(folder, self.embedder)
        ledger = Ledger.from_json(contents)
        # A store of before there were shelves holds facts alone.
        shelves = contents.get("shelves", {"Fact": {"rows": len(vectors)}})
        by_type: dict[type[Content], list[Memory]] = {}
        for memory in ledger.memories(retired=True):
            by_type.setdefault(type(memory.content), []).append(memory)
        for kind in by_type:
            if kind not in self._shelves:
                held = ", ".join(known.__name__ for known in self._shelves)
                raise ValueError(f"{folder} holds memories of type {kind.__name__}, but this store holds {held}")
            if shelves[kind.__name__].keys() - {"rows"} != self._shelves[kind].saved()[0].keys():
                raise ValueError(f"{folder} holds {kind.__name__}s as another store keeps them; load it with that one")
        ends = np.cumsum([shelf["rows"] for shelf in shelves.values()])[:-1]
        rows = dict(zip(shelves, np.split(vectors, ends), strict=True))
        for kind, memories in by_type.items():
            self._shelves[kind].restore(memories, shelves[kind.__name__], rows[kind.__name__])
        self.ledger = ledger

    def _shelf(self, content: Content) -> Shelf:
        shelf = self._shelves.get(type(content))
        if shelf is None:
            kinds = " and ".join(f"{kind.__name__}s" for kind in self._shelves)
            raise TypeError(f"this store holds {kinds} only, not {content!r}; use store=hybrid")
        return shelf

    def _shelved(self, memory: Memory, vectors: Vectors) -> Memory:
        self._shelf(memory.content).put(number_of(memory.id), memory, vectors)
        return memory

    async def _update(self, id_: str, candidate: Candidate) -> Memory | None:
        if self.ledger.live(id_).content == candidate.content:
            return self.ledger.update(id_, candidate)
        vectors = await self.vectors(candidate.content)
        before = self.ledger.live(id_)  # again: it may have been retired, or updated, while the embedder was awaited
        if before.content == candidate.content:
            return self.ledger.update(id_, candidate)
        if type(before.content) is not type(candidate.content):
            raise TypeError(f"memory {id_!r} holds {before.content!r}, which cannot become {candidate.content!r}")
        memory = self.ledger.update(id_, candidate)
        return None if memory is None else self._shelved(memory, vectors)

    def _retire(self, id_: str, at: datetime) -> Memory:
        memory = self.ledger.retire(id_, at)
        self._shelf(memory.content).retire(number_of(id_), at)
        return memory


def unit_rows(vectors: Vectors, dimension: int) -> Vectors:
    """Return vectors as they are; raises ValueError unless they are unit vectors of this dimension, one a row."""
    if vectors.ndim != 2 or vectors.shape[1] != dimension:
        raise ValueError(f"vectors of shape {vectors.shape} do not fit a store of dimension {dimension}")
    squares = [float(np.dot(row, row)) for row in vectors]  # of one to three rows: a dot each is the fastest by far
    # Stricter than an index, which must not refuse what was let in here: the memory would be entered by then.
    off = next((square for square in squares if not abs(square - 1.0) < 8e-3), None)
    if off is not None:
        raise ValueError(f"a store holds unit vectors, not one of length {off**0.5:.4g}; normalise it first")
    return vectors
