"""Edges around the entities of a question."""

from typing import Any

import pytest

from memlab.memory import Add, Delete, Entity
from memlab.part import PartFailed
from memlab.retrieve.entity_centric import EntityCentric
from memlab.store.store import GraphStore, Store
from memlab.testing import check_retriever, filled
from tests.retrieve.graphs import Named, entity_centric, graph_of, new_graph, new_triples, triple
from tests.retrieve.said import START, asked, ids

LINES = ("Ada lives_in Oslo", "Clara knows Ada", "Ben lives_in Rome", "Clara works_in Bergen", "Ada likes tea")


async def found(question: str, *lines: str, **settings: Any) -> set[str]:
    """The triples that a question finds among some."""
    retriever = entity_centric(await graph_of(*(lines or LINES)), **settings)
    return {hit.memory.text for hit in await retriever.rank(asked(question), None)}


async def test_incoming_and_outgoing_edges_of_a_named_entity_are_found_and_no_others() -> None:
    assert await found("Where does Ada live?") == {"Ada lives in Oslo", "Clara knows Ada", "Ada likes tea"}


async def test_edges_closest_to_the_question_come_first() -> None:
    retriever = entity_centric(await graph_of(*LINES))
    ranking = await retriever.rank(asked("Which tea likes Ada"), None)
    assert ranking[0].memory.text == "Ada likes tea"
    assert [hit.score for hit in ranking] == sorted((hit.score for hit in ranking), reverse=True)


async def test_a_second_hop_reaches_what_a_neighbour_holds() -> None:
    two = await found("What of Ada?", hops=2)
    assert two == {"Ada lives in Oslo", "Clara knows Ada", "Ada likes tea", "Clara works in Bergen"}


async def test_edges_of_all_named_entities_are_ranked_together() -> None:
    assert await found("Do Ben and Clara meet?") == {"Ben lives in Rome", "Clara knows Ada", "Clara works in Bergen"}


@pytest.mark.parametrize("question", ["Who is it?", "Where is Zed?"])
async def test_no_entity_or_no_node_like_it_finds_nothing(question: str) -> None:
    assert await found(question) == set()


async def test_a_node_below_the_threshold_is_no_anchor() -> None:
    assert await found("Where is Zed?", anchor_threshold=-1, anchors=50) != set()
    assert await found("Where is Zed?", anchor_threshold=0.9, anchors=50) == set()


async def test_at_most_so_many_nodes_anchor_an_entity() -> None:
    one = await found("Where is Ada?", anchor_threshold=-1, anchors=1)
    assert one == {"Ada lives in Oslo", "Clara knows Ada", "Ada likes tea"}
    assert len(await found("Where is Ada?", anchor_threshold=-1, anchors=50)) == len(LINES)


async def test_a_retired_edge_is_found_only_when_the_past_is_asked_for() -> None:
    store = await graph_of(*LINES)
    await store.apply(Delete("m0", START.replace(month=6)))
    assert "m0" not in ids(await entity_centric(store).rank(asked("Where does Ada live?"), None))
    past = await entity_centric(store, past=True).rank(asked("Where does Ada live?"), None)
    assert {"m0", "m4"} <= set(ids(past))
    assert next(hit for hit in past if hit.memory.id == "m0").memory.retired_at == START.replace(month=6)


async def test_an_edge_added_a_moment_ago_is_found() -> None:
    store = await graph_of(*LINES)
    retriever = entity_centric(store)
    await retriever.rank(asked("What of Ada?"), None)
    added = await store.apply(Add(triple("Ada visits Rome", 9)))
    assert added in [hit.memory for hit in await retriever.rank(asked("What of Ada?"), None)]


async def test_facts_are_no_edges() -> None:
    assert await found("Where is Ada?", "fact:Ada is in Oslo", "Ada likes tea") == {"Ada likes tea"}


async def test_nothing_comes_from_another_store() -> None:
    store, other = await graph_of(*LINES), await graph_of("Ada hides gold", "Ada hides silver")
    finder = Named()
    first = await entity_centric(store, finder).rank(asked("What does Ada hide?"), None)
    second = await entity_centric(other, finder).rank(asked("What does Ada hide?"), None)
    assert not any("hides" in hit.memory.text for hit in first)
    assert {hit.memory.text for hit in second} == {"Ada hides gold", "Ada hides silver"}


async def test_the_finder_sees_the_question_alone() -> None:
    finder = Named()
    await entity_centric(await graph_of(*LINES), finder).rank(asked("Where does Ada live?"), 3)
    assert finder.asked == ["Where does Ada live?"]


async def test_a_finder_that_fails_is_no_empty_ranking() -> None:
    class Fails(Named):
        async def find(self, text: str, context: str = "") -> list[Entity]:
            raise PartFailed("out of reach")

    with pytest.raises(PartFailed, match="out of reach"):
        await entity_centric(await graph_of(*LINES), Fails()).rank(asked("Where is Ada?"), None)


async def test_it_keeps_the_contract_over_edges() -> None:
    class Somebody(Named):
        async def find(self, text: str, context: str = "") -> list[Entity]:
            return [Entity("somebody", "Person")]

    def make(store: Store) -> EntityCentric:
        assert isinstance(store, GraphStore)
        return entity_centric(store, Somebody())

    ranking = await make(await filled(new_triples())).rank(asked("Where does Ada live?"), None)
    assert len(ranking) == 6, "the suite would see no edge"
    await check_retriever(make, new_triples)


@pytest.mark.parametrize("setting", [{"anchors": 0}, {"hops": 0}, {"anchor_threshold": 1.1}])
def test_settings_out_of_range_are_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(setting))):
        entity_centric(new_graph(), **setting)
