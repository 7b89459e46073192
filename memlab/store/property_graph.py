"""Where the nodes and edges of a graph store lie: the topology, without texts' vectors and without decisions."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memlab.memory import Node, Triple
from memlab.part import Part


@dataclass(frozen=True, slots=True)
class Edge:
    """One version of a memory's triple between two nodes, valid from `since` until `until` (None: still).

    `memory` is the number of the memory in its store, `version` counts its contents from 0. An edge is never removed:
    it ends when its memory is retired, or updated to another triple, which is the next version.
    """

    memory: int
    version: int
    source: int
    target: int
    triple: Triple
    since: datetime
    until: datetime | None = None

    def valid_at(self, time: datetime) -> bool:
        """Return whether it was valid at a time: an edge that ended then no longer was."""
        return self.since <= time and (self.until is None or time < self.until)


class PropertyGraph(Part):
    """A directed labelled multigraph G = (V, E, L) with times (arXiv 2504.19413 section 2.2).

    One instance per store. Writing never fails and never waits: an implementation behind a wire queues what is written
    and sends it in batches, at the latest before the next read, so that every read sees all writes before it. A read
    that cannot be had raises PartFailed.
    """

    @abstractmethod
    async def open(self, name: str) -> None:
        """Begin with an empty graph under this name; what an earlier run left under it is removed."""

    @abstractmethod
    async def close(self) -> None:
        """Send what is queued, and let go of connections; the graph stays where it is kept."""

    @abstractmethod
    def put_node(self, node: Node) -> None:
        """Insert a node, or replace the one with this number, which then has more names."""

    @abstractmethod
    def put_edge(self, edge: Edge) -> None:
        """Insert an edge between two nodes that are there."""

    @abstractmethod
    def end_edge(self, memory: int, version: int, at: datetime) -> None:
        """Mark an edge as no longer valid as of a time."""

    @abstractmethod
    async def around(self, nodes: Sequence[int], hops: int, *, past: bool) -> list[int]:
        """Return the numbers, ascending, of the memories with a valid edge within so many hops of any of the nodes.

        Incoming and outgoing edges both count: with one hop, those that touch a node. `past`: ended edges lead on and
        count, too.
        """

    @abstractmethod
    async def leaving(self, node: int) -> list[int]:
        """Return the numbers, ascending, of the memories with a valid edge out of a node."""

    @abstractmethod
    async def as_of(self, time: datetime) -> list[tuple[int, int]]:
        """Return (memory, version) of the edges that were valid at a time, ascending."""

    @abstractmethod
    async def history(self, node: int, relation: str) -> list[tuple[int, int]]:
        """Return (memory, version) of all edges with this relation out of a node, ended ones too, ascending."""
