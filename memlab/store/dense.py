"""Memories found by the similarity of their text's vectors: the store of Mem0 (arXiv 2504.19413 section 2.1)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self, assert_never

from memlab.embed.embedder import Embedder, Vectors
from memlab.memory import Add, Candidate, Delete, Hit, Memory, Noop, Operation, Update
from memlab.store.ledger import Ledger, id_of, number_of
from memlab.store.saved import read_store, write_store
from memlab.store.store import Store
from memlab.store.vectors import VectorIndex


class DenseStore(Store):
    """A ledger of memories beside an exact index of the live ones.

    All that can fail or wait (an unknown id, the embedder, its vector) comes before the first change, and the change
    itself awaits nothing: whoever reads in between sees the store before or after it.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._ledger = Ledger()
        self._index = VectorIndex(embedder.dimension)

    async def apply(self, operation: Operation) -> Memory | None:
        """Carry out one operation; return the memory it made or changed (None: nothing was)."""
        match operation:
            case Add(candidate=candidate):
                vector = await self._vector(candidate)
                self._index.put(self._ledger.next_number, vector)
                return self._ledger.add(candidate)
            case Update(id=id_, candidate=candidate):
                return await self._update(id_, candidate)
            case Delete(id=id_, at=at):
                memory = self._ledger.retire(id_, at)
                self._index.remove(number_of(id_))
                return memory
            case Noop(duplicate_of=known, sources=sources):
                return None if known is None else self._ledger.credit(known, sources)
            case _:
                assert_never(operation)

    async def nearest_batch(self, texts: Sequence[str], k: int) -> list[list[Hit]]:
        """Return for each text its k closest live memories, closest first; fewer when there are fewer."""
        if len(self._index) == 0 or not texts:
            return [[] for _ in texts]
        scores, numbers = self._index.search(await self._embedder.embed(texts), k)
        live = self._ledger.live
        return [
            [Hit(live(id_of(number)), score) for score, number in zip(*row, strict=True)]
            for row in zip(scores.tolist(), numbers.tolist(), strict=True)
        ]

    def memories(self, *, retired: bool = False) -> list[Memory]:
        """Return the live memories, and the retired ones too when asked, in order of creation."""
        return self._ledger.memories(retired=retired)

    @property
    def version(self) -> int:
        """Counts the changes so far: equal versions mean equal contents."""
        return self._ledger.version

    def save(self, folder: Path) -> None:
        """Write the memories and the vectors of the live ones, in order of creation."""
        vectors = self._index.vectors([number_of(memory.id) for memory in self.memories()])
        write_store(folder, self._ledger.to_json(), vectors, self._embedder)

    def load(self, folder: Path) -> Self:
        """Fill this empty store from a saved one and return it; raises ValueError when it does not fit."""
        if self.version:
            raise ValueError(f"only an empty store can be loaded; this one holds {len(self.memories())} memories")
        contents, vectors = read_store(folder, self._embedder)
        ledger = Ledger.from_json(contents)
        index = VectorIndex(self._embedder.dimension)
        for memory, vector in zip(ledger.memories(), vectors, strict=True):
            index.put(number_of(memory.id), vector)
        self._ledger, self._index = ledger, index
        return self

    async def _update(self, id_: str, candidate: Candidate) -> Memory | None:
        if self._ledger.live(id_).text != candidate.content.text:
            vector = await self._vector(candidate)
            self._ledger.live(id_)  # again: it may have been retired while the embedder was awaited
            self._index.put(number_of(id_), vector)
        return self._ledger.update(id_, candidate)

    async def _vector(self, candidate: Candidate) -> Vectors:
        vectors: Vectors = (await self._embedder.embed([candidate.content.text]))[0]
        return vectors
