import pytest

from memlab.retrieve.fused import Fused
from memlab.store.store import Store
from tests.retrieve.said import Fixed, asked, ids, new_store, store_of

QUESTION = asked("tea?")


def fused(store: Store, first: dict[str, float], second: dict[str, float], constant: int = 60) -> Fused:
    return Fused(Fixed(store, first), Fixed(store, second), rank_constant=constant, top_k=None, max_tokens=None)


async def test_what_both_rank_beats_what_one_ranks_higher() -> None:
    store = await store_of("Ada: a", "Ada: b", "Ada: c")
    ranking = await fused(store, {"m0": 3, "m1": 2}, {"m2": 3, "m1": 2}).rank(QUESTION, None)
    assert ids(ranking) == ["m1", "m0", "m2"]


async def test_a_score_is_the_sum_of_reciprocal_ranks() -> None:
    store = await store_of("Ada: a", "Ada: b")
    ranking = await fused(store, {"m0": 0.9, "m1": 0.1}, {"m1": 7.0}).rank(QUESTION, None)
    assert {hit.memory.id: hit.score for hit in ranking} == {"m0": 1 / 61, "m1": 1 / 62 + 1 / 61}


async def test_only_ranks_count_not_the_scale_of_the_scores() -> None:
    store = await store_of("Ada: a", "Ada: b", "Ada: c")
    small = await fused(store, {"m0": 0.3, "m1": 0.2}, {"m2": 0.1}).rank(QUESTION, None)
    assert await fused(store, {"m0": 3000, "m1": 1}, {"m2": 0.1}).rank(QUESTION, None) == small


async def test_of_equal_scores_the_older_memory_comes_first() -> None:
    lines = [f"Ada: {number}" for number in range(11)]
    store = await store_of(*lines)
    assert ids(await fused(store, {"m10": 1}, {"m9": 1}).rank(QUESTION, None)) == ["m9", "m10"]


async def test_a_small_constant_favours_a_first_place() -> None:
    store = await store_of(*(f"Ada: {number}" for number in range(5)))
    first = {"m0": 9, "m1": 8, "m2": 7, "m3": 6}
    second = {"m4": 9, "m3": 8}
    assert ids(await fused(store, first, second, constant=60).rank(QUESTION, None))[0] == "m3"
    assert ids(await fused(store, first, second, constant=0).rank(QUESTION, None))[0] == "m0"


async def test_the_bounds_of_the_two_do_not_cut_their_rankings() -> None:
    store = await store_of("Ada: a", "Ada: b")
    first = Fixed(store, {"m0": 2, "m1": 1})
    first.top_k, first.max_tokens = 1, 5
    both = Fused(first, Fixed(store, {}), rank_constant=60, top_k=None, max_tokens=None)
    assert ids(await both.rank(QUESTION, None)) == ["m0", "m1"]


def test_a_negative_constant_is_refused() -> None:
    with pytest.raises(ValueError, match="rank_constant=-1"):
        fused(new_store(), {}, {}, constant=-1)
