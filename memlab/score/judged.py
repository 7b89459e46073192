"""Verdicts on a system's answers, counted for a correction, and what a correction gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95

Numbers = NDArray[np.float64]
Counts = Mapping[str, Mapping[str, Sequence[int]]]
"""By conversation or system, and category: answers that both call correct, only the judge does, only the labels do,
neither does."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A share of correct answers from 0 to 1 with its 95 % interval, or the reason why there is none.

    `clipped`: the correction led beyond 0 or 1, and was cut off there.
    """

    value: float | None = None
    interval: tuple[float, float] | None = None
    clipped: bool = False
    reason: str | None = None
    method: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """Sums of verdicts and numbers of answers, a row a conversation and a column a category."""

    categories: tuple[int, ...]
    sums: Numbers
    numbers: Numbers

    @property
    def share(self) -> float:
        """The share of answers that the judge calls correct."""
        return float(self.sums.sum() / self.numbers.sum())

    @property
    def variance(self) -> float:
        """The variance of that share over conversations, by the linearised ratio; it needs two of them."""
        sums, numbers = self.sums.sum(1), self.numbers.sum(1)
        count = len(numbers)
        return float(count / (count - 1) * ((sums - self.share * numbers) ** 2).sum() / numbers.sum() ** 2)


def judged_shares(answers: Sequence[tuple[str, int, float]]) -> Judged:
    """Return the counts of answers: conversation, category, and the share of verdicts that say correct."""
    names = sorted({conversation for conversation, _, _ in answers})
    categories = tuple(sorted({category for _, category, _ in answers}))
    rows = {name: number for number, name in enumerate(names)}
    columns = {category: number for number, category in enumerate(categories)}
    sums, numbers = np.zeros((2, len(names), len(categories)))
    for conversation, category, verdict in answers:
        sums[rows[conversation], columns[category]] += verdict
        numbers[rows[conversation], columns[category]] += 1
    return Judged(categories, sums, numbers)


def table(counts: Counts, categories: Sequence[int]) -> Numbers:
    """Return counts as an array: conversations or systems, categories, the four counts."""
    rows = [[own.get(str(category), (0, 0, 0, 0)) for category in categories] for own in counts.values()]
    return np.array(rows, np.float64).reshape(-1, len(categories), 4)


def cut_off(value: float, half: float | None, method: str) -> Corrected:
    """Return a corrected share within 0 and 1; none when its whole interval lies beyond."""
    within = min(1.0, max(0.0, value))
    if half is None:
        return Corrected(within, None, within != value, method=method)
    low, high = value - half, value + half
    if not (low <= 1 and high >= 0):
        reason = f"the correction gives {100 * value:.0f} %: the judge errs otherwise on these answers"
        return Corrected(reason=reason, method=method)
    return Corrected(within, (max(0.0, low), min(1.0, high)), within != value, method=method)
