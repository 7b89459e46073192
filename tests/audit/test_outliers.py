"""Conversations that lie far from the others: how often sound ones are flagged, and what is found."""

import numpy as np
import pytest

from memlab.audit.outliers import ALPHA, FEWEST, Scored, outliers, standings
from memlab.paper.locomo import BY_CONVERSATION

SEVEN = [sum(n for category, n in asked.items() if category != 5) for asked in BY_CONVERSATION.values()]
TEN = [*SEVEN, 123, 150, 158]


def flagged(rng: np.random.Generator, sizes: list[int], spread: float, broken: dict[int, float]) -> set[int]:
    """Return the places that are flagged of conversations with right and wrong answers, some of them broken."""
    shares = np.clip(rng.normal(0.6, spread, len(sizes)), 0, 1)
    shares[list(broken)] = list(broken.values())
    right = rng.binomial(sizes, shares)
    others = (right.sum() - right) / (sum(sizes) - np.asarray(sizes))
    return outliers(right / sizes - others, ALPHA / 2)[0]


@pytest.mark.parametrize(("spread", "most"), [(0.05, 0.01), (0.07, 0.015), (0.09, 0.04)])
def test_sound_files_are_flagged_as_rarely_as_stated(spread: float, most: float) -> None:
    rng = np.random.default_rng(0)
    alarms = [bool(flagged(rng, sizes, spread, {})) for sizes in (SEVEN, TEN) for _ in range(600)]
    assert np.mean(alarms) <= most


@pytest.mark.parametrize("sizes", [SEVEN, TEN])
def test_a_collapsed_conversation_is_found(sizes: list[int]) -> None:
    rng = np.random.default_rng(1)
    found = [flagged(rng, sizes, 0.05, {6: 0.15}) for _ in range(200)]
    assert np.mean([places == {6} for places in found]) > 0.95


def test_two_collapsed_conversations_do_not_hide_each_other() -> None:
    rng = np.random.default_rng(2)
    found = [flagged(rng, TEN, 0.05, {6: 0.19, 9: 0.12}) for _ in range(200)]
    assert np.mean([places == {6, 9} for places in found]) > 0.95


def test_a_hard_category_is_not_taken_for_a_broken_conversation() -> None:
    rows = [Scored(f"c{n}", 4, float(k % 10 < 8)) for n in range(FEWEST + 2) for k in range(100 + n)]
    rows += [Scored(f"c{n}", 3, float(k % 10 < 2)) for n in range(2) for k in range(100)]
    assert not any(one.flagged for one in standings(rows, ALPHA))
    assert all(abs(one.gap) < 0.02 for one in standings(rows, ALPHA))


def test_few_conversations_are_not_tested() -> None:
    rows = [Scored(f"c{n}", 4, float(n > 0)) for n in range(FEWEST - 1) for _ in range(50)]
    assert not any(one.flagged for one in standings(rows, ALPHA))
