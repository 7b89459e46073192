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
SYSTEM_FOLDS = 4

Group = tuple[str, ...]
"""What an answer is held out by: its conversation, or that and the fold of its system."""
Told = Callable[[Group, Labels, Labels], None]
"""Is told of each group that is done, which answers are done so far, and the verdicts on these."""


def held_out(groups: Sequence[Group], rows: Matrix, fit: Fit, told: Told) -> tuple[Chances, Labels]:
    """Return chances and verdicts on each answer by a judge that has seen nothing of its group, not in one part."""
    names = np.array(groups)
    chances, verdicts, done = np.zeros(len(rows)), np.zeros(len(rows), bool), np.zeros(len(rows), bool)
    for group in dict.fromkeys(groups):
        equal = names == np.array(group)
        out = equal.all(1)
        fitted = fit(np.flatnonzero(~equal.any(1)))
        chances[out], verdicts[out] = fitted.probabilities(rows[out]), fitted.verdicts(rows[out])
        done |= out
        told(group, done, verdicts)
    return chances, verdicts


def with_systems(answers: Sequence[Labelled]) -> list[Group] | None:
    """Return conversation and fold of the system of each answer; None where some leave but one label to learn.

    Systems whose names begin alike, mostly one project's, come into one fold.
    """
    systems = sorted({one.system for one in answers})
    fold = {system: f"fold {number * SYSTEM_FOLDS // len(systems)}" for number, system in enumerate(systems)}
    groups = [(one.conversation, fold[one.system]) for one in answers]
    labels = {(*group, one.correct) for group, one in zip(groups, answers, strict=True)}
    apart = all(len({right for c, d, right in labels if a != c and b != d}) == 2 for a, b in set(groups))
    return [*groups] if apart else None


def described(answers: Sequence[Labelled], chances: Chances, verdicts: Labels) -> dict[str, Any]:
    """Return what a card says of verdicts on answers that were not learnt from."""
    right = np.array([one.correct for one in answers])
    categories = np.array([one.category for one in answers])
    systems = np.array([one.system for one in answers])
    judges = np.array([one.judge for one in answers])
    return {
        **overall(chances, verdicts, right),
        "by_judge": {
            str(judge): overall(chances[judges == judge], verdicts[judges == judge], right[judges == judge])
            for judge in dict.fromkeys(judges)
        },
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


def overall(chances: Chances, verdicts: Labels, right: Labels) -> dict[str, Any]:
    """Return agreement, ranking and calibration."""
    return {
        "n": len(right),
        "agreement": rounded((verdicts == right).mean()),
        "auc": rounded(auc(chances, right)) if right.any() and not right.all() else None,
        "expected_calibration_error": rounded(calibration_error(chances, right)),
    }


def errors(verdicts: Labels, right: Labels) -> dict[str, Any]:
    """Return agreement, and the shares of correct answers that pass and of wrong ones that do not."""
    return {
        "n": len(right),
        "agreement": rounded((verdicts == right).mean()),
        "sensitivity": rounded(verdicts[right].mean()) if right.any() else None,
        "specificity": rounded((~verdicts)[~right].mean()) if (~right).any() else None,
    }


def counts(answers: Sequence[Labelled], groups: Sequence[str], verdicts: Labels) -> dict[str, dict[str, list[int]]]:
    """Return by group and category how many answers both call correct, one alone, the other alone, neither."""
    found: dict[str, dict[str, list[int]]] = {}
    for one, group, verdict in zip(answers, groups, verdicts, strict=True):
        cell = found.setdefault(group, {}).setdefault(str(one.category), [0, 0, 0, 0])
        cell[2 * (not verdict) + (not one.correct)] += 1
    return {group: dict(sorted(own.items())) for group, own in sorted(found.items())}


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
