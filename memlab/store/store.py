"""What holds the memories of one conversation."""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import ClassVar, Self

from memlab.memory import Content, Entity, Fact, Hit, Memory, Node, Operation, Triple
from memlab.part import Part


class UnknownMemoryError(LookupError):
    """An operation named a memory that is not live; the message lists those that are."""


class Store(Part):
    """The only part with state: one instance per conversation and perspective, so nothing can leak between them.

    Ids are `m0`, `m1`, ... in order of creation. A search straight after an operation sees its effect. Retired
    memories never come back from a search unless asked for, but stay readable.
    """

    holds: ClassVar[frozenset[type[Content]]] = frozenset({Fact, Triple})
    """The types of content that it can keep."""

    async def open(self, name: str) -> None:
        """Begin with nothing; the name tells this store from all others of all runs. To be awaited before all else."""

    async def close(self) -> None:
        """Let go of what it holds open; nothing is asked of it afterwards."""

    @abstractmethod
    async def apply(self, operation: Operation) -> Memory | None:
        """Carry out one operation; return the memory it made or changed (None: nothing was).

        Raises UnknownMemoryError, and changes nothing, when the operation names no live memory.
        """

    @abstractmethod
    async def nearest_batch(self, texts: Sequence[str], k: int, *, of: type[Content] | None = None) -> list[list[Hit]]:
        """Return for each text its k closest live memories, closest first; fewer when there are fewer.

        `of`: only memories with this type of content.
        """

    async def nearest(self, text: str, k: int, *, of: type[Content] | None = None) -> list[Hit]:
        """Return the k live memories closest to a text, closest first; fewer when there are fewer."""
        return (await self.nearest_batch([text], k, of=of))[0]

    async def related(self, content: Content, k: int) -> list[Hit]:
        """Return the k live memories most similar to a candidate's content: what an updater is shown."""
        return await self.nearest(content.text, k, of=type(content))

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
    """A store whose triples are a directed labelled graph G = (V, E, L) (arXiv 2504.19413 section 2.2).

    The ends of a triple are matched to nodes of the same type: by name, or by similarity; a node keeps all its names.
    A memory keeps the names that were said. `related` of a triple returns edges out of the node that its subject
    matches, those whose relation can conflict with it before all others, each group closest first.
    """

    @abstractmethod
    def nodes(self) -> list[Node]:
        """Return all nodes in order of creation."""

    @abstractmethod
    def ends(self, memory: Memory) -> tuple[Node, Node]:
        """Return the source and the destination of a triple's memory."""

    @abstractmethod
    async def entities(self, names: Sequence[str], k: int) -> list[list[tuple[Node, float]]]:
        """Return for each name the k nodes, of any type, closest to it, closest first, with cosines.

        A node that has this very name is at 1.
        """

    @abstractmethod
    async def edges(self, nodes: Sequence[Node], hops: int, *, past: bool = False) -> list[Memory]:
        """Return the edges within so many hops of any of the nodes, incoming and outgoing, in order of creation.

        `past`: retired ones, too.
        """

    @abstractmethod
    async def nearest_edges(
        self, text: str, k: int, *, among: Sequence[Memory] | None = None, past: bool = False
    ) -> list[Hit]:
        """Return the k edges whose words are closest to a text, closest first: of all, or of those given.

        `past`: of all, retired ones too; those given may be retired.
        """

    @abstractmethod
    async def as_of(self, time: datetime) -> list[Memory]:
        """Return the edges that were valid at a time as they were then, in order of creation.

        An edge that was retired at this very time no longer was. Sources that a later NOOP credited are kept.
        """

    @abstractmethod
    async def history(self, entity: Entity, relation: str) -> list[Memory]:
        """Return all edges that an entity ever had by a relation, as they were, in order of creation."""
