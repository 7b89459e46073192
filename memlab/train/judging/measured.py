"""How good a judge is on conversations, and on systems, that it has not learnt from."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memlab.dialogue import SCORED_CATEGORIES
from memlab.train.judging.fits import Chances, Fitted, Labels, Matrix
from memlab.train.judging.labelled import Labelled

Fit = Callable[[NDArray[np.intp]], Fitted]
"""Returns a judge that has learnt from the answers at some places."""
BINS = 15
SYSTEM_FOLDS = 6


def held_out(groups: Sequence[str], rows: Matrix, fit: Fit) -> tuple[Chances, Labels]:
    """Return chances and verdicts on each answer by a judge that has seen none of its group."""
    names = np.asarray(groups)
    chances, verdicts = np.zeros(len(rows)), np.zeros(len(rows), bool)
    for name in dict.fromkeys(groups):
        out = names == name
        fitted = fit(np.flatnonzero(~out))
        chances[out], verdicts[out] = fitted.probabilities(rows[out]), fitted.verdicts(rows[out])
    return chances, verdicts


def system_folds(answers: Sequence[Labelled]) -> list[str]:
    """Return the fold of each answer's system; names that begin alike, mostly one project's, come into one."""
    systems = sorted({one.system for one in answers})
    fold = {system: str(number * SYSTEM_FOLDS // len(systems)) for number, system in enumerate(systems)}
    return [fold[one.system] for one in answers]


def described(answers: Sequence[Labelled], chances: Chances, verdicts: Labels) -> dict[str, Any]:
    """Return what a card says of verdicts on answers that were not learnt from."""
    right = np.array([one.correct for one in answers])
    categories = np.array([one.category for one in answers])
    systems = np.array([one.system for one in answers])
    return {
        "n": len(answers),
        "agreement": rounded((verdicts == right).mean()),
        "auc": rounded(auc(chances, right)),
        "expected_calibration_error": rounded(calibration_error(chances, right)),
        "by_category": {
            str(category): errors(verdicts[categories == category], right[categories == category])
            for category in SCORED_CATEGORIES
            if (categories == category).any()
        },
        "by_system": {
            str(system): {
                "n": int((systems == system).sum()),
                "agreement": rounded((verdicts == right)[systems == system].mean()),
                "passed": rounded(verdicts[systems == system].mean()),
                "passed_by_labels": rounded(right[systems == system].mean()),
            }
            for system in dict.fromkeys(systems)
        },
    }


def errors(verdicts: Labels, right: Labels) -> dict[str, Any]:
    """Return agreement, and the shares of correct answers that pass and of wrong ones that do not."""
    return {
        "n": len(right),
        "agreement": rounded((verdicts == right).mean()),
        "sensitivity": rounded(verdicts[right].mean()) if right.any() else None,
        "specificity": rounded((~verdicts)[~right].mean()) if (~right).any() else None,
    }


def counts(answers: Sequence[Labelled], verdicts: Labels) -> dict[str, dict[str, list[int]]]:
    """Return by conversation and category how many answers both call correct, one alone, the other alone, neither."""
    found: dict[str, dict[str, list[int]]] = {}
    for one, verdict in zip(answers, verdicts, strict=True):
        cell = found.setdefault(one.conversation, {}).setdefault(str(one.category), [0, 0, 0, 0])
        cell[2 * (not verdict) + (not one.correct)] += 1
    return found


def auc(chances: Chances, right: Labels) -> float:
    """Return the chance that a correct answer is ranked above a wrong one; ties count half."""
    _, inverse, times = np.unique(chances, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(times) - (times - 1) / 2)[inverse]
    positives = int(right.sum())
    above = ranks[right].sum() - positives * (positives + 1) / 2
    return float(above / (positives * (len(right) - positives)))


def calibration_error(chances: Chances, right: Labels) -> float:
    """Return the expected calibration error over bins of equal width (Guo et al. 2017)."""
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    return float(
        sum(
            abs(chances[bins == number].mean() - right[bins == number].mean()) * (bins == number).mean()
            for number in np.unique(bins)
        )
    )


def rounded(value: Any) -> float:
    """Return a number for a card."""
    return round(float(value), 4)
