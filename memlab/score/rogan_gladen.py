"""The share of correct answers, from a judge whose errors are the same for every system (Rogan and Gladen 1978).

A judge that passes a share se of the correct answers and refuses a share sp of the wrong ones calls a share
q = J se + (1 - J) (1 - sp) correct; so J = (q + sp - 1) / (se + sp - 1). Errors differ between categories of questions,
so each is corrected by its own, and the overall value is their mean, weighted by questions.
"""

import numpy as np

from memlab.score.judged import LEVEL, Corrected, Judged, Numbers, cut_off
from memlab.score.students_t import quantile

METHOD = "Rogan-Gladen, by category (errors taken as the same for every system)"
RESAMPLES = 2_000
ENOUGH = 0.9
"""Of the resamples, that must have a value."""
LEAST = 0.2
"""Of se + sp - 1: a judge with less hardly tells correct answers from wrong ones, and the correction would be noise."""


def same_errors(judged: Judged, measured: Numbers, *, seed: int) -> Corrected:
    """Return the corrected share, from counts by conversation and category.

    The interval holds the spread over the answers' conversations and that of the judge's errors over those it was
    measured on: both are resampled, and the deviation is taken times Student's t of the smaller number less one.
    """
    for category, cells in zip(judged.categories, measured.sum(0), strict=True):
        if not useful(cells):
            reason = f"the judge was not measured in category {category}, or is too often wrong there"
            return Corrected(reason=reason, method=METHOD)
    value = float(share(judged.sums.sum(0), judged.numbers.sum(0), errors_of(measured)))
    least = min(len(judged.numbers), len(measured))
    if least < 2:
        return cut_off(value, None, METHOD)
    draw = np.random.default_rng(seed)
    own = draw.integers(len(judged.numbers), size=(RESAMPLES, len(judged.numbers)))
    errors = errors_of(measured[draw.integers(len(measured), size=(RESAMPLES, len(measured)))])
    found = share(judged.sums[own].sum(1), judged.numbers[own].sum(1), errors)
    told = found[np.isfinite(found)]
    if len(told) < ENOUGH * RESAMPLES:
        reason = "the judge was measured on too few answers of some category"
        return Corrected(reason=reason, method=METHOD)
    return cut_off(value, float(told.std()) * quantile((1 + LEVEL) / 2, least - 1), METHOD)


def useful(cells: Numbers) -> bool:
    """Return whether a judge tells correct answers from wrong ones by these counts."""
    both, judge, labels, neither = cells
    return bool(both + labels and judge + neither and both / (both + labels) - judge / (judge + neither) >= LEAST)


def errors_of(measured: Numbers) -> Numbers:
    """Return se and 1 - sp of each category, of resamples if there are any before; not a number where one lacks it."""
    cells = measured.sum(-3)
    both, judge, labels, neither = (cells[..., number] for number in range(4))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.stack([both / (both + labels), judge / (judge + neither)], -1)


def share(sums: Numbers, numbers: Numbers, errors: Numbers) -> Numbers:
    """Return the corrected share over all answers, of each resample."""
    gap = errors[..., 0] - errors[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        # A resample in which the judge is no better than chance says nothing.
        each = np.where(gap > LEAST / 2, (sums / numbers - errors[..., 1]) / gap, np.nan)
    found: Numbers = np.where(numbers > 0, each * numbers, 0).sum(-1) / numbers.sum(-1)
    return found
