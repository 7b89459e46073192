"""Triples between nodes, with their times: the graph of Mem0g (arXiv 2504.19413 section 2.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from memlab.embed.embedder import Vectors
from memlab.memory import Memory, Triple
from memlab.memory_json import Json, node_from_json, node_to_json
from memlab.store.ledger import number_of
from memlab.store.nodes import Nodes
from memlab.store.property_graph import Edge, PropertyGraph
from memlab.store.shelf import Shelf
from memlab.store.vectors import Ids, Scores, VectorIndex


class Edges(Shelf):
    """The memories that are triples: who is at their ends, when each of their versions was valid, and their words.

    A retired memory's words are kept apart, so that a search of the live ones never meets them.
    """

    def __init__(self, graph: PropertyGraph, dimension: int, *, node_threshold: float, exact_up_to: int | None) -> None:
        self.graph = graph
        self.nodes = Nodes(graph, dimension, threshold=node_threshold, exact_up_to=exact_up_to)
        self._live = VectorIndex(dimension, exact_up_to=exact_up_to)
        self._retired = VectorIndex(dimension, exact_up_to=exact_up_to)
        self._versions: dict[int, list[Edge]] = {}

    def __len__(self) -> int:
        return len(self._live)

    def put(self, number: int, memory: Memory, vectors: Vectors) -> None:
        """Match both ends to nodes and put an edge between them; an edge that the memory had before ends."""
        triple, at = triple_of(memory), memory.updated_at
        versions = self._versions.setdefault(number, [])
        self._end(versions, at)
        source = self.nodes.matched(triple.subject, vectors[1], at)
        target = self.nodes.matched(triple.object, vectors[2], at)
        edge = Edge(number, len(versions), source.number, target.number, triple, at)
        versions.append(edge)
        self.graph.put_edge(edge)
        self._live.put(number, vectors[0])

    def retire(self, number: int, at: datetime) -> None:
        """End the memory's edge."""
        self._end(self._versions[number], at)
        [vector] = self._live.vectors([number])
        self._live.remove(number)
        self._retired.put(number, vector)

    def search(self, queries: Vectors, k: int) -> tuple[Scores, Ids]:
        """Return scores and numbers of the closest live memories, closest first."""
        return self._live.search(queries, k)

    def closest(self, query: Vectors, k: int, *, among: Iterable[int] | None, past: bool) -> list[tuple[float, int]]:
        """Return scores and numbers of the k closest: of the live memories, with `past` of all, or of those given."""
        indexes = (self._live, self._retired) if past or among is not None else (self._live,)
        if among is None:
            found = [index.search(query[np.newaxis], k) for index in indexes]
            scored = [pair for scores, numbers in found for pair in zip(scores[0], numbers[0], strict=True)]
        else:
            chosen = list(among)
            inside = [[number for number in chosen if self._is_live(number) == live] for live in (True, False)]
            scored = [
                pair
                for index, numbers in zip(indexes, inside, strict=True)
                for pair in zip(index.scores(query, numbers), numbers, strict=True)
            ]
        best = sorted(((float(score), int(number)) for score, number in scored), key=lambda one: (-one[0], one[1]))
        return best[:k]

    def latest(self, number: int) -> Edge:
        """Return the last version of a memory's edge."""
        return self._versions[number][-1]

    def version(self, number: int, version: int) -> Edge:
        """Return one version of a memory's edge."""
        return self._versions[number][version]

    def saved(self) -> tuple[Json, Vectors]:
        """Return nodes and edges, and the vectors of the live memories, of the retired ones and of the nodes."""
        edges = [edge for versions in self._versions.values() for edge in versions]
        numbers = sorted(self._versions)
        live = [number for number in numbers if self._is_live(number)]
        retired = [number for number in numbers if not self._is_live(number)]
        vectors = (self._live.vectors(live), self._retired.vectors(retired), self.nodes.vectors())
        return {
            "nodes": [node_to_json(node) for node in self.nodes.all()],
            "edges": [
                [e.memory, e.version, e.source, e.target, e.since.isoformat(), e.until and e.until.isoformat()]
                for e in edges
            ],
        }, np.concatenate(vectors)

    def restore(self, memories: Sequence[Memory], saved: Json, vectors: Vectors) -> None:
        """Fill this empty shelf, and its graph, with what was saved."""
        by_number = {number_of(memory.id): memory for memory in memories}
        live = [number for number, memory in by_number.items() if memory.retired_at is None]
        retired = [number for number, memory in by_number.items() if memory.retired_at is not None]
        parts = np.split(vectors, [len(live), len(memories)])
        self.nodes.restore(map(node_from_json, saved["nodes"]), parts[2])
        for number, version, source, target, since, until in saved["edges"]:
            triple = triple_of(as_it_was(by_number[number], version))
            ended = until and datetime.fromisoformat(until)
            edge = Edge(number, version, source, target, triple, datetime.fromisoformat(since), ended)
            self._versions.setdefault(number, []).append(edge)
            self.graph.put_edge(edge)
        for index, numbers, rows in ((self._live, live, parts[0]), (self._retired, retired, parts[1])):
            for number, vector in zip(numbers, rows, strict=True):
                index.put(number, vector)

    def _is_live(self, number: int) -> bool:
        return self._versions[number][-1].until is None

    def _end(self, versions: list[Edge], at: datetime) -> None:
        if versions:
            last = versions[-1]
            versions[-1] = replace(last, until=at)
            self.graph.end_edge(last.memory, last.version, at)


def triple_of(memory: Memory) -> Triple:
    """Return the triple that a memory holds; raises TypeError when it holds something else."""
    if not isinstance(memory.content, Triple):
        raise TypeError(f"memory {memory.id!r} is no triple: {memory.content!r}")
    return memory.content


def as_it_was(memory: Memory, version: int) -> Memory:
    """Return a memory with its content of some version, counted from 0, and what it had been before."""
    if version == len(memory.history):
        return memory
    then = memory.history[version]
    return replace(
        memory,
        content=then.content,
        sources=then.sources,
        updated_at=then.updated_at,
        history=memory.history[:version],
    )
