"""Graph stores over networkx: the contract, and that any sequence of operations leaves all of it in step."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.embed.hashed import Hashed
from memlab.memory import Add, Candidate, Delete, Entity, Fact, Memory, Noop, Operation, Triple, Update
from memlab.store.graph import GraphMemory, HybridStore
from memlab.store.networkx_graph import NetworkxGraph
from memlab.store.store import GraphStore, UnknownMemoryError
from memlab.testing import check_graph_store, check_store
from memlab.testing.graph_stores import ADA, OSLO, ROME, said
from memlab.testing.samples import START, candidate

NewStore = Callable[[], GraphStore]
EMBEDDER = Hashed(64)
DAY = timedelta(days=1)


def graph(node_threshold: float = 0.9) -> GraphMemory:
    return GraphMemory(EMBEDDER, NetworkxGraph(), node_threshold=node_threshold, exact_up_to=None)


def hybrid() -> HybridStore:
    return HybridStore(EMBEDDER, NetworkxGraph(), node_threshold=0.9, exact_up_to=None)


@pytest.mark.parametrize("new_store", [graph, hybrid])
async def test_graph_stores_keep_the_contract(new_store: NewStore) -> None:
    await check_store(new_store)
    await check_graph_store(new_store)


ENTITIES = st.builds(
    Entity, st.sampled_from(["Ada", "ada", "Ben", "Oslo", "a-b.c", "🙂", "x\ny"]), st.sampled_from(["Person", "Object"])
)
TRIPLES = st.builds(Triple, ENTITIES, st.sampled_from(["likes", "lives_in", "owns"]), ENTITIES)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "update", "delete", "noop"]), TRIPLES, st.integers(0, 9), st.integers(0, 2)
    ),
    max_size=25,
)


def operations(steps: list[tuple[str, Triple, int, int]]) -> list[tuple[datetime, Operation]]:
    """Return operations in order of time, some on memories that are not live."""
    at, found = START, []
    for place, (verb, triple, number, days) in enumerate(steps):
        at += days * DAY
        new = Candidate(triple, "Ada", (f"D1:{place}",), at)
        operation: Operation = {
            "add": Add(new),
            "update": Update(f"m{number}", new),
            "delete": Delete(f"m{number}", at),
            "noop": Noop(f"m{number}", new.sources),
        }[verb]
        found.append((at, operation))
    return found


async def replayed(found: list[tuple[datetime, Operation]], new_store: NewStore = graph) -> GraphStore:
    store = new_store()
    await store.open("replay")
    for _, operation in found:
        try:
            await store.apply(operation)
        except UnknownMemoryError:
            continue
    return store


def as_told(memories: list[Memory]) -> list[tuple[str, Any, datetime]]:
    return [(memory.id, memory.content, memory.created_at) for memory in memories]


@settings(deadline=None, max_examples=60)
@given(STEPS, st.integers(-1, 50))
async def test_as_of_equals_a_replay_up_to_then(steps: list[tuple[str, Triple, int, int]], days: int) -> None:
    found = operations(steps)
    time = START + days * DAY
    store = await replayed(found)
    then = await replayed([(at, operation) for at, operation in found if at <= time])
    assert as_told(await store.as_of(time)) == as_told(then.memories())


@settings(deadline=None, max_examples=60)
@given(STEPS)
async def test_graph_vectors_and_records_stay_in_step(steps: list[tuple[str, Triple, int, int]]) -> None:
    store = await replayed(operations(steps), hybrid)
    live = store.memories()
    every = store.memories(retired=True)
    assert {hit.memory.id for hit in await store.nearest_edges("anything", 99)} == {memory.id for memory in live}
    assert {hit.memory.id for hit in await store.nearest_edges("anything", 99, past=True)} == {m.id for m in every}
    for memory in live:
        best = (await store.nearest(memory.text, 99))[0]
        assert best.score == pytest.approx(1, abs=1e-5)
        assert best.memory.text.casefold() == memory.text.casefold()
    edges = {memory.id for memory in await store.edges(store.nodes(), 1)}
    assert edges == {memory.id for memory in live}
    for memory in every:
        for node, entity in zip(store.ends(memory), (memory.content.subject, memory.content.object), strict=True):
            assert entity.name in node.names
            assert entity.kind == node.kind
            assert node.created_at <= memory.updated_at


@settings(deadline=None, max_examples=40)
@given(STEPS)
async def test_an_ended_edge_keeps_its_interval_whatever_follows(steps: list[tuple[str, Triple, int, int]]) -> None:
    found = operations(steps)
    store = await replayed(found)
    for memory in store.memories(retired=True):
        subject, relation = memory.content.subject, memory.content.relation
        own = [one for one in await store.history(subject, relation) if one.id == memory.id]
        assert own, "an edge is not in its source's history"
        assert own[-1].retired_at == memory.retired_at
        assert all(one.retired_at is not None for one in own[:-1])
        assert all(earlier.retired_at <= later.valid_from for earlier, later in pairwise(own))


class Near:
    """Vectors by hand: what is listed with the same number is close."""

    name = "near"
    dimension = 2

    def __init__(self, **angles: float) -> None:
        self._angles = angles

    async def embed(self, texts: list[str]) -> Any:
        import numpy as np

        angles = np.array([self._angles.get(text, 90.0) for text in texts])
        return np.stack([np.cos(np.radians(angles)), np.sin(np.radians(angles))], axis=1).astype(np.float32)


async def named(embedder: Any, *objects: Entity, threshold: float = 0.9) -> list[tuple[str, ...]]:
    store = GraphMemory(embedder, NetworkxGraph(), node_threshold=threshold, exact_up_to=None)
    await store.open("t")
    for one in objects:
        await store.apply(Add(said(ADA, "has", one)))
    return [node.names for node in store.nodes()[1:]]


async def test_near_names_of_one_type_are_one_node_that_keeps_both() -> None:
    near = Near(Ada=180.0, painting=0.0, paintings=20.0)
    one, two = Entity("painting", "Object"), Entity("paintings", "Object")
    assert await named(near, one, two) == [("painting", "paintings")]
    assert await named(near, one, two, threshold=0.95) == [("painting",), ("paintings",)]
    assert await named(near, one, replace(two, kind="Event")) == [("painting",), ("paintings",)]


async def test_a_chain_of_near_names_does_not_drift() -> None:
    near = Near(Ada=180.0, a=0.0, b=20.0, c=40.0)
    assert await named(near, *(Entity(name, "Object") for name in "abc")) == [("a", "b"), ("c",)]


async def test_different_numbers_are_never_near() -> None:
    near = Near(Ada=180.0, **{"5 May": 0.0, "6 May": 1.0})
    assert await named(near, Entity("5 May", "Date"), Entity("6 May", "Date")) == [("5 May",), ("6 May",)]


async def test_an_alias_is_matched_by_name_alone() -> None:
    near = Near(Ada=180.0, Melanie=0.0, Mel=20.0, **{"MEL": 90.0})
    names = [Entity(name, "Person") for name in ("Melanie", "Mel", "MEL")]
    assert (await named(near, *names)) == [("Melanie", "Mel", "MEL")]


async def test_a_graph_refuses_facts_and_says_what_holds_them() -> None:
    with pytest.raises(TypeError, match=r"holds Triples only.*store=hybrid"):
        await graph().apply(Add(candidate("Ada likes tea.")))


async def test_a_fact_cannot_become_a_triple() -> None:
    store = hybrid()
    await store.apply(Add(candidate("Ada lives in Oslo.")))
    with pytest.raises(TypeError, match="'m0' holds Fact"):
        await store.apply(Update("m0", said(ADA, "lives_in", OSLO)))
    assert store.memories()[0].content == Fact("Ada lives in Oslo.")


async def test_ids_count_facts_and_triples_together_and_searches_tell_them_apart() -> None:
    store = hybrid()
    await store.apply(Add(candidate("Ada lives in Oslo.")))
    await store.apply(Add(said(ADA, "lives_in", ROME)))
    assert [memory.id for memory in store.memories()] == ["m0", "m1"]
    assert [hit.memory.id for hit in await store.nearest("Ada lives in Rome", 9, of=Fact)] == ["m0"]
    assert [hit.memory.id for hit in await store.nearest("Ada lives in Rome", 9, of=Triple)] == ["m1"]
    assert len(await store.nearest("Ada lives in Rome", 9)) == 2


@pytest.mark.parametrize("threshold", [0, -1, 1.5])
def test_a_threshold_out_of_range_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="node_threshold="):
        graph(threshold)
