import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.dialogue import Question
from memlab.memory import Delete, Hit
from memlab.retrieve.smoothed import Smoothed, spread
from memlab.store.store import Store
from tests.retrieve.said import START, Fixed, asked, ids, new_store, store_of

QUESTION = asked("tea?")
LINES = [f"Ada: line {number}" for number in range(12)]

scores = st.lists(st.floats(0, 100), max_size=12).map(np.array)


def smoothed(store: Store, inner: dict[str, float], *, decay: float = 0.5, reach: int = 2) -> Smoothed:
    return Smoothed(Fixed(store, inner), store, decay=decay, reach=reach, top_k=None, max_tokens=None)


async def test_neighbours_of_a_match_are_ranked_by_their_distance() -> None:
    ranking = await smoothed(await store_of(*LINES), {"m5": 8.0}).rank(QUESTION, None)
    assert [(hit.memory.id, hit.score) for hit in ranking] == [
        ("m5", 8.0),
        ("m4", 4.0),
        ("m6", 4.0),
        ("m3", 2.0),
        ("m7", 2.0),
    ]


async def test_a_memory_between_two_matches_gains_from_both() -> None:
    ranking = await smoothed(await store_of(*LINES), {"m4": 4.0, "m6": 4.0}, reach=1).rank(QUESTION, None)
    assert {hit.memory.id: hit.score for hit in ranking} == {"m4": 4.0, "m5": 4.0, "m6": 4.0, "m3": 2.0, "m7": 2.0}


async def test_neighbours_are_by_order_of_creation_not_by_id_as_text() -> None:
    ranking = await smoothed(await store_of(*LINES), {"m10": 8.0}, reach=1).rank(QUESTION, None)
    assert ids(ranking) == ["m10", "m9", "m11"]


async def test_the_ends_have_one_neighbour() -> None:
    ranking = await smoothed(await store_of(*LINES), {"m0": 8.0, "m11": 4.0}, reach=1).rank(QUESTION, None)
    assert {hit.memory.id: hit.score for hit in ranking} == {"m0": 8.0, "m11": 4.0, "m1": 4.0, "m10": 2.0}


async def test_a_retired_neighbour_is_stepped_over() -> None:
    store = await store_of(*LINES)
    await store.apply(Delete("m6", START))
    assert ids(await smoothed(store, {"m5": 8.0}, reach=1).rank(QUESTION, None)) == ["m5", "m4", "m7"]


@pytest.mark.parametrize(("decay", "reach"), [(0.0, 3), (0.5, 0)])
async def test_no_decay_or_no_reach_is_the_inner_ranking(decay: float, reach: int) -> None:
    store = await store_of(*LINES)
    inner = {"m5": 8.0, "m2": 9.0}
    ranking = await smoothed(store, inner, decay=decay, reach=reach).rank(QUESTION, None)
    assert {hit.memory.id: hit.score for hit in ranking} == inner
    assert ids(ranking) == ["m2", "m5"]


@pytest.mark.parametrize(("decay", "reach"), [(-0.1, 1), (1.1, 1), (0.5, -1)])
def test_settings_out_of_range_are_refused(decay: float, reach: int) -> None:
    with pytest.raises(ValueError, match=r"decay=|reach="):
        smoothed(new_store(), {}, decay=decay, reach=reach)


@given(scores, st.floats(0, 1), st.integers(0, 15))
def test_spreading_lowers_no_score_and_mirrors(values: np.ndarray, decay: float, reach: int) -> None:
    total = spread(values, decay=decay, reach=reach)
    assert (total >= values).all()
    assert np.allclose(spread(values[::-1], decay=decay, reach=reach)[::-1], total)


@given(scores, st.floats(0, 1), st.integers(0, 15))
def test_spreading_is_the_plain_double_sum(values: np.ndarray, decay: float, reach: int) -> None:
    plain = [
        sum(decay ** abs(i - j) * values[j] for j in range(len(values)) if abs(i - j) <= reach)
        for i in range(len(values))
    ]
    assert np.allclose(spread(values, decay=decay, reach=reach), plain)


async def test_a_retired_memory_that_was_found_spreads_and_one_that_was_not_stays_away() -> None:
    store = await store_of(*LINES)
    inner = Fixed(store, {"m5": 8.0})
    past = (await inner.rank(QUESTION, None))[0]
    await store.apply(Delete("m5", START))
    await store.apply(Delete("m6", START))

    class Past(Fixed):
        async def rank(self, question: Question, depth: int | None) -> list[Hit]:
            return [past]

    both = Smoothed(Past(store, {}), store, decay=0.5, reach=1, top_k=None, max_tokens=None)
    assert ids(await both.rank(QUESTION, None)) == ["m5", "m4", "m7"]
