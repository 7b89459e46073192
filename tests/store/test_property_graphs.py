"""The contract of property graphs, and any sequence of writes, over networkx, over Bolt, and over the naive one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlab.memory import Entity, Node, Triple
from memlab.store.networkx_graph import NetworkxGraph
from memlab.store.property_graph import Edge, PropertyGraph
from memlab.testing.graphs import ODD_NAMES, NewGraph, check_property_graph
from memlab.testing.naive_graph import NaiveGraph
from memlab.testing.samples import START
from tests.store.bolt import SERVERS, WORKER, Bolt

NAME = f"memlab-check-any{WORKER}"
RELATIONS = ("likes", "lives_in", *ODD_NAMES[:-1])
TIMES = st.datetimes(datetime(2023, 1, 1), datetime(2023, 1, 3)) | st.datetimes() | st.just(START)
IN_A_GROUP = pytest.mark.xdist_group("bolt")
GRAPHS = [pytest.param("networkx"), *(pytest.param(server, marks=IN_A_GROUP) for server in SERVERS)]


@pytest.fixture(params=GRAPHS)
def new_graph(request: pytest.FixtureRequest) -> NewGraph:
    if request.param == "networkx":
        pytest.importorskip("networkx", reason="needs the package networkx")
        return NetworkxGraph
    bolt: Bolt = request.getfixturevalue(request.param)
    return lambda: bolt.graph(batch=7)


@dataclass(frozen=True)
class End:
    """The end of a memory's valid edge."""

    memory: int
    at: datetime


@dataclass(frozen=True)
class Read:
    """What to read after the writes so far."""

    nodes: tuple[int, ...]
    hops: int
    relation: str
    time: datetime


Step = Node | Edge | End | Read


@st.composite
def steps(draw: st.DrawFn) -> list[Step]:
    """Draw nodes, edges and ends in an order that a store could make, with reads between."""
    done: list[Step] = [Node(0, ("Ada",), "Person", START)]
    nodes, memories = 1, 0
    versions: dict[int, int] = {}
    valid: set[int] = set()
    for kind in draw(st.lists(st.sampled_from(("node", "rename", "edge", "edge", "edge", "again", "end", "read")))):
        number = draw(st.integers(0, nodes - 1))
        name = draw(st.sampled_from(RELATIONS))
        time = draw(TIMES)
        if kind == "node":
            done.append(Node(nodes, (name,), "Object", time))
            nodes += 1
        elif kind == "rename":
            done.append(Node(number, ("Ada", name), "Person", time))
        elif kind == "edge" or (kind == "again" and memories > len(valid)):
            memory = memories if kind == "edge" else draw(st.sampled_from(sorted(set(range(memories)) - valid)))
            versions[memory] = versions.get(memory, -1) + 1
            triple = Triple(Entity("Ada", "Person"), name, Entity(name, name), draw(st.sampled_from(("", "2023"))))
            target = draw(st.integers(0, nodes - 1))
            done.append(Edge(memory, versions[memory], number, target, triple, time))
            memories = max(memories, memory + 1)
            valid.add(memory)
        elif kind == "end" and valid:
            memory = draw(st.sampled_from(sorted(valid)))
            valid.remove(memory)
            done.append(End(memory, time))
        else:
            done.append(draw(reads(nodes)))
    return [*done, draw(reads(nodes)), draw(reads(nodes))]


def reads(nodes: int) -> st.SearchStrategy[Read]:
    some = st.lists(st.integers(0, nodes - 1), max_size=3).map(tuple)
    return st.builds(Read, some, st.integers(0, 3), st.sampled_from(RELATIONS), TIMES)


async def carried_out(graph: PropertyGraph, plan: Sequence[Step]) -> list[object]:
    """Do every step; return all that was read."""
    found: list[object] = []
    versions: dict[int, int] = {}
    for step in plan:
        match step:
            case Node():
                graph.put_node(step)
            case Edge():
                versions[step.memory] = step.version
                graph.put_edge(step)
            case End():
                graph.end_edge(step.memory, versions[step.memory], step.at)
            case Read():
                found += [await graph.around(step.nodes, step.hops, past=past) for past in (False, True)]
                found += [await graph.leaving(node) for node in step.nodes]
                found += [await graph.history(node, step.relation) for node in step.nodes]
                found.append(await graph.as_of(step.time))
    return found


async def test_it_keeps_the_contract_of_property_graphs(new_graph: NewGraph) -> None:
    await check_property_graph(new_graph, NAME)


async def test_the_naive_graph_keeps_the_contract_too() -> None:
    await check_property_graph(NaiveGraph)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(plan=steps())
async def test_any_writes_are_read_as_from_a_list_of_edges(new_graph: NewGraph, plan: list[Step]) -> None:
    graph, naive = new_graph(), NaiveGraph()
    await graph.open(NAME)
    try:
        assert await carried_out(graph, plan) == await carried_out(naive, plan)
        await graph.open(NAME)
    finally:
        await graph.close()


class OneWay(NaiveGraph):
    async def around(self, nodes: Sequence[int], hops: int, *, past: bool) -> list[int]:
        found = set()
        reached = set(nodes)
        for _ in range(hops):
            edges = [edge for edge in self.edges if edge.source in reached and (past or edge.until is None)]
            found |= {edge.memory for edge in edges}
            reached |= {edge.target for edge in edges}
        return sorted(found)


class OneHopMore(NaiveGraph):
    async def around(self, nodes: Sequence[int], hops: int, *, past: bool) -> list[int]:
        return await super().around(nodes, hops + 1, past=past)


class NoPast(NaiveGraph):
    async def around(self, nodes: Sequence[int], hops: int, *, past: bool) -> list[int]:
        return await super().around(nodes, hops, past=False)


class EndsAMomentLate(NaiveGraph):
    async def as_of(self, time: datetime) -> list[tuple[int, int]]:
        edges = [e for e in self.edges if e.since <= time and (e.until is None or time <= e.until)]
        return sorted((edge.memory, edge.version) for edge in edges)


class WholeSeconds(NaiveGraph):
    def put_edge(self, edge: Edge) -> None:
        super().put_edge(replace(edge, since=edge.since.replace(microsecond=0)))

    def end_edge(self, memory: int, version: int, at: datetime) -> None:
        super().end_edge(memory, version, at.replace(microsecond=0))


class EndsAllVersions(NaiveGraph):
    def end_edge(self, memory: int, version: int, at: datetime) -> None:
        for earlier in range(version + 1):
            super().end_edge(memory, earlier, at)


class Forgets(NaiveGraph):
    def end_edge(self, memory: int, version: int, at: datetime) -> None:
        self.edges = [edge for edge in self.edges if (edge.memory, edge.version) != (memory, version)]


class Strips(NaiveGraph):
    async def history(self, node: int, relation: str) -> list[tuple[int, int]]:
        edges = [e for e in self.edges if e.source == node and e.triple.relation.strip() == relation.strip()]
        return sorted((edge.memory, edge.version) for edge in edges)


class Lagging(NaiveGraph):
    async def leaving(self, node: int) -> list[int]:
        return (await super().leaving(node))[:-1]


class NotEmptied(NaiveGraph):
    async def open(self, name: str) -> None: ...


class Shared(NaiveGraph):
    everything: list[Edge] = []  # noqa: RUF012

    async def open(self, name: str) -> None:
        await super().open(name)
        self.everything.clear()
        self.edges = self.everything


@pytest.mark.parametrize(
    "broken",
    [
        *(OneWay, OneHopMore, NoPast, EndsAMomentLate, WholeSeconds, EndsAllVersions),
        *(Forgets, Strips, Lagging, NotEmptied, Shared),
    ],
)
async def test_the_contract_refuses_a_broken_graph(broken: NewGraph) -> None:
    with pytest.raises(AssertionError):
        await check_property_graph(broken)
