"""Rankings over a graph in which edges have ended: every head is the head of the whole, and the past is asked for."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from memlab.memory import Delete, Update
from memlab.perspective import Owner
from memlab.retrieve.fused import Fused
from memlab.retrieve.nearest import Nearest
from memlab.retrieve.per_speaker import PerSpeaker
from memlab.retrieve.retriever import Retriever
from memlab.store.store import GraphStore
from tests.retrieve.graphs import entity_centric, graph_of, semantic_triplet, triple
from tests.retrieve.said import START, asked, ids

Make = Callable[..., Retriever]
NAMES = ("Ada", "Ben", "Clara")
QUESTIONS = ("Where does Ada live?", "What does Ben like?", "Ada knows Ben and Clara", "Oslo")
SAID = [f"{name} {relation} {other}" for name in NAMES for relation, other in (("lives_in", "Oslo"), ("likes", "tea"))]


async def changed() -> GraphStore:
    """A store in which every third edge has ended and every fifth says something else than it did."""
    known = [f"{one} knows {other}" for one in NAMES for other in NAMES if one != other]
    store = await graph_of(*SAID, "fact:Ada lives in Bergen.", *known, *(f"{name} visits Rome" for name in NAMES))
    for number, memory in enumerate(store.memories()):
        if memory.id == "m6":
            continue
        if number % 5 == 0:
            await store.apply(Update(memory.id, triple(f"{NAMES[number % 3]} lives_in Bergen", 40)))
        if number % 3 == 0:
            await store.apply(Delete(memory.id, START + timedelta(days=50)))
    return store


def around(store: GraphStore, **past: Any) -> Retriever:
    return entity_centric(store, hops=2, **past)


def close(store: GraphStore, **past: Any) -> Retriever:
    return semantic_triplet(store, threshold=-1, **past)


def dual(store: GraphStore, **past: Any) -> Fused:
    return Fused(around(store, **past), close(store, **past), rank_constant=10, top_k=None, max_tokens=None)


def hybrid(store: GraphStore, **past: Any) -> Fused:
    facts = Nearest(store, of="fact", top_k=None, max_tokens=None)
    return Fused(facts, dual(store, **past), rank_constant=10, top_k=None, max_tokens=None)


every_retriever = pytest.mark.parametrize("make", [around, close, dual, hybrid])


@every_retriever
@pytest.mark.parametrize("past", [False, True])
async def test_every_head_is_the_head_of_the_whole(make: Make, past: bool) -> None:
    store, other = await changed(), await graph_of(*SAID)
    one = make(store, past=past)
    owners: dict[Owner, Retriever] = {"Ada": one, "Ben": make(other, past=past)}
    for question in map(asked, QUESTIONS):
        for retriever in (one, PerSpeaker(owners)):
            whole = await retriever.rank(question, None)
            assert len(whole) > 5
            for depth in range(len(whole) + 2):
                assert await retriever.rank(question, depth) == whole[:depth]


@every_retriever
async def test_edges_that_ended_are_ranked_only_when_asked_for(make: Make) -> None:
    store = await changed()
    ended = {memory.id for memory in store.memories(retired=True)} - {memory.id for memory in store.memories()}
    assert len(ended) > 3
    for question in map(asked, QUESTIONS):
        assert not ended & set(ids(await make(store).rank(question, None)))
        assert ended & set(ids(await make(store, past=True).rank(question, None)))
