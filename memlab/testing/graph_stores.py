"""What every graph store must keep besides what every store does; each check raises AssertionError."""

import tempfile
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from memlab.memory import Add, Candidate, Delete, Entity, Memory, Triple, Update
from memlab.store.store import GraphStore
from memlab.testing.samples import START

NewGraphStore = Callable[[], GraphStore]

ADA, BEN, OSLO, ROME = (
    Entity("Ada", "Person"),
    Entity("Ben", "Person"),
    Entity("Oslo", "Location"),
    Entity("Rome", "Location"),
)
WEEK = timedelta(days=7)
ODD_NAMES = (
    "co-op.v2", "it's \"quoted\"", "two\nlines", "🙂", "奥斯陆", "أوسلو", "a" * 10_000, "`x`) DETACH DELETE n //",
    "{}$1",
)  # fmt: skip


async def check_graph_store(new_store: NewGraphStore) -> None:
    """Run every check of this module."""
    await check_one_name_is_one_node(new_store)
    await check_edges_run_both_ways(new_store)
    await check_an_ended_edge_keeps_its_interval(new_store)
    await check_rivals_come_first(new_store)
    await check_odd_names_come_back_equal(new_store)
    await check_a_saved_graph_is_the_same_graph(new_store)


def said(subject: Entity, relation: str, object: Entity, *, source: str = "D1:1", at: datetime = START) -> Candidate:
    """Return a triple as an extractor would propose it."""
    return Candidate(Triple(subject, relation, object), subject.name, (source,), at)


async def graph_of(new_store: NewGraphStore, candidates: Sequence[Candidate], name: str = "graph") -> GraphStore:
    """Return a new store with these triples added."""
    store = new_store()
    await store.open(f"contract/{name}")
    for candidate in candidates:
        await store.apply(Add(candidate))
    return store


async def check_one_name_is_one_node(new_store: NewGraphStore) -> None:
    """Spellings of one name are one node that keeps them all; the same name of another type is another node."""
    town = Entity("OSLO ", "Location")
    store = await graph_of(
        new_store, [said(ADA, "lives_in", OSLO), said(BEN, "likes", town), said(BEN, "owns", Entity("Oslo", "Object"))]
    )
    named = [(node.number, node.names, node.kind) for node in store.nodes()]
    assert named == [
        (0, ("Ada",), "Person"),
        (1, ("Oslo", "OSLO "), "Location"),
        (2, ("Ben",), "Person"),
        (3, ("Oslo",), "Object"),
    ], f"nodes are {named}"
    assert all(node.created_at == START for node in store.nodes())
    assert [node.number for node in store.ends(store.memories()[1])] == [2, 1]
    assert store.memories()[1].content == said(BEN, "likes", town).content, "a name was not kept as it was said"
    [ada, oslo] = await store.entities(["ada", "oslo"], 2)
    assert ada[0][0].name == "Ada"
    assert [score for _, score in oslo] == [1.0, 1.0], "a node is not found by its own name"
    [[*every]] = await store.entities(["Ada"], 99)
    assert every == sorted(every, key=lambda one: -one[1]), "not closest first"
    assert await store.entities([], 3) == []


async def check_edges_run_both_ways(new_store: NewGraphStore) -> None:
    """One hop reaches edges in and out; two hops those of the neighbours; a search of some edges finds no others."""
    clara = Entity("Clara", "Person")
    store = await graph_of(
        new_store, [said(ADA, "lives_in", OSLO), said(BEN, "visits", OSLO), said(BEN, "knows", clara)]
    )
    ada = store.nodes()[0]
    assert ids(await store.edges([ada], 0)) == []
    assert ids(await store.edges([ada], 1)) == ["m0"]
    assert ids(await store.edges([ada], 2)) == ["m0", "m1"]
    assert ids(await store.edges([store.nodes()[1]], 1)) == ["m0", "m1"], "an incoming edge was missed"
    some = await store.edges([ada], 2)
    assert ids(hit.memory for hit in await store.nearest_edges("Ben knows Clara", 9, among=some)) != ids(some[:1])
    assert {hit.memory.id for hit in await store.nearest_edges("Ben knows Clara", 9, among=some)} == {"m0", "m1"}
    assert (await store.nearest_edges("Ben knows Clara", 1))[0].memory.id == "m2"


async def check_an_ended_edge_keeps_its_interval(new_store: NewGraphStore) -> None:
    """An edge that ended, by DELETE or by UPDATE, is met only when asked for, and in the times when it was valid."""
    store = await graph_of(new_store, [said(ADA, "lives_in", OSLO)])
    await store.apply(Delete("m0", START + WEEK))
    await store.apply(Add(said(ADA, "lives_in", ROME, source="D2:1", at=START + WEEK)))
    await store.apply(Update("m1", said(ADA, "lives_in", BEN, source="D3:1", at=START + 2 * WEEK)))
    ada = store.nodes()[0]
    assert ids(await store.edges([ada], 1)) == ["m1"]
    assert ids(await store.edges([ada], 1, past=True)) == ["m0", "m1"]
    assert {hit.memory.id for hit in await store.nearest_edges("Ada lives in Oslo", 9)} == {"m1"}
    assert (await store.nearest_edges("Ada lives in Oslo", 9, past=True))[0].memory.id == "m0"
    then = [(await store.as_of(START + days * timedelta(days=1))) for days in (-1, 0, 6, 7, 13, 14, 99)]
    objects = [[triple(memory).object for memory in memories] for memories in then]
    assert objects == [[], [OSLO], [OSLO], [ROME], [ROME], [BEN], [BEN]], f"as_of gave {objects}"
    history = [(triple(m).object, m.valid_from, m.retired_at) for m in await store.history(ADA, "lives_in")]
    assert history == [
        (OSLO, START, START + WEEK),
        (ROME, START + WEEK, START + 2 * WEEK),
        (BEN, START + 2 * WEEK, None),
    ], f"history gave {history}"
    assert await store.history(ADA, "owns") == []
    assert await store.history(Entity("nobody there", "Person"), "lives_in") == []


async def check_rivals_come_first(new_store: NewGraphStore) -> None:
    """What an updater is shown of a triple are edges out of its source, those that can conflict with it first."""
    store = await graph_of(
        new_store,
        [said(ADA, "moves_to_see", ROME), said(ADA, "lives_in", OSLO), said(BEN, "lives_in", ROME)],
    )
    related = await store.related(Triple(ADA, "lives_in", ROME), 9)
    assert ids(hit.memory for hit in related) == ["m1", "m0"], "not the edges of the source, rivals first"
    assert await store.related(Triple(Entity("Clara", "Person"), "lives_in", ROME), 9) == []


async def check_odd_names_come_back_equal(new_store: NewGraphStore) -> None:
    """Any text is a legal name of a node and of a relation, and each is a node of its own."""
    candidates = [
        said(Entity(name, "Concept"), name, Entity(f"{name} too", name[:50]), source=f"D1:{place}")
        for place, name in enumerate(ODD_NAMES)
    ]
    store = await graph_of(new_store, candidates)
    assert [memory.content for memory in store.memories()] == [one.content for one in candidates]
    assert [node.name for node in store.nodes()][::2] == list(ODD_NAMES)
    for place, one in enumerate(candidates):
        node = store.nodes()[2 * place]
        assert [memory.content for memory in await store.edges([node], 1)] == [one.content], f"lost {node.name[:50]!r}"
    for name in ODD_NAMES:
        assert len(await store.history(Entity(name, "Concept"), name)) == 1, f"no history of {name[:50]!r}"


async def check_a_saved_graph_is_the_same_graph(new_store: NewGraphStore) -> None:
    """Save and load is the identity: for nodes, edges, times and rankings of past edges."""
    store = await graph_of(new_store, [said(ADA, "lives_in", OSLO), said(BEN, "likes", Entity("oslo", "Location"))])
    await store.apply(Update("m1", said(BEN, "likes", ROME, source="D2:1", at=START + WEEK)))
    await store.apply(Delete("m0", START + WEEK))
    loaded = new_store()
    await loaded.open("contract/loaded")
    with tempfile.TemporaryDirectory() as folder:
        store.save(Path(folder))
        loaded.load(Path(folder))
    for one in (store, loaded):
        await one.apply(Add(said(ADA, "lives_in", ROME, source="D3:1", at=START + 2 * WEEK)))
    assert loaded.nodes() == store.nodes()
    assert loaded.memories(retired=True) == store.memories(retired=True)
    for time in (START, START + WEEK, START + 2 * WEEK):
        assert await loaded.as_of(time) == await store.as_of(time), f"as of {time} differs"
    for past in (False, True):
        assert await loaded.nearest_edges("who lives where", 9, past=past) == await store.nearest_edges(
            "who lives where", 9, past=past
        )
        assert await loaded.edges(loaded.nodes(), 2, past=past) == await store.edges(store.nodes(), 2, past=past)


def ids(memories: Iterable[Memory]) -> list[str]:
    """Return the ids of memories."""
    return [memory.id for memory in memories]


def triple(memory: Memory) -> Triple:
    """Return a memory's triple."""
    assert isinstance(memory.content, Triple)
    return memory.content
