"""What every property graph must keep; each check takes a function that makes a new one, and raises AssertionError."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from memlab.memory import Entity, Node, Triple
from memlab.store.property_graph import Edge, PropertyGraph
from memlab.testing.naive_graph import NaiveGraph
from memlab.testing.samples import START

NewGraph = Callable[[], PropertyGraph]

ODD_NAMES = (
    *("hyphen-and.dot", "'single' \"double\" `back`", "back\\slash \\u0041 \\n", "two\nlines\r\n\tand a tab", " ", ""),
    *(
        "🙂 👩‍👩‍👧",
        "東京 القاهرة Ærøskøbing",
        "e\u0301 \u00e9",
        "\u202eright to left",
        "nul\0inside",
        "\ufdd0d800 \uffff",
    ),
    *("lone \ud800 half", "$space", "{name: 'x'}) DETACH DELETE n //", "null", "ten kB " * 1500),
)
"""Names that quoting, escaping, or a query made of pieces would change."""

NAME = "memlab-check"


async def check_property_graph(new_graph: NewGraph, name: str = NAME) -> None:
    """Run every check of this module; on a server, what lies under names that begin with this one is removed."""
    checks: tuple[Callable[[NewGraph, str], Awaitable[None]], ...] = (
        check_a_read_sees_all_writes_before_it,
        check_around_goes_both_ways_and_so_many_hops,
        check_ended_edges_are_met_only_when_the_past_is_asked_for,
        check_as_of_is_a_replay_up_to_that_time,
        check_history_keeps_every_version,
        check_graphs_of_two_names_are_apart,
        check_opening_empties,
        check_odd_names_stay_what_they_are,
    )
    for check in checks:
        await check(new_graph, name)


async def check_a_read_sees_all_writes_before_it(new_graph: NewGraph, name: str = NAME) -> None:
    """A new edge is found at once, by both of its nodes; an empty graph finds nothing."""
    async with opened(new_graph, name) as graph:
        put_nodes(graph, 4)
        assert await graph.around([0, 1, 2], 2, past=True) == [], "an empty graph has edges"
        assert await graph.around([], 1, past=True) == []
        assert await graph.around([99], 1, past=True) == [], "a node that is not there has edges"
        for number in range(3):
            graph.put_edge(edge(number, 0, number + 1))
            assert await graph.leaving(0) == list(range(number + 1)), "a read missed the edge just put"
            assert await graph.around([number + 1], 1, past=False) == [number]
        graph.put_node(Node(0, ("Ada", "Ada Byron"), "Person", START))
        assert await graph.leaving(0) == [0, 1, 2], "a node that gained a name lost edges"


async def check_around_goes_both_ways_and_so_many_hops(new_graph: NewGraph, name: str = NAME) -> None:
    """Hops are counted in edges of either direction; each memory comes once, over cycles, loops and parallel edges."""
    async with opened(new_graph, name) as graph:
        put_nodes(graph, 7)
        path = [edge(0, 0, 1), edge(1, 2, 1), edge(2, 2, 3), edge(3, 3, 0)]  # a cycle 0 > 1 < 2 > 3 > 0
        for put in (*path, edge(4, 4, 4), edge(5, 4, 5), edge(6, 4, 5), edge(7, 5, 4)):
            graph.put_edge(put)
        assert await graph.around([0], 0, past=False) == [], "no hops reach no edge"
        assert await graph.around([0], 1, past=False) == [0, 3], "one hop is the edges that touch a node"
        assert await graph.around([1], 1, past=False) == [0, 1]
        assert await graph.around([0], 2, past=False) == [0, 1, 2, 3]
        assert await graph.around([0], 9, past=False) == [0, 1, 2, 3], "a walk left its component"
        assert await graph.around([4], 1, past=False) == [4, 5, 6, 7], "a loop or a parallel edge is missing"
        assert await graph.around([5], 1, past=False) == [5, 6, 7], "a loop of a neighbour is two hops away"
        assert await graph.around([5], 2, past=False) == [4, 5, 6, 7]
        assert await graph.around([5, 1, 5], 1, past=False) == [0, 1, 5, 6, 7], "not all nodes, or a memory twice"
        assert await graph.around([6], 2, past=True) == [], "a lonely node has edges"
        assert await graph.leaving(4) == [4, 5, 6], "leaving counts what comes in, or misses a loop"
        assert await graph.leaving(6) == []


async def check_ended_edges_are_met_only_when_the_past_is_asked_for(new_graph: NewGraph, name: str = NAME) -> None:
    """An ended edge neither counts nor leads on, unless the past is asked for; then it does both."""
    async with opened(new_graph, name) as graph:
        put_nodes(graph, 4)
        for put in (edge(0, 0, 1), edge(1, 1, 2), edge(2, 2, 3), edge(3, 0, 1, until=day(1))):
            graph.put_edge(put)
        graph.end_edge(1, 0, day(1))
        assert await graph.around([0], 9, past=False) == [0], "an ended edge counts or leads on"
        assert await graph.around([0], 1, past=True) == [0, 3]
        assert await graph.around([0], 2, past=True) == [0, 1, 3]
        assert await graph.around([0], 3, past=True) == [0, 1, 2, 3]
        assert await graph.leaving(1) == [], "an ended edge still leaves"
        assert await graph.leaving(0) == [0]
        assert await graph.history(1, "knows") == [(1, 0)], "an ended edge is gone"


async def check_as_of_is_a_replay_up_to_that_time(new_graph: NewGraph, name: str = NAME) -> None:
    """At every time before, at, between and after the writes, the edges are those of a naive replay up to it."""
    moment = timedelta(microseconds=1)
    edges = [edge(number, number % 3, (number + 1) % 3, since=day(number)) for number in range(5)]
    ends = {0: day(2), 1: day(2), 2: day(2), 4: day(4) + moment}
    naive = NaiveGraph()
    async with opened(new_graph, name) as graph:
        for one in (graph, naive):
            put_nodes(one, 3)
            for put in edges:
                one.put_edge(put)
            for memory, at in ends.items():
                one.end_edge(memory, 0, at)
        times = [day(number) + part for number in range(-1, 7) for part in (-moment, timedelta(), moment)]
        for time in (datetime.min, *times, datetime.max):
            assert await graph.as_of(time) == await naive.as_of(time), f"not a replay up to {time}"
        assert await graph.as_of(day(2)) == [], "an edge was valid at its own end, or one of no length at all"


async def check_history_keeps_every_version(new_graph: NewGraph, name: str = NAME) -> None:
    """A memory that moved to other nodes is found from each of them, version by version; only the last is valid."""
    async with opened(new_graph, name) as graph:
        put_nodes(graph, 3)
        graph.put_edge(edge(0, 0, 1))
        graph.put_edge(edge(1, 0, 1, relation="likes"))
        for version, (source, target) in enumerate(((0, 2), (2, 2)), start=1):
            graph.end_edge(0, version - 1, day(version))
            graph.put_edge(edge(0, source, target, since=day(version), version=version))
        assert await graph.history(0, "knows") == [(0, 0), (0, 1)]
        assert await graph.history(2, "knows") == [(0, 2)]
        assert await graph.history(1, "knows") == [], "history counts what comes in"
        assert await graph.history(0, "likes") == [(1, 0)]
        assert await graph.history(0, "KNOWS") == [], "labels were folded"
        assert await graph.as_of(day(1)) == [(0, 1), (1, 0)]
        assert await graph.as_of(day(3)) == [(0, 2), (1, 0)]
        assert (await graph.leaving(0), await graph.leaving(2)) == ([1], [0])
        assert await graph.around([1], 1, past=True) == [0, 1]


async def check_graphs_of_two_names_are_apart(new_graph: NewGraph, name: str = NAME) -> None:
    """What is written to one graph, another neither shows nor ends, though nodes and memories have the same numbers."""
    async with opened(new_graph, name) as graph, opened(new_graph, f"{name}-other") as other:
        for one in (graph, other):
            put_nodes(one, 3)
        graph.put_edge(edge(0, 0, 1))
        other.put_edge(edge(0, 0, 1))
        other.put_edge(edge(1, 1, 2))
        assert await graph.around([0], 3, past=True) == [0], "an edge leaked"
        assert await graph.as_of(day(9)) == [(0, 0)]
        other.end_edge(0, 0, day(1))
        assert await other.leaving(0) == []
        assert await graph.leaving(0) == [0], "an end leaked"


async def check_opening_empties(new_graph: NewGraph, name: str = NAME) -> None:
    """Under a name that was used before, by this object or another, a graph begins with nothing; others stay."""
    async with opened(new_graph, name) as graph, opened(new_graph, f"{name}-other") as other:
        for one in (graph, other):
            put_nodes(one, 3)
            for number in range(3):
                one.put_edge(edge(number, number, (number + 1) % 3))
        await graph.close()
        for again in (new_graph(), graph):
            await again.open(name)
            assert await again.as_of(day(9)) == [], "edges of an earlier run are left"
            put_nodes(again, 3)
            again.put_edge(edge(7, 0, 0))
            assert await again.around([0], 9, past=True) == [7], "edges of an earlier run are left"
            await again.close()
        assert await other.leaving(1) == [1], "opening one graph emptied another"


async def check_odd_names_stay_what_they_are(new_graph: NewGraph, name: str = NAME) -> None:
    """Any text is a legal name, kind and relation, and differs from every other text; so it is for a graph's name."""
    async with opened(new_graph, name) as graph:
        put_odd_edges(graph)
        for number, odd in enumerate(ODD_NAMES):
            assert await graph.history(number, odd) == [(number, 0)], f"not the relation it was: {odd[:40]!r}"
            assert await graph.history(number, f"{odd} ") == [], f"a longer relation is taken for {odd[:40]!r}"
        for odd in ODD_NAMES[:-1]:
            async with opened(new_graph, f"{name} {odd}") as other:
                put_nodes(other, 1)
                other.put_edge(edge(0, 0, 0))
                assert await other.leaving(0) == [0], f"not the name it was: {odd!r}"
        assert len(await graph.as_of(day(1))) == len(ODD_NAMES), "a graph with an odd name emptied another"


def put_odd_edges(graph: PropertyGraph) -> None:
    """Put a node and a loop, both called so, for every odd name."""
    for number, odd in enumerate(ODD_NAMES):
        entity = Entity(odd, odd)
        graph.put_node(Node(number, (odd, f"{odd}!"), odd, START))
        graph.put_edge(Edge(number, 0, number, number, Triple(entity, odd, entity, odd), START))


@asynccontextmanager
async def opened(new_graph: NewGraph, name: str) -> AsyncIterator[PropertyGraph]:
    """Yield a new graph that is open; leave nothing under its name."""
    graph = new_graph()
    await graph.open(name)
    try:
        yield graph
        await graph.open(name)
    finally:
        await graph.close()


def put_nodes(graph: PropertyGraph, count: int) -> None:
    """Put so many nodes."""
    for number in range(count):
        graph.put_node(Node(number, (f"node {number}",), "Object", START))


def edge(
    memory: int,
    source: int,
    target: int,
    *,
    version: int = 0,
    relation: str = "knows",
    since: datetime = START,
    until: datetime | None = None,
) -> Edge:
    """Return an edge between two of the nodes."""
    triple = Triple(Entity(f"node {source}", "Object"), relation, Entity(f"node {target}", "Object"))
    return Edge(memory, version, source, target, triple, since, until)


def day(number: int) -> datetime:
    """Return a time so many days after the start."""
    return START + timedelta(days=number)
