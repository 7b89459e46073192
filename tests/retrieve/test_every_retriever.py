"""What holds for every retriever here."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from memlab.context import context_tokens, within
from memlab.memory import Delete, Update
from memlab.retrieve.bm25 import BM25
from memlab.retrieve.everything import Everything
from memlab.retrieve.fused import Fused
from memlab.retrieve.nearest import Nearest
from memlab.retrieve.none import NoMemory
from memlab.retrieve.random import Random
from memlab.retrieve.recent import Recent
from memlab.retrieve.retriever import Retriever
from memlab.retrieve.smoothed import Smoothed
from memlab.retrieve.speaker_match import SpeakerMatch
from memlab.store.store import Store
from memlab.testing import candidate, check_retriever
from tests.retrieve.said import START, asked, ids, new_store, store_of

Make = Callable[[Store], Retriever]


def nearest(store: Store) -> Nearest:
    return Nearest(store, of="any", top_k=None, max_tokens=None)


def bm25(store: Store) -> BM25:
    return BM25(store, k1=1.2, b=0.75, top_k=None, max_tokens=None)


def fused(store: Store) -> Fused:
    return Fused(nearest(store), bm25(store), rank_constant=10, top_k=None, max_tokens=None)


def smoothed(store: Store) -> Smoothed:
    return Smoothed(fused(store), store, decay=0.5, reach=3, top_k=None, max_tokens=None)


def speaker_match(store: Store) -> SpeakerMatch:
    return SpeakerMatch(smoothed(store), others=0.5, top_k=None, max_tokens=None)


def random(store: Store) -> Random:
    return Random(store, seed=0, top_k=None, max_tokens=None)


def recent(store: Store) -> Recent:
    return Recent(store, top_k=None, max_tokens=None)


def everything(store: Store) -> Everything:
    return Everything(store, top_k=None, max_tokens=None)


def none(store: Store) -> NoMemory:
    return NoMemory(top_k=None, max_tokens=None)


RETRIEVERS: list[Make] = [nearest, bm25, fused, smoothed, speaker_match, random, recent, everything]
QUESTION = asked("Where does Ada keep her red bicycle?")
LINES = ("Ada: I have a red bicycle.", "Ben: Where do you keep it?", "Ada: In the shed.", "Ben: My bicycle is blue.")

every_retriever = pytest.mark.parametrize("make", RETRIEVERS, ids=lambda make: make.__name__)


@every_retriever
async def test_it_keeps_the_contract(make: Make) -> None:
    await check_retriever(make, new_store)


async def test_no_memory_keeps_the_contract() -> None:
    await check_retriever(none, new_store)


async def test_no_memory_returns_none_from_a_full_store() -> None:
    assert await none(await store_of(*LINES)).retrieve(QUESTION) == []


@every_retriever
async def test_a_full_store_gives_hits_best_first_and_each_once(make: Make) -> None:
    ranking = await make(await store_of(*LINES)).rank(QUESTION, None)
    assert ranking
    assert len(set(ids(ranking))) == len(ranking)
    assert all(better.score >= worse.score for better, worse in pairwise(ranking))


@every_retriever
async def test_a_retired_memory_is_not_ranked(make: Make) -> None:
    store = await store_of(*LINES)
    retriever = make(store)
    assert "m0" in ids(await retriever.rank(QUESTION, None))
    await store.apply(Delete("m0", START))
    assert "m0" not in ids(await retriever.rank(QUESTION, None))


@every_retriever
async def test_a_changed_memory_is_ranked_with_its_new_words(make: Make) -> None:
    store = await store_of(*LINES)
    retriever = make(store)
    await retriever.rank(QUESTION, None)
    await store.apply(Update("m0", candidate("Ada: I keep my red bicycle in Oslo.")))
    texts = {hit.memory.id: hit.memory.text for hit in await retriever.rank(QUESTION, None)}
    assert texts["m0"] == "Ada: I keep my red bicycle in Oslo."


@every_retriever
async def test_nothing_comes_from_another_conversation(make: Make) -> None:
    ours, theirs = await store_of(*LINES), await store_of(*(f"{line} secret" for line in LINES))
    mine, other = make(ours), make(theirs)
    alone = await mine.rank(QUESTION, None)
    assert all("secret" in hit.memory.text for hit in await other.rank(QUESTION, None))
    assert await mine.rank(QUESTION, None) == alone
    assert not any("secret" in hit.memory.text for hit in alone)


@every_retriever
async def test_a_search_leaves_the_store_as_it_was(make: Make) -> None:
    store = await store_of(*LINES)
    before = (store.version, store.memories(retired=True))
    await make(store).retrieve(QUESTION)
    assert (store.version, store.memories(retired=True)) == before


@every_retriever
@pytest.mark.parametrize("top_k", [0, 1, 3, None])
@pytest.mark.parametrize("max_tokens", [0, 15, 30, None])
async def test_what_is_shown_is_the_longest_head_within_both_bounds(
    make: Make, top_k: int | None, max_tokens: int | None
) -> None:
    retriever = make(await store_of(*LINES))
    ranking = await retriever.rank(QUESTION, None)
    retriever.top_k, retriever.max_tokens = top_k, max_tokens
    shown = await retriever.retrieve(QUESTION)
    assert shown == within(ranking, top_k=top_k, max_tokens=max_tokens)
    assert top_k is None or len(shown) <= top_k
    assert max_tokens is None or not shown or context_tokens(shown) <= max_tokens


@every_retriever
async def test_two_instances_over_equal_stores_agree(make: Make) -> None:
    first, second = await store_of(*LINES), await store_of(*LINES)
    assert await make(first).rank(QUESTION, None) == await make(second).rank(QUESTION, None)


@every_retriever
async def test_a_question_without_a_word_is_no_error(make: Make) -> None:
    store = await store_of(*LINES)
    found = await make(store).rank(asked("?"), None)
    assert {hit.memory for hit in found} <= set(store.memories())
