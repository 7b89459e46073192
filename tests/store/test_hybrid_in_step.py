"""Facts and triples in one store: whatever is done to it, its vectors, graph, records and saved form tell the same."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.embed.embedder import Embedder, Vectors
from memlab.embed.hashed import Hashed
from memlab.memory import Add, Candidate, Content, Delete, Entity, Fact, Memory, Noop, Operation, Triple, Update
from memlab.store.dense import DenseStore
from memlab.store.graph import GraphMemory, HybridStore
from memlab.store.networkx_graph import NetworkxGraph
from memlab.store.property_graph import PropertyGraph
from memlab.store.store import GraphStore, Store, UnknownMemoryError
from memlab.stored import graph_records
from memlab.testing.graph_stores import ADA, BEN, OSLO, ROME, said
from memlab.testing.naive_graph import NaiveGraph
from memlab.testing.samples import START, candidate, conversation
from memlab.testing.stores import snapshot

EMBEDDER = Hashed(32)
DAY = timedelta(days=1)
NAMES = ("Ada", "ADA", " ada ", "\uff21\uff24\uff21", "Oslo", "", " ", "\ud800", "two\nlines", "7 May", "8 May")
ENTITIES = st.builds(Entity, st.sampled_from(NAMES), st.sampled_from(("Person", "person ", "Date", "")))
CONTENTS: st.SearchStrategy[Content] = st.builds(
    Triple, ENTITIES, st.sampled_from(("likes", "lives_in", "")), ENTITIES, st.sampled_from(("", "May 2023"))
) | st.builds(Fact, st.sampled_from(("Ada likes tea.", "Ada", "", "\udfff")))
VERBS = ("add", "add", "add", "update", "update", "again", "delete", "noop")


@st.composite
def operations(draw: st.DrawFn) -> list[Operation]:
    """Draw operations, some on memories that are not there, at times that also go back."""
    found: list[Operation] = []
    told: list[Content] = [Fact("Ada likes tea.")]
    for place, verb in enumerate(draw(st.lists(st.sampled_from(VERBS), max_size=16))):
        told.append(draw(st.sampled_from(told) if verb == "again" else CONTENTS))
        at = START + draw(st.integers(0, 3)) * DAY
        new = Candidate(told[-1], "Ada", (f"D1:{place % 5}",), at)
        id_ = f"m{draw(st.integers(0, 8))}"
        match verb:
            case "add":
                found.append(Add(new))
            case "delete":
                found.append(Delete(id_, at))
            case "noop":
                found.append(Noop(id_, new.sources))
            case _:
                found.append(Update(id_, new))
    return found


def hybrid(graph: type[PropertyGraph] = NetworkxGraph, embedder: Embedder = EMBEDDER) -> HybridStore:
    return HybridStore(embedder, graph(), node_threshold=0.9, exact_up_to=None)


async def carry_out(store: Store, operation: Operation) -> Memory | None:
    """Apply an operation; one that names no live memory, or would change its type, is refused."""
    before = snapshot(store)
    try:
        return await store.apply(operation)
    except (UnknownMemoryError, TypeError):
        assert snapshot(store) == before, f"{operation} was refused and changed the store"
        return None


async def check_in_step(store: GraphStore) -> None:
    """Every live memory is found by its words, every triple has an edge for each thing it ever said, and no more."""
    live, every = store.memories(), store.memories(retired=True)
    triples = [memory for memory in every if isinstance(memory.content, Triple)]
    for kind in (Fact, Triple):
        hits = await store.nearest("anything", 99, of=kind)
        assert sorted(hit.memory.id for hit in hits) == sorted(m.id for m in live if isinstance(m.content, kind))
    assert all(hit.memory in live for hit in await store.nearest("Ada", 99))
    for memory in live:
        scores = {hit.memory.id: hit.score for hit in await store.nearest(memory.text, 99)}
        assert scores[memory.id] == pytest.approx(1, abs=1e-5), "found under other words than its own"
    edges = await store.nearest_edges("anything", 99, past=True)
    assert sorted(hit.memory.id for hit in edges) == sorted(memory.id for memory in triples)
    assert {m.id for m in await store.edges(store.nodes(), 1)} == {m.id for m in triples if m.retired_at is None}
    assert {m.id for m in await store.edges(store.nodes(), 1, past=True)} == {m.id for m in triples}
    for memory in triples:
        await check_versions(store, memory)


async def check_versions(store: GraphStore, memory: Memory) -> None:
    """The edges of a triple are what it said, one after the other, each until the next; the last until it retired."""
    contents = [*(revision.content for revision in memory.history), memory.content]
    versions = []
    for content in dict.fromkeys(contents):
        assert isinstance(content, Triple)
        known = await store.history(content.subject, content.relation)
        versions += [(len(one.history), one) for one in known if one.id == memory.id and one.content == content]
    ordered = [one for _, one in sorted(versions, key=lambda pair: pair[0])]
    assert [one.content for one in ordered] == contents
    assert ordered[0].valid_from == memory.created_at
    assert [one.retired_at for one in ordered[:-1]] == [one.valid_from for one in ordered[1:]]
    assert ordered[-1].retired_at == memory.retired_at
    source, target = store.ends(memory)
    assert isinstance(memory.content, Triple)
    assert memory.content.subject.name in source.names
    assert memory.content.object.name in target.names


async def told(store: GraphStore) -> list[Any]:
    """Return what can be asked of a store."""
    return [
        snapshot(store),
        graph_records(conversation(), {None: store}),
        *[await store.as_of(START + days * DAY) for days in range(-1, 5)],
        await store.nearest_batch(["Ada", "May", ""], 5),
        await store.nearest_edges("Ada lives in Oslo", 99, past=True),
        await store.related(Triple(Entity("ada", "Person"), "lives_in", Entity("Rome", "")), 9),
        await store.entities(["Ada", "9 May", ""], 3),
        *[await store.edges(store.nodes()[:1], hops, past=True) for hops in (1, 2)],
    ]


@settings(max_examples=100)
@given(operations())
async def test_any_operations_leave_vectors_graph_and_records_in_step(found: list[Operation]) -> None:
    store, naive = hybrid(), hybrid(NaiveGraph)
    for operation in found:
        assert await carry_out(store, operation) == await carry_out(naive, operation)
        await check_in_step(store)
    assert await told(store) == await told(naive)


@settings(max_examples=60)
@given(operations(), st.integers(0, 15))
async def test_a_store_saved_at_any_point_goes_on_as_the_one_that_was_not(found: list[Operation], cut: int) -> None:
    store = hybrid()
    for operation in found[:cut]:
        await carry_out(store, operation)
    with TemporaryDirectory() as folder:
        store.save(Path(folder))
        loaded = hybrid().load(Path(folder))
    assert await told(loaded) == await told(store)
    for operation in found[cut:]:
        assert await carry_out(loaded, operation) == await carry_out(store, operation)
    assert await told(loaded) == await told(store)


class Slow(Hashed):
    """Lets others go on before each of its vectors is there, longer for some texts than for others."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        for _ in range(1 + len("".join(texts)) % 3):
            await asyncio.sleep(0)
        return await super().embed(texts)


@settings(max_examples=100)
@given(operations())
async def test_operations_at_once_lose_no_memory_and_share_no_id(found: list[Operation]) -> None:
    store = hybrid(embedder=Slow(32))
    done = await asyncio.gather(*(store.apply(operation) for operation in found), return_exceptions=True)
    failed = [one for one in done if isinstance(one, BaseException)]
    assert all(isinstance(error, UnknownMemoryError | TypeError) for error in failed), failed
    every = store.memories(retired=True)
    assert len(every) == sum(isinstance(operation, Add) for operation in found)
    assert [memory.id for memory in every] == [f"m{number}" for number in range(len(every))]
    await check_in_step(store)


async def test_one_update_twice_at_once_is_one_version() -> None:
    store = hybrid(embedder=Slow(32))
    await store.apply(Add(said(ADA, "lives_in", OSLO)))
    updates = [Update("m0", said(ADA, "lives_in", ROME, source=f"D2:{turn}", at=START + DAY)) for turn in (1, 2)]
    await asyncio.gather(*map(store.apply, updates))
    assert [memory.content for memory in await store.as_of(START + DAY)] == [updates[0].candidate.content]
    await check_in_step(store)


class Broken(Hashed):
    """Fails at every call from some call on."""

    left = 0

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.left -= 1
        if self.left < 0:
            raise ConnectionError("the embedder is down")
        return await super().embed(texts)


@settings(max_examples=60)
@given(operations(), st.integers(0, 12))
async def test_an_embedder_that_fails_in_the_middle_leaves_what_was_before(found: list[Operation], good: int) -> None:
    embedder = Broken(32)
    store, sound = hybrid(embedder=embedder), hybrid()
    embedder.left = good
    for operation in found:
        before = snapshot(store)
        try:
            await carry_out(store, operation)
        except ConnectionError:
            assert snapshot(store) == before
        else:
            await carry_out(sound, operation)
    embedder.left = 1_000_000
    assert await told(store) == await told(sound)
    await check_in_step(store)


@pytest.mark.parametrize("length", [0.0, 0.98, 0.993, 1.007, 1.02, float("nan")])
@pytest.mark.parametrize("which", [0, 1, 2])
async def test_a_vector_that_is_no_unit_vector_changes_nothing_or_all(length: float, which: int) -> None:
    class Off(Hashed):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            vectors = await super().embed(texts)
            if len(texts) == 3:  # those of a triple, not of a question
                vectors[which] *= np.float32(length)
            return vectors

    store = hybrid(embedder=Off(32))
    with suppress(ValueError):
        await store.apply(Add(said(ADA, "lives_in", OSLO)))
    assert len(store.memories()) == len(await store.nearest_edges("Ada", 9)) == len(await store.as_of(START))


def dense() -> DenseStore:
    return DenseStore(EMBEDDER, exact_up_to=None)


def triples_only() -> GraphMemory:
    return GraphMemory(EMBEDDER, NetworkxGraph(), node_threshold=0.9, exact_up_to=None)


STORES = {"dense": dense, "graph": triples_only, "hybrid": hybrid}
FACT, TRIPLE, NOTHING = Add(candidate("Ada likes tea.")), Add(said(ADA, "knows", BEN)), Noop()
FITTING = {
    FACT: {("dense", "dense"), ("dense", "hybrid"), ("hybrid", "dense"), ("hybrid", "hybrid")},
    TRIPLE: {("dense", "dense"), ("graph", "graph"), ("graph", "hybrid"), ("hybrid", "graph"), ("hybrid", "hybrid")},
}


@pytest.mark.parametrize("retired", [False, True])
@pytest.mark.parametrize("content", [NOTHING, FACT, TRIPLE], ids=["nothing", "fact", "triple"])
@pytest.mark.parametrize("source", STORES)
@pytest.mark.parametrize("target", STORES)
async def test_a_store_opens_what_another_saved_or_says_why_not(
    source: str, target: str, content: Operation, retired: bool, tmp_path: Path
) -> None:
    saved, loaded = STORES[source](), STORES[target]()
    if content == FACT and Fact not in saved.holds:
        return
    await saved.apply(content)
    if retired and content != NOTHING:
        await saved.apply(Delete("m0", START))
    saved.save(tmp_path)
    if content == NOTHING or (source, target) in FITTING[content]:
        loaded.load(tmp_path)
        assert snapshot(loaded) == snapshot(saved)
        assert await loaded.nearest("Ada", 9) == await saved.nearest("Ada", 9)
    else:
        with pytest.raises(ValueError, match=f"{tmp_path} holds .*(Fact|Triple)"):
            loaded.load(tmp_path)
        assert snapshot(loaded) == (0, [])
