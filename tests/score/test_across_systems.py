"""The share that labels would call correct, foretold from systems that a judge and labels have judged."""

import numpy as np
import pytest

from memlab.score.across_systems import foretold
from memlab.score.judged import Judged, Numbers
from memlab.score.students_t import quantile

ERRORS = ((0.85, 0.75), (0.9, 0.6))
"""By category: which share of correct answers the judge passes, and of wrong ones refuses, on the average system."""
BETWEEN = 0.04
"""How far these differ between systems."""


def verdicts(draw: np.random.Generator, truth: float, numbers: Numbers) -> Numbers:
    """The four counts of one system: conversations, categories, both / judge / labels / neither."""
    found = np.zeros((*numbers.shape, 4))
    for category, errors in enumerate(ERRORS):
        passes, refuses = np.clip(np.array(errors) + BETWEEN * draw.standard_normal(2), 0, 1)
        for place, number in enumerate(numbers[:, category].astype(int)):
            right = draw.binomial(number, np.clip(truth + 0.04 * draw.standard_normal(), 0, 1))
            both, judge = draw.binomial(right, passes), draw.binomial(number - right, 1 - refuses)
            found[place, category] = both, judge, right - both, number - right - judge
    return found


def judged(cells: Numbers) -> Judged:
    return Judged((1, 4), cells[..., 0] + cells[..., 1], cells.sum(2))


def test_the_interval_holds_the_truth_of_a_further_system_and_the_raw_one_does_not() -> None:
    held = raw = 0
    numbers = np.full((8, 2), 70.0)
    for seed in range(200):
        draw = np.random.default_rng(seed)
        systems = np.stack([verdicts(draw, own, numbers).sum(0) for own in np.linspace(0.25, 0.95, 14)])
        truth = draw.uniform(0.3, 0.9)
        new = judged(verdicts(draw, truth, numbers))
        found = foretold(new, systems)
        assert found.interval is not None
        held += found.interval[0] <= truth <= found.interval[1]
        raw += abs(new.share - truth) <= quantile(0.975, 7) * new.variance**0.5
    assert 0.92 <= held / 200 <= 0.98
    assert raw / 200 < 0.75


def line(*points: tuple[int, int]) -> Numbers:
    """Systems of 100 answers in one category: how many the judge passes, how many are correct."""
    return np.array([[[min(p, c), max(0, p - c), max(0, c - p), 100 - max(p, c)]] for p, c in points], np.float64)


STRAIGHT = line((20, 30), (30, 40), (40, 50), (50, 60), (60, 70), (70, 80))


def passed(*shares: float) -> Judged:
    return Judged((1,), np.array([[100 * share] for share in shares]), np.full((len(shares), 1), 100.0))


def test_the_value_lies_on_the_line() -> None:
    found = foretold(passed(0.4, 0.5), STRAIGHT)
    assert found.value == pytest.approx(0.55)
    assert found.interval is not None
    assert found.interval[0] < 0.55 < found.interval[1]
    assert foretold(passed(0.45), STRAIGHT).interval is None


def test_systems_are_taken_with_the_categories_of_the_answers() -> None:
    easy, hard = STRAIGHT, line(*[(passes, passes // 2) for passes in (20, 30, 40, 50, 60, 70)])
    both = np.concatenate([easy, hard], 1)
    given = np.array([[50.0, 10.0], [50.0, 10.0]])
    found = foretold(Judged((1, 4), given * 0.4, given), both)
    assert found.value == pytest.approx((0.5 * 100 + 0.2 * 20) / 120)


@pytest.mark.parametrize("share", [0.1, 0.8])
def test_a_share_unlike_those_of_the_systems_is_not_corrected(share: float) -> None:
    found = foretold(passed(share, share), STRAIGHT)
    assert found.value is None
    assert "more than 5 points outside those of the systems that it was measured on, 20 to 70 %" in str(found.reason)


def test_a_judge_that_says_nothing_across_systems_corrects_nothing() -> None:
    for systems in (line(*[(50, n) for n in range(10, 70, 10)]), line(*[(n, 90 - n) for n in range(10, 70, 10)])):
        assert "says nothing" in str(foretold(passed(0.5, 0.5), systems).reason)


def test_a_value_beyond_1_is_cut_off_and_said() -> None:
    found = foretold(passed(0.72, 0.72), line((20, 50), (30, 54), (40, 70), (50, 76), (60, 93), (70, 96)))
    assert (found.value, found.clipped) == (1.0, True)
    assert found.interval is not None
    assert found.interval[0] < found.interval[1] == 1


def test_few_answers_have_a_wider_interval() -> None:
    few = Judged((1,), np.array([[1.0], [2.0]] * 6), np.full((12, 1), 4.0))
    many = Judged((1,), 10 * few.sums, 10 * few.numbers)
    wide, narrow = foretold(few, STRAIGHT).interval, foretold(many, STRAIGHT).interval
    assert wide is not None
    assert narrow is not None
    assert wide[1] - wide[0] > narrow[1] - narrow[0]
