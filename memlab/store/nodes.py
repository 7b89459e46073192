"""The nodes of a graph, and which of them an entity is (arXiv 2504.19413 section 2.2)."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

import numpy as np

from memlab.embed.embedder import Vectors
from memlab.memory import Entity, Node
from memlab.store.property_graph import PropertyGraph
from memlab.store.vectors import VectorIndex

NUMBER = re.compile(r"\d+")


class Nodes:
    """Matches entities to nodes of the same type: by any of a node's names, else by the similarity of first names.

    An entity is the node whose first name is closest to its own, from a cosine of `threshold` (t) on. It is not
    compared with the other names, for then a chain of near names could join what is far apart. Names with different
    numbers in them are never similar: 5 May and 6 May are two days.
    """

    def __init__(self, graph: PropertyGraph, dimension: int, *, threshold: float, exact_up_to: int | None) -> None:
        self._graph = graph
        self._dimension = dimension
        self._threshold = threshold
        self._exact_up_to = exact_up_to
        self._nodes: list[Node] = []
        self._by_name: dict[tuple[str, str], int] = {}
        self._by_kind: dict[str, VectorIndex] = {}

    def all(self) -> list[Node]:
        """Return all nodes in order of creation."""
        return list(self._nodes)

    def __getitem__(self, number: int) -> Node:
        return self._nodes[number]

    def find(self, entity: Entity, vector: Vectors) -> Node | None:
        """Return the node that an entity is, None when it is none yet; `vector` is that of its name."""
        known = self._by_name.get((key(entity.kind), key(entity.name)))
        if known is not None:
            return self._nodes[known]
        index = self._by_kind.get(key(entity.kind))
        if index is None:
            return None
        scores, numbers = index.search(vector[np.newaxis], 1)
        closest = self._nodes[int(numbers[0, 0])]
        near = float(scores[0, 0]) >= self._threshold
        return closest if near and NUMBER.findall(closest.name) == NUMBER.findall(entity.name) else None

    def matched(self, entity: Entity, vector: Vectors, at: datetime) -> Node:
        """Return the node that an entity is, a new one if need be, which from now on has this name, too."""
        node = self.find(entity, vector)
        if node is None:
            node = Node(len(self._nodes), (entity.name,), entity.kind, at)
            self._enter(node, vector)
        elif entity.name not in node.names:
            node = replace(node, names=(*node.names, entity.name))
            self._nodes[node.number] = node
            self._by_name.setdefault((key(node.kind), key(entity.name)), node.number)
            self._graph.put_node(node)
        return node

    def closest(self, name: str, vector: Vectors, k: int) -> list[tuple[Node, float]]:
        """Return the k nodes closest to a name, whatever their types; those that have this very name come first."""
        named = {self._by_name[kind, key(name)] for kind in self._by_kind if (kind, key(name)) in self._by_name}
        scores = dict.fromkeys(named, 1.0)
        for index in self._by_kind.values():
            found, numbers = index.search(vector[np.newaxis], k)
            for score, number in zip(found[0].tolist(), numbers[0].tolist(), strict=True):
                scores.setdefault(number, score)
        best = sorted(scores, key=lambda number: (number not in named, -scores[number], number))
        return [(self._nodes[number], scores[number]) for number in best[:k]]

    def vectors(self) -> Vectors:
        """Return the vectors of all nodes, in order of creation."""
        rows = np.empty((len(self._nodes), self._dimension), dtype=np.float32)
        for kind, index in self._by_kind.items():
            numbers = [node.number for node in self._nodes if key(node.kind) == kind]
            rows[numbers] = index.vectors(numbers)
        return rows

    def restore(self, nodes: Iterable[Node], vectors: Vectors) -> None:
        """Enter saved nodes, in order of creation."""
        for node, vector in zip(nodes, vectors, strict=True):
            self._enter(node, vector)

    def _enter(self, node: Node, vector: Vectors) -> None:
        kind = key(node.kind)
        index = self._by_kind.get(kind)
        if index is None:
            index = self._by_kind[kind] = VectorIndex(self._dimension, exact_up_to=self._exact_up_to)
        index.put(node.number, vector)
        self._nodes.append(node)
        for name in node.names:
            self._by_name.setdefault((kind, key(name)), node.number)
        self._graph.put_node(node)


def key(name: str) -> str:
    """Return what two spellings of one name have in common: case, width and white space do not matter."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
