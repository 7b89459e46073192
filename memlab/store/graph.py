"""Memory as a directed labelled graph, alone or beside dense facts: the stores of Mem0g (arXiv 2504.19413, 2.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Self

from memlab.embed.embedder import Embedder, Vectors
from memlab.memory import Content, Entity, Fact, Hit, Memory, Node, Operation, Triple
from memlab.relations import may_conflict
from memlab.store.edges import Edges, as_it_was, triple_of
from memlab.store.ledger import id_of, number_of
from memlab.store.property_graph import PropertyGraph
from memlab.store.shelf import Shelf, Texts
from memlab.store.shelves import Shelves
from memlab.store.store import GraphStore


class GraphMemory(GraphStore):
    """Triples only: `graph` keeps nodes and edges, the vectors of words and names are kept beside it.

    `node_threshold` is t, the cosine from which an entity is taken for a node of the same type.
    """

    holds = frozenset({Triple})

    def __init__(
        self, embedder: Embedder, graph: PropertyGraph, *, node_threshold: float, exact_up_to: int | None
    ) -> None:
        if not 0 < node_threshold <= 1:
            raise ValueError(f"node_threshold={node_threshold} is not above 0 and at most 1; 1 matches by name alone")
        self._graph = graph
        self._edges = Edges(graph, embedder.dimension, node_threshold=node_threshold, exact_up_to=exact_up_to)
        shelves: dict[type[Content], Shelf] = {Triple: self._edges}
        if Fact in self.holds:
            shelves = {Fact: Texts(embedder.dimension, exact_up_to=exact_up_to), **shelves}
        self._shelves = Shelves(embedder, shelves)

    async def open(self, name: str) -> None:
        """Begin with an empty graph under this name."""
        await self._graph.open(name)

    async def close(self) -> None:
        """Let go of the graph's connections."""
        await self._graph.close()

    async def apply(self, operation: Operation) -> Memory | None:
        """Carry out one operation; return the memory it made or changed (None: nothing was)."""
        return await self._shelves.apply(operation)

    async def nearest_batch(self, texts: Sequence[str], k: int, *, of: type[Content] | None = None) -> list[list[Hit]]:
        """Return for each text its k closest live memories, closest first; fewer when there are fewer."""
        return await self._shelves.nearest_batch(texts, k, of=of)

    async def related(self, content: Content, k: int) -> list[Hit]:
        """Return k live memories: for a triple, edges out of its source; those that can conflict with it come first."""
        if not isinstance(content, Triple):
            return await super().related(content, k)
        vectors = await self._shelves.vectors(content)
        source = self._edges.nodes.find(content.subject, vectors[1])
        if source is None:
            return []
        leaving = await self._graph.leaving(source.number)
        scored = self._hits(self._edges.closest(vectors[0], len(leaving), among=leaving, past=False))
        relation = content.relation
        return sorted(scored, key=lambda hit: not may_conflict(relation, triple_of(hit.memory).relation))[:k]

    def memories(self, *, retired: bool = False) -> list[Memory]:
        """Return the live memories, and the retired ones too when asked, in order of creation."""
        return self._shelves.ledger.memories(retired=retired)

    @property
    def version(self) -> int:
        """Counts the changes so far: equal versions mean equal contents."""
        return self._shelves.ledger.version

    def nodes(self) -> list[Node]:
        """Return all nodes in order of creation."""
        return self._edges.nodes.all()

    def ends(self, memory: Memory) -> tuple[Node, Node]:
        """Return the source and the destination of a triple's memory."""
        edge = self._edges.latest(number_of(memory.id))
        return self._edges.nodes[edge.source], self._edges.nodes[edge.target]

    async def entities(self, names: Sequence[str], k: int) -> list[list[tuple[Node, float]]]:
        """Return for each name the k nodes, of any type, closest to it, closest first, with cosines."""
        vectors = await self._shelves.embedder.embed(names)
        return [self._edges.nodes.closest(name, vector, k) for name, vector in zip(names, vectors, strict=True)]

    async def edges(self, nodes: Sequence[Node], hops: int, *, past: bool = False) -> list[Memory]:
        """Return the edges within so many hops of any of the nodes, in order of creation."""
        return self._known(await self._graph.around([node.number for node in nodes], hops, past=past))

    async def nearest_edges(
        self, text: str, k: int, *, among: Sequence[Memory] | None = None, past: bool = False
    ) -> list[Hit]:
        """Return the k edges whose words are closest to a text, closest first: of all, or of those given."""
        numbers = None if among is None else [number_of(memory.id) for memory in among]
        return self._hits(self._edges.closest(await self._vector(text), k, among=numbers, past=past))

    async def as_of(self, time: datetime) -> list[Memory]:
        """Return the edges that were valid at a time as they were then, in order of creation."""
        return [replace(memory, retired_at=None) for memory in self._versions(await self._graph.as_of(time))]

    async def history(self, entity: Entity, relation: str) -> list[Memory]:
        """Return all edges that an entity ever had by a relation, as they were, in order of creation."""
        node = self._edges.nodes.find(entity, await self._vector(entity.name))
        return [] if node is None else self._versions(await self._graph.history(node.number, relation))

    def save(self, folder: Path) -> None:
        """Write the memories, the nodes and edges, and the vectors of all of them."""
        self._shelves.save(folder)

    def load(self, folder: Path) -> Self:
        """Fill this empty store, and its graph, from a saved one; raises ValueError when it does not fit."""
        self._shelves.load(folder)
        return self

    async def _vector(self, text: str) -> Vectors:
        vector: Vectors = (await self._shelves.embedder.embed([text]))[0]
        return vector

    def _hits(self, scored: Iterable[tuple[float, int]]) -> list[Hit]:
        scores, numbers = [score for score, _ in scored], [number for _, number in scored]
        return [Hit(memory, score) for memory, score in zip(self._known(numbers), scores, strict=True)]

    def _known(self, numbers: Iterable[int]) -> list[Memory]:
        return [self._shelves.ledger.known(id_of(number)) for number in numbers]

    def _versions(self, found: Iterable[tuple[int, int]]) -> list[Memory]:
        """Return memories as they were, with the interval in which they were so."""
        return [
            replace(as_it_was(memory, version), valid_from=edge.since, retired_at=edge.until)
            for number, version in found
            for memory in self._known([number])
            for edge in [self._edges.version(number, version)]
        ]


class HybridStore(GraphMemory):
    """Facts by vector and triples as a graph, in one store, as the paper's Mem0g keeps both."""

    holds = frozenset({Fact, Triple})
