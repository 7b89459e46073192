"""Which channel found what: the leaves of a fused search, noted on the way."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import pytest

from memlab.answer.answerer import Answer, Answerer
from memlab.ask import ask
from memlab.dialogue import Question
from memlab.llm.chat import ChatModel, ChatRequest, Message, Reply, Usage
from memlab.llm.meter import MeteredChat
from memlab.memory import Entity, Hit
from memlab.part import PartFailed
from memlab.perspective import Owner
from memlab.retrieve.channels import Channel, by_name, name_of, note, traced
from memlab.retrieve.fused import Fused
from memlab.retrieve.none import NoMemory
from memlab.retrieve.per_speaker import PerSpeaker
from memlab.retrieve.retriever import Retriever
from memlab.retrieve.speaker_match import SpeakerMatch
from memlab.store.store import Store
from tests.retrieve.graphs import Named, entity_centric, graph_of, semantic_triplet
from tests.retrieve.said import Fixed, asked, ids, store_of

QUESTION = asked("Where does Ada live?")


class Other(Fixed):
    """Ranks as it was told; counts its searches and notes how deep they were."""

    def __init__(self, store: Store, scores: dict[str, float]) -> None:
        super().__init__(store, scores)
        self.depths: list[int | None] = []

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        self.depths.append(depth)
        return await super().rank(question, depth)


def fused(first: Retriever, second: Retriever, *, top_k: int | None = None, max_tokens: int | None = None) -> Fused:
    return Fused(first, second, rank_constant=10, top_k=top_k, max_tokens=max_tokens)


async def lines() -> Store:
    return await store_of("Ada: a", "Ada: b", "Ada: c", "Ada: d")


def told(channels: Sequence[Channel]) -> dict[str, list[str]]:
    return {name: ids(list(channel.ranking)) for name, channel in by_name(channels).items()}


async def test_a_fused_search_notes_what_each_part_ranked_and_searches_once() -> None:
    store = await lines()
    first, second = Fixed(store, {"m0": 2, "m1": 1}), Other(store, {"m1": 2, "m3": 1})
    with traced() as channels:
        await fused(first, second).rank(QUESTION, 1)
    assert told(channels) == {"fixed": ["m0", "m1"], "other": ["m1", "m3"]}
    assert len(second.depths) == 1
    assert all(channel.seconds >= 0 for channel in channels)


async def test_a_fused_part_notes_its_own_parts_and_not_itself() -> None:
    store = await lines()
    inner = fused(Other(store, {"m1": 1}), NoMemory(top_k=None, max_tokens=None))
    with traced() as channels:
        await fused(Fixed(store, {"m0": 1}), inner).rank(QUESTION, None)
    assert told(channels) == {"fixed": ["m0"], "other": ["m1"], "no_memory": []}


async def test_what_stands_around_a_fused_search_is_no_channel() -> None:
    store = await lines()
    inner = fused(Fixed(store, {"m0": 1}), Other(store, {"m1": 1}))
    around = SpeakerMatch(inner, others=0.5, top_k=None, max_tokens=None)
    with traced() as channels:
        await fused(around, NoMemory(top_k=None, max_tokens=None)).rank(QUESTION, None)
    assert list(told(channels)) == ["fixed", "other", "no_memory"]


async def test_two_parts_of_one_class_are_told_apart() -> None:
    store = await lines()
    with traced() as channels:
        await fused(Fixed(store, {"m0": 1}), fused(Fixed(store, {"m1": 1}), Fixed(store, {"m2": 1}))).rank(QUESTION, 1)
    assert told(channels) == {"fixed": ["m0"], "fixed_2": ["m1"], "fixed_3": ["m2"]}


async def test_outside_a_trace_nothing_is_kept_and_an_outer_trace_does_not_see_an_inner_one() -> None:
    note(Channel("lost", [], 0.0))
    with traced() as outer:
        with traced() as inner:
            note(Channel("own", [], 0.0))
        note(Channel("after", [], 0.0))
    assert (list(told(inner)), list(told(outer))) == (["own"], ["after"])


async def test_the_graphs_channels_have_their_names() -> None:
    store = await graph_of("Ada lives_in Oslo", "Ben likes tea")
    with traced() as channels:
        await fused(entity_centric(store), semantic_triplet(store, threshold=-1)).rank(QUESTION, None)
    assert set(told(channels)) == {"entity_centric", "semantic_triplet"}
    assert told(channels)["entity_centric"] == ["m0"]
    assert set(told(channels)["semantic_triplet"]) == {"m0", "m1"}


@pytest.mark.parametrize(
    ("name", "channel"), [("BM25", "bm25"), ("EntityCentric", "entity_centric"), ("MyLLMRanks", "my_llm_ranks")]
)
def test_a_channel_is_named_after_its_class(name: str, channel: str) -> None:
    assert name_of(type(name, (NoMemory,), {})(top_k=None, max_tokens=None)) == channel


async def test_channels_of_two_stores_are_merged_by_score_under_ids_that_tell_them_apart() -> None:
    ada, ben = await lines(), await lines()
    retriever = PerSpeaker(
        {
            "Ada": fused(Fixed(ada, {"m0": 0.9, "m1": 0.2}), Other(ada, {"m3": 3})),
            "Ben": fused(Fixed(ben, {"m2": 0.5}), Other(ben, {"m0": 7, "m3": 1})),
        }
    )
    with traced() as channels:
        await retriever.rank(QUESTION, None)
    assert told(channels) == {"fixed": ["Ada:m0", "Ben:m2", "Ada:m1"], "other": ["Ben:m0", "Ada:m3", "Ben:m3"]}


async def test_a_channel_over_one_retriever_a_store_is_none() -> None:
    owners: dict[Owner, Retriever] = {name: Fixed(await lines(), {"m0": 1}) for name in ("Ada", "Ben")}
    with traced() as channels:
        await PerSpeaker(owners).rank(QUESTION, None)
    assert channels == []


@pytest.mark.parametrize(("bound", "depth"), [(None, None), (30, 1000), (5000, 5000)])
async def test_a_part_is_asked_as_deep_as_the_bounds_can_show_and_no_deeper(
    bound: int | None, depth: int | None
) -> None:
    store = await lines()
    part = Other(store, {"m0": 1})
    await fused(part, Fixed(store, {}), top_k=bound).rank(QUESTION, 3)
    assert part.depths == [depth]


class Says(Answerer):
    """Answers with a word, or fails."""

    def __init__(self, *, fails: bool = False) -> None:
        self._fails = fails

    async def answer(self, question: Question, hits: Sequence[Hit]) -> Answer:
        if self._fails:
            raise PartFailed("refused")
        return Answer("word")


async def test_an_answers_record_tells_what_each_channel_alone_would_show() -> None:
    store = await lines()
    record = await ask(QUESTION, fused(Fixed(store, {"m0": 2, "m1": 1}), Other(store, {"m1": 2}), top_k=1), Says())
    first, second = record["channels"]["fixed"], record["channels"]["other"]
    assert first["hits"] == [["m0", 2], ["m1", 1]]
    assert (first["shown"], second["shown"]) == (1, 1)
    assert 0 < second["context_tokens"] == first["context_tokens"]
    assert 0 <= first["search_seconds"] <= record["search_seconds"]


async def test_a_channel_alone_has_the_bounds_of_the_whole() -> None:
    store = await lines()
    scores = {"m0": 4.0, "m1": 3.0, "m2": 2.0, "m3": 1.0}
    record = await ask(QUESTION, fused(Fixed(store, scores), Other(store, scores), max_tokens=20), Says())
    assert record["channels"]["fixed"]["shown"] == record["shown"]
    assert record["channels"]["fixed"]["context_tokens"] == record["context_tokens"] <= 20


async def test_a_search_of_one_channel_records_none() -> None:
    assert "channels" not in await ask(QUESTION, Fixed(await lines(), {"m0": 1}), Says())


async def test_channels_are_recorded_cut_to_what_is_looked_at() -> None:
    store = await store_of(*(f"Ada: {number}" for number in range(60)))
    scores = {f"m{number}": 60.0 - number for number in range(60)}
    record = await ask(QUESTION, fused(Fixed(store, scores), Other(store, scores), top_k=3), Says())
    assert len(record["channels"]["other"]["hits"]) == 50


async def test_a_failed_answer_keeps_what_its_search_found_and_a_failed_search_has_nothing() -> None:
    store = await lines()
    found = fused(Fixed(store, {"m0": 1}), Other(store, {"m1": 1}))
    hurt = await ask(QUESTION, found, Says(fails=True))
    assert (hurt["failed_at"], list(hurt["channels"])) == ("answer", ["fixed", "other"])

    class Fails(Fixed):
        async def rank(self, question: Question, depth: int | None) -> list[Hit]:
            raise PartFailed("out of reach")

    lost = await ask(QUESTION, fused(Fixed(store, {"m0": 1}), Fails(store, {})), Says())
    assert (lost["failed_at"], lost["hits"], "channels" in lost) == ("search", [], False)


class Slow(ChatModel):
    """A model whose replies took seven seconds when they were first given."""

    model = "slow"
    identity = MappingProxyType[str, Any]({})

    async def chat(self, request: ChatRequest) -> Reply:
        return Reply("x", (), "stop", Usage(1, 1), 7.0, replayed=True)


async def test_a_channel_that_asks_a_model_counts_the_replies_original_seconds() -> None:
    model = MeteredChat(Slow())

    class Asks(Named):
        async def find(self, text: str, context: str = "") -> list[Entity]:
            await model.chat(ChatRequest((Message("user", text),)))
            return await super().find(text, context)

    store = await graph_of("Ada lives_in Oslo")
    retriever = fused(semantic_triplet(store), entity_centric(store, Asks()))
    channels = (await ask(QUESTION, retriever, Says()))["channels"]
    assert 7 <= channels["entity_centric"]["search_seconds"] < 8
    assert channels["semantic_triplet"]["search_seconds"] < 1
