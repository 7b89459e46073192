"""The whole question against the words of every edge."""

import pytest

from memlab.context import render
from memlab.memory import Add, Delete
from memlab.retrieve.semantic_triplet import SemanticTriplet
from memlab.store.store import GraphStore, Store
from memlab.testing import check_retriever, filled
from tests.retrieve.graphs import graph_of, new_graph, new_triples, semantic_triplet, triple
from tests.retrieve.said import START, asked, ids

LINES = (
    "Ada lives_in Oslo",
    "Clara knows Ada",
    "Ben lives_in Rome",
    "fact:Ada lives in Oslo with Ben",
    "Ada likes tea",
)


async def test_the_edges_that_share_most_words_come_first_and_facts_are_none() -> None:
    ranking = await semantic_triplet(await graph_of(*LINES), threshold=-1).rank(asked("Ada lives in Oslo"), None)
    assert ranking[0].memory.text == "Ada lives in Oslo"
    assert set(ids(ranking)) == {"m0", "m1", "m2", "m4"}


async def test_an_edge_below_the_threshold_is_not_ranked() -> None:
    store = await graph_of(*LINES)
    every = await semantic_triplet(store, threshold=-1).rank(asked("Who likes tea"), None)
    some = await semantic_triplet(store, threshold=every[1].score).rank(asked("Who likes tea"), None)
    assert some == [hit for hit in every if hit.score >= every[1].score]
    assert 0 < len(some) < len(every)
    assert await semantic_triplet(store, threshold=1).rank(asked("Who likes tea"), None) == []


async def test_a_retired_edge_is_ranked_beside_the_live_ones_when_the_past_is_asked_for() -> None:
    store = await graph_of(*LINES)
    await store.apply(Delete("m0", START.replace(month=6)))
    question = asked("Ada lives in Oslo")
    assert "m0" not in ids(await semantic_triplet(store, threshold=-1).rank(question, None))
    past = await semantic_triplet(store, threshold=-1, past=True).rank(question, None)
    assert ids(past)[0] == "m0"
    assert set(ids(past)) == {"m0", "m1", "m2", "m4"}
    assert past[:2] == await semantic_triplet(store, threshold=-1, past=True).rank(question, 2)


async def test_an_edge_added_a_moment_ago_is_found() -> None:
    store = await graph_of(*LINES)
    retriever = semantic_triplet(store)
    await retriever.rank(asked("Who visits Rome"), None)
    added = await store.apply(Add(triple("Ben visits Rome", 9)))
    assert (await retriever.rank(asked("Who visits Rome"), 1))[0].memory == added


async def test_nothing_comes_from_another_store() -> None:
    store, other = await graph_of(*LINES), await graph_of("Ada hides gold")
    hits = await semantic_triplet(store, threshold=-1).rank(asked("Ada hides gold"), None)
    assert {hit.memory for hit in hits} <= set(store.memories())
    assert ids(await semantic_triplet(other, threshold=-1).rank(asked("Ada hides gold"), None)) == ["m0"]


async def test_it_keeps_the_contract() -> None:
    def make(store: Store) -> SemanticTriplet:
        assert isinstance(store, GraphStore)
        return semantic_triplet(store)

    assert len(await make(await filled(new_triples())).rank(asked("Where does Ada live now?"), None)) > 1
    await check_retriever(make, new_triples)


@pytest.mark.parametrize("threshold", [-1.5, 1.5])
def test_a_threshold_out_of_range_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold="):
        semantic_triplet(new_graph(), threshold=threshold)


async def test_a_retired_edge_is_shown_as_past_and_a_live_one_is_not() -> None:
    store = await graph_of("Ada lives_in Oslo", "Ada lives_in Rome")
    await store.apply(Delete("m0", START.replace(month=6)))
    shown = await semantic_triplet(store, threshold=-1, past=True).retrieve(asked("Where does Ada live?"))
    assert render(shown) == (
        "8 May 2023\nAda lives in Oslo (from 8 May 2023, no longer true since 8 June 2023)\n"
        "9 May 2023\nAda lives in Rome\n"
    )
