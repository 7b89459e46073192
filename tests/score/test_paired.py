"""The paired test and its interval: against a second way to compute them, and by simulation."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from memlab.score.families import joint
from memlab.score.paired import MOST_EXACT, SPLITS, difference

Numbers = NDArray[np.float64]
Draws = Callable[[np.random.Generator, Numbers], Numbers]

LOCOMO_SIZES = (152, 81, 152, 199, 178, 123, 150, 191, 156, 158)
"""Scored questions of LOCOMO's ten conversations, about."""


def flipped(values: list[float], conversations: list[str]) -> float:
    """The p-value, by flipping the signs of all questions of a conversation one set of signs at a time."""
    names = sorted(set(conversations))
    # Ties are broken by the mean of the conversations' means.
    sizes = Counter(conversations)
    share = 1e-4 * len(values) / len(names)
    values = [value * (1 + share / sizes[name]) for value, name in zip(values, conversations, strict=True)]
    observed = abs(sum(values))
    extreme = 0
    for signs in product((1, -1), repeat=len(names)):
        sign = dict(zip(names, signs, strict=True))
        total = sum(sign[name] * value for name, value in zip(conversations, values, strict=True))
        extreme += abs(total) >= observed - 1e-9
    return extreme / 2 ** len(names)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), st.sampled_from("abcdefg")), min_size=1, max_size=40
    )
)
def test_p_is_the_share_of_sign_flips_at_least_as_far_from_0(rows: list[tuple[float, str]]) -> None:
    values, conversations = [value for value, _ in rows], [name for _, name in rows]
    assert difference(values, conversations, seed=0).p == pytest.approx(flipped(values, conversations))


def test_the_interval_holds_what_the_test_does_not_reject() -> None:
    draw = np.random.default_rng(2)
    conversations = [name for name, size in zip("abcdefgh", range(4, 20, 2), strict=True) for _ in range(size)]
    values = list(draw.normal(0.1, 1, len(conversations)))
    low, high = difference(values, conversations, seed=0).interval or (inf, inf)
    for bound, inside in ((low, 1e-6), (high, -1e-6)):
        assert flipped([value - bound - inside for value in values], conversations) > 0.05
        assert flipped([value - bound + inside for value in values], conversations) <= 0.05


def test_what_is_counted() -> None:
    found = difference([1.0, 0.0, -0.5, 1e-12, 1.0], ["a", "a", "b", "b", "b"], seed=0)
    assert (found.n, found.conversations, found.value) == (5, 2, pytest.approx(0.3))
    assert (found.wins, found.ties, found.losses) == (2, 2, 1)


@pytest.mark.parametrize(("conversations", "smallest"), [(1, 1.0), (5, 2 / 32), (7, 2 / 128), (10, 2 / 1024)])
def test_few_conversations_cannot_give_a_small_p(conversations: int, smallest: float) -> None:
    names = [str(number) for number in range(conversations) for _ in range(100)]
    found = difference([1.0] * len(names), names, seed=0)
    assert (found.p, found.smallest_p) == (smallest, smallest)
    assert (found.interval is None) == (found.detectable is None) == (conversations < 6)


def test_many_conversations_are_sampled_and_repeat() -> None:
    draw = np.random.default_rng(0)
    names = [str(number) for number in range(MOST_EXACT + 6) for _ in range(5)]
    values = list(draw.normal(0.3, 1, len(names)))
    found = difference(values, names, seed=4)
    assert found == difference(values, names, seed=4)
    assert found.smallest_p == 1 / SPLITS
    sums = np.asarray(values).reshape(-1, 5).sum(axis=1)
    signs = draw.choice([-1, 1], size=(200_000, len(sums)))
    assert found.p == pytest.approx(np.mean(np.abs(signs @ sums) >= abs(sums.sum())), abs=0.005)


def test_a_sampled_p_is_never_0() -> None:
    names = [str(number) for number in range(40)]
    assert difference([1.0] * 40, names, seed=0).p == 1 / SPLITS
    assert joint([([1.0] * 40, names)], seed=0) == [1 / SPLITS]


def test_no_difference_at_all_is_no_finding() -> None:
    found = difference([0.0] * 20, [str(number // 2) for number in range(20)], seed=0)
    assert (found.p, found.interval, found.detectable) == (1.0, (0.0, 0.0), 0.0)


def marks(draw: np.random.Generator, own: Numbers) -> Numbers:
    """Right or wrong: a question changes sides in 20 %, more often to the better side where `own` is above 0."""
    chance = draw.random(own.shape)
    return (chance < (0.2 + own) / 2).astype(float) - (chance > 1 - (0.2 - own) / 2)


def shares(draw: np.random.Generator, own: Numbers) -> Numbers:
    """Values like F1's: differences that are seldom the same."""
    return own + draw.normal(0, 0.4, own.shape)


def outcomes(conversations: int, effect: float, draws: Draws, trials: int) -> tuple[float, float, float]:
    """How often p <= 0.05, how often the interval holds the truth, and the mean detectable difference.

    Questions of LOCOMO's conversations, a third of them; conversations differ by 0.03, as published systems' do.
    """
    sizes = np.array(LOCOMO_SIZES[:conversations]) // 3
    names = np.arange(conversations).astype(str).repeat(sizes)
    draw = np.random.default_rng(7)
    own = effect + draw.normal(0, 0.03, (trials, conversations)).repeat(sizes, axis=1)
    found = [difference(values, names, seed=0) for values in draws(draw, own)]  # type: ignore[arg-type]
    covered = [one.interval is not None and one.interval[0] <= effect <= one.interval[1] for one in found]
    return (
        float(np.mean([one.p <= 0.05 for one in found])),
        float(np.mean(covered)),
        float(np.mean([one.detectable for one in found])),
    )


@pytest.mark.parametrize(("conversations", "draws"), [(10, shares), (10, marks), (7, shares)])
def test_without_a_difference_it_is_rejected_5_times_in_100(conversations: int, draws: Draws) -> None:
    rejected, covered, _ = outcomes(conversations, 0.0, draws, trials=3000)
    assert rejected == pytest.approx(0.05, abs=0.01)
    assert covered == pytest.approx(0.95, abs=0.01)


def test_with_seven_conversations_of_right_and_wrong_ties_cost_level_and_never_add_to_it() -> None:
    assert 0.02 < outcomes(7, 0.0, marks, trials=1500)[0] < 0.05


def test_power_grows_with_the_difference_and_is_80_percent_at_the_detectable_one() -> None:
    *_, detectable = outcomes(10, 0.0, marks, trials=300)
    half, whole, twice = (outcomes(10, detectable * times, marks, trials=600) for times in (0.5, 1, 2))
    assert 0.2 < half[0] < 0.4
    assert whole[0] == pytest.approx(0.8, abs=0.05)
    assert twice[0] > 0.99
    assert min(half[1], whole[1], twice[1]) > 0.93, "the interval loses the truth when there is a difference"


def test_the_interval_holds_the_truth_as_often_as_it_says_with_seven_conversations() -> None:
    draw = np.random.default_rng(3)
    names = [str(number) for number in range(7) for _ in range(12)]
    held = 0
    for _ in range(250):
        values = list(draw.normal(0, 0.3, 7).repeat(12) + draw.normal(0, 0.4, 84))
        low, high = difference(values, names, seed=0).interval or (inf, inf)
        held += low <= 0 <= high
    assert held >= 0.93 * 250
