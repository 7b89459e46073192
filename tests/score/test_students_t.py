"""Student's t against its tables."""

import pytest

from memlab.score.students_t import beyond, quantile

TABLE = [(1, 12.7062, 63.6567), (4, 2.7764, 4.6041), (5, 2.5706, 4.0321), (8, 2.3060, 3.3554)]
"""Degrees of freedom, and the values beyond which 5 % and 1 % lie, both ways together."""


@pytest.mark.parametrize(("freedom", "five", "one"), TABLE)
def test_quantiles_and_tails_are_those_of_tables(freedom: int, five: float, one: float) -> None:
    assert quantile(0.975, freedom) == pytest.approx(five, rel=1e-4)
    assert quantile(0.995, freedom) == pytest.approx(one, rel=1e-4)
    assert beyond(five, freedom) == pytest.approx(0.05, abs=1e-5)
    assert beyond(one, freedom) == pytest.approx(0.01, abs=1e-5)
    assert beyond(0.0, freedom) == 1


@pytest.mark.parametrize(("share", "freedom", "value"), [(0.975, 9, 2.2622), (0.975, 6, 2.4469), (0.8, 9, 0.8834)])
def test_quantiles_of_few_conversations(share: float, freedom: int, value: float) -> None:
    assert quantile(share, freedom) == pytest.approx(value, rel=1e-4)
