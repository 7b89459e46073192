"""Which printed means and deviations can come from counting right answers."""

from decimal import Decimal
from itertools import product
from math import sqrt
from statistics import pstdev, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.audit.possible import Printed, chance, counts, fewest_runs, possible_counts


def printed(value: str, std: str | None = None) -> Printed:
    number = Decimal(value)
    decimals = -int(number.as_tuple().exponent)
    return Printed(number, decimals, None if std is None else Decimal(std), 2)


@settings(max_examples=60)
@given(st.integers(1, 900), st.integers(1, 12), st.data())
def test_whatever_is_counted_is_possible_as_it_is_printed(questions: int, runs: int, data: st.DataObject) -> None:
    right = data.draw(st.lists(st.integers(0, questions), min_size=runs, max_size=runs))
    shares = [100 * one / questions for one in right]
    for deviation in (pstdev, stdev) if runs > 1 else ():
        found = possible_counts(printed(f"{sum(shares) / runs:.2f}", f"{deviation(shares):.2f}"), questions, runs)
        assert sum(right) in found
    assert sum(right) in possible_counts(printed(f"{sum(shares) / runs:.1f}"), questions, runs)


@settings(max_examples=60)
@given(st.integers(1, 400), st.integers(0, 10_000))
def test_a_mean_is_possible_only_when_a_count_is_printed_so(trials: int, hundredths: int) -> None:
    value = Decimal(hundredths).scaleb(-2)
    near = [k for k in range(trials + 1) if abs(Decimal(100 * k) - value * trials) <= Decimal("0.005") * trials]
    assert list(counts(Printed(value, 2), trials)) == near


def test_deviations_are_possible_exactly_when_whole_counts_have_them() -> None:
    # Every way to be right in 9 runs of 3 questions, against every std that could be printed beside the mean.
    spread: dict[int, set[str]] = {}
    for right in product(range(2), repeat=9):
        shares = [100 * one / 3 for one in right]
        spread.setdefault(sum(right), set()).update({f"{pstdev(shares):.2f}", f"{stdev(shares):.2f}"})
    for total, stds in spread.items():
        mean = f"{100 * total / 27:.2f}"
        assert all(possible_counts(printed(mean, std), 3, 9) for std in stds)
        off = f"{float(max(stds)) * sqrt(1.2) + 0.5:.2f}"
        assert not possible_counts(printed(mean, off), 3, 9)


@pytest.mark.parametrize(
    ("value", "std", "questions", "runs", "right"),
    [
        ("51.15", "0.31", 96, 10, [491]),  # arXiv 2504.19413, table 1: Mem0, category 3
        ("51.15", "0.30", 96, 10, []),
        ("51.15", "0.45", 96, 10, []),  # between the sums of squares 1 and 3; one of 2 cannot be
        ("51.15", None, 96, 1, []),
        ("52.08", None, 96, 1, [50]),
        ("65.62", None, 96, 1, [63]),  # 65.625: a tie may be rounded down
        ("65.63", None, 96, 1, [63]),
        ("0.00", None, 96, 1, [0]),
        ("100.00", None, 96, 1, [96]),
        ("100.00", "0.65", 282, 10, []),  # all right in every run: nothing varies
        ("0.00", "0.31", 96, 10, []),
        ("67.13", "67.13", 282, 10, []),  # more than runs that are wholly right or wholly wrong
        ("50.00", "50.00", 10, 2, [10]),  # such runs
    ],
)
def test_known_values(value: str, std: str | None, questions: int, runs: int, right: list[int]) -> None:
    assert possible_counts(printed(value, std), questions, runs) == right


def test_the_fewest_runs_are_told() -> None:
    assert fewest_runs(printed("51.15"), 96, 10) == 10  # 491 of 960
    assert fewest_runs(printed("52.08"), 96, 10) == 1
    assert fewest_runs(printed("51.01"), 96, 2) is None


def test_few_digits_are_a_wide_range_and_many_a_narrow_one() -> None:
    assert possible_counts(Printed(Decimal(70), -1), 10, 1) == [7]  # the fraction 0.7
    assert possible_counts(Printed(Decimal(100), -2), 4, 1) == [2, 3, 4]  # the fraction 1
    assert possible_counts(Printed(Decimal("52.083333"), 6), 96, 1) == [50]
    assert chance(Printed(Decimal(100), -2), 4, 1) == 1
    assert chance(Printed(Decimal("52.08333333"), 8), 96, 1) == 0


@pytest.mark.parametrize(("value", "std"), [("51.1", None), ("51.15", "0.31"), ("99.6", None), ("0.00", "0.10")])
def test_chance_is_the_share_of_the_values_around_that_are_possible(value: str, std: str | None) -> None:
    own = printed(value, std)
    steps = [Decimal(step).scaleb(-own.decimals) for step in range(-(10**own.decimals), 10**own.decimals + 1) if step]
    near = [printed(str(own.value + step), std) for step in steps if 0 <= own.value + step <= 100]
    assert chance(own, 96, 2) == sum(bool(possible_counts(one, 96, 2)) for one in near) / len(near)


def test_chance_says_when_the_test_cannot_fail() -> None:
    assert chance(printed("72.93"), 841, 100) == 1
    assert chance(printed("51.15"), 96, 1) < 0.02
