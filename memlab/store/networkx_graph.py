"""A graph in memory, by networkx: fast, and gone with the process, which makes it again from the records."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memlab.memory import Node
from memlab.store.property_graph import Edge, PropertyGraph


class NetworkxGraph(PropertyGraph):
    """Two multigraphs over the same nodes: valid edges, under their memory's number, and ended ones.

    A walk along valid edges so never meets an ended one.
    """

    def __init__(self) -> None:
        import networkx

        self._valid = networkx.MultiDiGraph()
        self._ended = networkx.MultiDiGraph()
        self._places: dict[int, tuple[int, int]] = {}
        """Source and target of each valid edge."""

    async def open(self, name: str) -> None:
        """Begin with an empty graph."""
        self._valid.clear()
        self._ended.clear()
        self._places.clear()

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    def put_node(self, node: Node) -> None:
        """Insert a node, or replace the one with this number."""
        for graph in (self._valid, self._ended):
            graph.add_node(node.number, node=node)

    def put_edge(self, edge: Edge) -> None:
        """Insert an edge between two nodes that are there."""
        if edge.until is None:
            self._places[edge.memory] = edge.source, edge.target
            self._valid.add_edge(edge.source, edge.target, edge.memory, edge=edge)
        else:
            self._ended.add_edge(edge.source, edge.target, (edge.memory, edge.version), edge=edge)

    def end_edge(self, memory: int, version: int, at: datetime) -> None:
        """Mark an edge as no longer valid as of a time."""
        source, target = self._places.pop(memory)
        edge: Edge = self._valid.edges[source, target, memory]["edge"]
        self._valid.remove_edge(source, target, memory)
        self.put_edge(replace(edge, until=at))

    async def around(self, nodes: Sequence[int], hops: int, *, past: bool) -> list[int]:
        """Return the numbers, ascending, of the memories with a valid edge within so many hops of any of the nodes."""
        found: set[int] = set()
        frontier = set(nodes)
        seen = set(frontier)
        for _ in range(hops):
            reached: set[int] = set()
            for neighbours in neighbourhoods(self._valid, frontier):
                reached.update(neighbours)
                found.update(memory for edges in neighbours.values() for memory in edges)
            for neighbours in neighbourhoods(self._ended, frontier) if past else ():
                reached.update(neighbours)
                found.update(memory for edges in neighbours.values() for memory, _version in edges)
            frontier = reached - seen
            seen |= frontier
        return sorted(found)

    async def leaving(self, node: int) -> list[int]:
        """Return the numbers, ascending, of the memories with a valid edge out of a node."""
        return sorted(memory for _, _, memory in self._valid.out_edges(node, keys=True))

    async def as_of(self, time: datetime) -> list[tuple[int, int]]:
        """Return (memory, version) of the edges that were valid at a time, ascending."""
        edges = [edge for graph in (self._valid, self._ended) for _, _, edge in graph.edges(data="edge")]
        return sorted((edge.memory, edge.version) for edge in edges if edge.valid_at(time))

    async def history(self, node: int, relation: str) -> list[tuple[int, int]]:
        """Return (memory, version) of all edges with this relation out of a node, ended ones too, ascending."""
        edges = [edge for graph in (self._valid, self._ended) for _, _, edge in graph.out_edges(node, data="edge")]
        return sorted((edge.memory, edge.version) for edge in edges if edge.triple.relation == relation)


def neighbourhoods(graph: Any, nodes: Iterable[int]) -> Iterator[dict[int, dict[Any, Any]]]:
    """Yield, for each node and direction, the edges by key for each neighbour that way."""
    # The views that networkx puts around these dicts take several times as long as all else.
    for side in (graph._succ, graph._pred):
        for node in nodes:
            if (neighbours := side.get(node)) is not None:
                yield neighbours
