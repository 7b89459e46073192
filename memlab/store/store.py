"""What holds the memories of one conversation."""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Self

from memlab.memory import Content, Entity, Hit, Memory, Operation
from memlab.part import Part


class UnknownMemoryError(LookupError):
    """An operation named a memory that is not live; the message lists those that are."""


class Store(Part):
    """The only part with state: one instance per conversation and perspective, so nothing can leak between them.

    Ids are `m0`, `m1`, ... in order of creation. A search straight after an operation sees its effect. Retired
    memories never come back from a search but stay readable.
    """

    @abstractmethod
    async def apply(self, operation: Operation) -> Memory | None:
        """Carry out one operation; return the memory it made or changed (None: nothing was).

        Raises UnknownMemoryError, and changes nothing, when the operation names no live memory.
        """

    @abstractmethod
    async def nearest_batch(self, texts: Sequence[str], k: int) -> list[list[Hit]]:
        """Return for each text its k closest live memories, closest first; fewer when there are fewer."""

    async def nearest(self, text: str, k: int) -> list[Hit]:
        """Return the k live memories closest to a text, closest first; fewer when there are fewer."""
        return (await self.nearest_batch([text], k))[0]

    async def related(self, content: Content, k: int) -> list[Hit]:
        """Return the k live memories most similar to a candidate's content: what an updater is shown."""
        return await self.nearest(content.text, k)

    @abstractmethod
    def memories(self, *, retired: bool = False) -> list[Memory]:
        """Return the live memories, and the retired ones too when asked, in order of creation."""

    @property
    @abstractmethod
    def version(self) -> int:
        """Counts the changes so far: equal versions mean equal contents."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the whole store to a folder as JSON and NumPy files, with the embedder's name and dimension."""

    @abstractmethod
    def load(self, folder: Path) -> Self:
        """Fill this empty store from a saved one and return it.

        Raises ValueError naming both embedders when the saved vectors come from another one than this store's.
        """


class GraphStore(Store):
    """A store whose memories are triples: a directed labelled graph G = (V, E, L) (arXiv 2504.19413 section 2.2)."""

    @abstractmethod
    async def entities(self, name: str, k: int) -> list[Entity]:
        """Return the k nodes whose names are closest to a name, closest first."""

    @abstractmethod
    def edges(self, entity: Entity, hops: int) -> list[Memory]:
        """Return the live edges within so many hops of a node, incoming and outgoing, in order of creation."""

    @abstractmethod
    def as_of(self, time: datetime) -> list[Memory]:
        """Return the edges that were valid at a time, those retired since then included."""
