"""Retrievers that do not read the question: by time and by lot."""

from memlab.memory import Update
from memlab.retrieve.everything import Everything
from memlab.retrieve.random import Random
from memlab.retrieve.recent import Recent
from memlab.store.store import Store
from memlab.testing import candidate
from tests.retrieve.said import START, asked, ids, store_of

LINES = [f"Ada: line {number}" for number in range(12)]
QUESTION = asked("tea?")


def random(store: Store, seed: int = 0) -> Random:
    return Random(store, seed=seed, top_k=None, max_tokens=None)


async def test_everything_is_in_order_of_time_and_creation() -> None:
    store = await store_of(*LINES)
    assert ids(await Everything(store, top_k=None, max_tokens=None).rank(QUESTION, None)) == [
        f"m{number}" for number in range(12)
    ]


async def test_everything_places_an_updated_memory_at_the_time_of_its_update() -> None:
    store = await store_of("Ada: a", "Ada: b", "Ada: c")
    await store.apply(Update("m0", candidate("Ada: d", at=store.memories()[2].updated_at)))
    assert ids(await Everything(store, top_k=None, max_tokens=None).rank(QUESTION, None)) == ["m1", "m0", "m2"]


async def test_recent_is_newest_first() -> None:
    ranking = await Recent(await store_of(*LINES), top_k=None, max_tokens=None).rank(QUESTION, 3)
    assert [(hit.memory.id, hit.score) for hit in ranking] == [("m11", 1), ("m10", 1 / 2), ("m9", 1 / 3)]


async def test_recent_goes_by_the_last_change() -> None:
    store = await store_of("Ada: a", "Ada: b", "Ada: c")
    await store.apply(Update("m0", candidate("Ada: d", at=START.replace(year=2024))))
    assert ids(await Recent(store, top_k=None, max_tokens=None).rank(QUESTION, None)) == ["m0", "m2", "m1"]


async def test_random_is_the_same_for_a_question_whatever_was_asked_before() -> None:
    store = await store_of(*LINES)
    alone = await random(store).rank(asked("tea?", "q1"), None)
    retriever = random(store)
    await retriever.rank(asked("milk?", "q2"), None)
    assert await retriever.rank(asked("tea?", "q1"), None) == alone


async def test_random_differs_between_questions_and_seeds() -> None:
    store = await store_of(*LINES)
    orders = {
        tuple(ids(await random(store, seed).rank(asked("tea?", id_), None))) for seed in (0, 1) for id_ in ("q1", "q2")
    }
    assert len(orders) == 4


async def test_random_has_every_memory_come_first_about_as_often() -> None:
    store = await store_of(*LINES[:4])
    firsts = [ids(await random(store).rank(asked("tea?", f"q{number}"), 1))[0] for number in range(400)]
    assert all(60 < firsts.count(memory.id) < 140 for memory in store.memories())
