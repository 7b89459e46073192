"""Where contents of one type are found again."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from memlab.embed.embedder import Vectors
from memlab.memory import Memory
from memlab.memory_json import Json
from memlab.store.ledger import number_of
from memlab.store.vectors import Ids, Scores, VectorIndex


class Shelf(ABC):
    """Finds memories of one type of content by the vectors of their texts, under the memories' numbers."""

    @abstractmethod
    def __len__(self) -> int:
        """Return how many live memories are on it."""

    @abstractmethod
    def put(self, number: int, memory: Memory, vectors: Vectors) -> None:
        """Shelve a new memory, or the new content of one; `vectors` has a row for each of its content's texts."""

    @abstractmethod
    def retire(self, number: int, at: datetime) -> None:
        """Take a memory out of the live ones as of a time."""

    @abstractmethod
    def search(self, queries: Vectors, k: int) -> tuple[Scores, Ids]:
        """Return scores and numbers (len(queries), min(k, len(self))) of the closest live memories, closest first."""

    @abstractmethod
    def saved(self) -> tuple[Json, Vectors]:
        """Return what `restore` needs besides the memories."""

    @abstractmethod
    def restore(self, memories: Sequence[Memory], saved: Json, vectors: Vectors) -> None:
        """Fill this empty shelf with its memories, retired ones too, and what `saved` returned."""


class Texts(Shelf):
    """The words of the live memories, and no more: dense memory (arXiv 2504.19413 section 2.1)."""

    def __init__(self, dimension: int, *, exact_up_to: int | None) -> None:
        self._index = VectorIndex(dimension, exact_up_to=exact_up_to)
        self._numbers: dict[int, None] = {}

    def __len__(self) -> int:
        return len(self._index)

    def put(self, number: int, memory: Memory, vectors: Vectors) -> None:
        """Shelve the memory's words."""
        self._index.put(number, vectors[0])
        self._numbers[number] = None

    def retire(self, number: int, at: datetime) -> None:
        """Forget the words of a memory."""
        self._index.remove(number)
        del self._numbers[number]

    def search(self, queries: Vectors, k: int) -> tuple[Scores, Ids]:
        """Return scores and numbers of the closest live memories, closest first."""
        return self._index.search(queries, k)

    def saved(self) -> tuple[Json, Vectors]:
        """Return the vectors of the live memories, in order of creation."""
        return {}, self._index.vectors(sorted(self._numbers))

    def restore(self, memories: Sequence[Memory], saved: Json, vectors: Vectors) -> None:
        """Shelve the live ones of these memories."""
        live = [memory for memory in memories if memory.retired_at is None]
        for memory, vector in zip(live, vectors, strict=True):
            self.put(number_of(memory.id), memory, vector[np.newaxis])
