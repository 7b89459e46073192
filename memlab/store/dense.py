"""Memories found by the similarity of their text's vectors: the store of Mem0 (arXiv 2504.19413 section 2.1)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from memlab.embed.embedder import Embedder
from memlab.memory import Content, Fact, Hit, Memory, Operation, Triple
from memlab.store.shelf import Texts
from memlab.store.shelves import Shelves
from memlab.store.store import Store


class DenseStore(Store):
    """Facts, and triples as texts, by vector: exactly up to `exact_up_to` of each, beyond by sign bits first."""

    def __init__(self, embedder: Embedder, *, exact_up_to: int | None) -> None:
        kinds = (Fact, Triple)
        shelves = {kind: Texts(embedder.dimension, exact_up_to=exact_up_to) for kind in kinds}
        self._shelves = Shelves(embedder, shelves)

    async def apply(self, operation: Operation) -> Memory | None:
        """Carry out one operation; return the memory it made or changed (None: nothing was)."""
        return await self._shelves.apply(operation)

    async def nearest_batch(self, texts: Sequence[str], k: int, *, of: type[Content] | None = None) -> list[list[Hit]]:
        """Return for each text its k closest live memories, closest first; fewer when there are fewer."""
        return await self._shelves.nearest_batch(texts, k, of=of)

    def memories(self, *, retired: bool = False) -> list[Memory]:
        """Return the live memories, and the retired ones too when asked, in order of creation."""
        return self._shelves.ledger.memories(retired=retired)

    @property
    def version(self) -> int:
        """Counts the changes so far: equal versions mean equal contents."""
        return self._shelves.ledger.version

    def save(self, folder: Path) -> None:
        """Write the memories and the vectors of the live ones."""
        self._shelves.save(folder)

    def load(self, folder: Path) -> Self:
        """Fill this empty store from a saved one and return it; raises ValueError when it does not fit."""
        self._shelves.load(folder)
        return self
