"""A property graph as a list of edges: slow, and plain enough to be believed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memlab.memory import Node
from memlab.store.property_graph import Edge, PropertyGraph


class NaiveGraph(PropertyGraph):
    """What every read of a property graph should return, by going through all edges."""

    def __init__(self) -> None:
        self.nodes: dict[int, Node] = {}
        self.edges: list[Edge] = []

    async def open(self, name: str) -> None:
        """Begin with nothing."""
        self.nodes, self.edges = {}, []

    async def close(self) -> None:
        """Do nothing."""

    def put_node(self, node: Node) -> None:
        """Keep a node."""
        self.nodes[node.number] = node

    def put_edge(self, edge: Edge) -> None:
        """Append an edge."""
        assert {edge.source, edge.target} <= set(self.nodes), "an edge without its nodes"
        self.edges.append(edge)

    def end_edge(self, memory: int, version: int, at: datetime) -> None:
        """Replace an edge by itself, ended."""
        self.edges = [
            replace(edge, until=at) if (edge.memory, edge.version) == (memory, version) else edge for edge in self.edges
        ]

    async def around(self, nodes: Sequence[int], hops: int, *, past: bool) -> list[int]:
        """Go out from the nodes, hop by hop."""
        reached, found = set(nodes), set()
        for _ in range(hops):
            touching = [
                edge
                for edge in self.edges
                if (past or edge.until is None) and (edge.source in reached or edge.target in reached)
            ]
            found |= {edge.memory for edge in touching}
            reached |= {node for edge in touching for node in (edge.source, edge.target)}
        return sorted(found)

    async def leaving(self, node: int) -> list[int]:
        """Look at each edge."""
        return sorted({edge.memory for edge in self.edges if edge.source == node and edge.until is None})

    async def as_of(self, time: datetime) -> list[tuple[int, int]]:
        """Look at each edge."""
        return sorted((edge.memory, edge.version) for edge in self.edges if edge.valid_at(time))

    async def history(self, node: int, relation: str) -> list[tuple[int, int]]:
        """Look at each edge."""
        edges = [edge for edge in self.edges if edge.source == node and edge.triple.relation == relation]
        return sorted((edge.memory, edge.version) for edge in edges)
