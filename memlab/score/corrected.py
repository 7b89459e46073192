"""The share of correct answers, from a judge whose errors were measured (Rogan and Gladen 1978).

A judge that passes a share se of the correct answers and refuses a share sp of the wrong ones calls a share
q = J se + (1 - J) (1 - sp) correct; so J = (q + sp - 1) / (se + sp - 1). Errors differ between categories of questions,
so each is corrected by its own, and the overall value is their mean, weighted by questions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memlab.score.paired import student

METHOD = "Rogan-Gladen, by category"
RESAMPLES = 2_000
LEVEL = 0.95
LEAST = 0.2
"""Of se + sp - 1: a judge with less hardly tells correct answers from wrong ones, and the correction would be noise."""

Counts = Mapping[str, Mapping[str, Sequence[int]]]
"""By conversation and category: answers that both call correct, only the judge does, only the labels do, neither."""
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Corrected:
    """A share of correct answers from 0 to 1 with its 95 % interval, or the reason why there is none.

    `clipped`: the correction led beyond 0 or 1, and was cut off there.
    """

    value: float | None
    interval: tuple[float, float] | None
    clipped: bool
    reason: str | None = None


def corrected(answers: Sequence[tuple[str, int, float]], counts: Counts, *, seed: int) -> Corrected:
    """Return the corrected share over answers: conversation, category, and the share of verdicts that say correct.

    The interval holds the spread over the answers' conversations and that of the judge's errors over those it was
    measured on: both are resampled, and the deviation is taken times Student's t of the smaller number less one.
    """
    categories = sorted({category for _, category, _ in answers})
    known = {category: table(counts, category) for category in categories}
    for category, cells in known.items():
        if not useful(cells.sum(0)):
            reason = f"the judge was not measured in category {category}, or is too often wrong there"
            return Corrected(None, None, False, reason)
    if not answers:
        return Corrected(None, None, False, "there is no verdict")
    names = sorted({conversation for conversation, _, _ in answers})
    sums, numbers = per_conversation(answers, names, categories)
    value = share(sums.sum(0), numbers.sum(0), errors_of(known, categories))
    clipped = min(1.0, max(0.0, value))
    interval = None
    if len(names) > 1 and (measured := len(next(iter(known.values())))) > 1:
        draw = np.random.default_rng(seed)
        found = []
        for _ in range(RESAMPLES):
            own = draw.integers(len(names), size=len(names))
            seen = draw.integers(measured, size=measured)
            errors = errors_of({category: cells[seen] for category, cells in known.items()}, categories)
            found.append(share(sums[own].sum(0), numbers[own].sum(0), errors))
        spread = float(np.nanstd(found)) * student((1 + LEVEL) / 2, min(len(names), measured) - 1)
        interval = max(0.0, value - spread), min(1.0, value + spread)
    return Corrected(clipped, interval, clipped != value)


def table(counts: Counts, category: int) -> Numbers:
    """Return the four counts of a category, a row for each conversation that the judge was measured on."""
    return np.array([own.get(str(category), (0, 0, 0, 0)) for own in counts.values()], np.float64).reshape(-1, 4)


def useful(cells: Numbers) -> bool:
    """Return whether a judge tells correct answers from wrong ones by these counts."""
    both, judge, labels, neither = cells
    return bool(both + labels and judge + neither and both / (both + labels) - judge / (judge + neither) >= LEAST)


def errors_of(known: Mapping[int, Numbers], categories: Sequence[int]) -> Numbers:
    """Return se and 1 - sp of each category, a row each; not a number where a resample lacks one."""
    cells = np.array([known[category].sum(0) for category in categories])
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.stack([cells[:, 0] / (cells[:, 0] + cells[:, 2]), cells[:, 1] / (cells[:, 1] + cells[:, 3])], 1)


def per_conversation(
    answers: Sequence[tuple[str, int, float]], names: Sequence[str], categories: Sequence[int]
) -> tuple[Numbers, Numbers]:
    """Return sums of verdicts and numbers of answers, a row a conversation and a column a category."""
    rows = {name: number for number, name in enumerate(names)}
    columns = {category: number for number, category in enumerate(categories)}
    sums, numbers = np.zeros((2, len(names), len(categories)))
    for conversation, category, verdict in answers:
        sums[rows[conversation], columns[category]] += verdict
        numbers[rows[conversation], columns[category]] += 1
    return sums, numbers


def share(sums: Numbers, numbers: Numbers, errors: Numbers) -> float:
    """Return the corrected share over all answers."""
    there = numbers > 0
    passed = sums[there] / numbers[there]
    gap = errors[there, 0] - errors[there, 1]
    # A resample in which the judge is no better than chance says nothing.
    each: Any = np.where(gap > LEAST / 2, (passed - errors[there, 1]) / np.where(gap > 0, gap, 1), np.nan)
    return float((each * numbers[there]).sum() / numbers.sum())
