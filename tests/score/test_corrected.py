"""Which way J is corrected."""

from typing import Any

import pytest

from memlab.score.across_systems import METHOD as ACROSS
from memlab.score.corrected import corrected
from memlab.score.rogan_gladen import METHOD as SAME

CELL = {"1": [60, 10, 20, 10], "4": [50, 10, 20, 20]}
ANSWERS = [(place, category, float(n < 6)) for place in "xyz" for category in (1, 4) for n in range(9)]


def systems(count: int) -> dict[str, Any]:
    return {f"s{n}": {key: [c[0] - 5 * n, c[1], c[2], c[3] + 5 * n] for key, c in CELL.items()} for n in range(count)}


def card(own: dict[str, Any]) -> dict[str, Any]:
    return {"counts": {"a": CELL, "b": CELL}, "systems": own}


@pytest.mark.parametrize(("count", "method"), [(0, SAME), (5, SAME), (6, ACROSS), (9, ACROSS)])
def test_enough_systems_are_gone_across_and_of_fewer_errors_are_the_same(count: int, method: str) -> None:
    found = corrected(ANSWERS, card(systems(count)), seed=0)
    assert found.method == method
    assert found.interval is not None


def test_systems_that_lack_a_category_of_the_answers_are_left_out() -> None:
    short = {f"t{n}": {"1": [60, 10, 20, 10]} for n in range(9)}
    assert corrected(ANSWERS, card(short), seed=0).method == SAME
    assert corrected(ANSWERS, card(short | systems(6)), seed=0).method == ACROSS


def test_nothing_judged_is_nothing_to_correct() -> None:
    assert corrected([], card({}), seed=0).reason == "there is no verdict"
