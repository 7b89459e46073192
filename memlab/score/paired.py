"""Differences question by question, with a test and an interval that take whole conversations.

Questions of one conversation are not independent, so the test flips the sign of whole conversations: without a
difference, the sum of a conversation's differences is as likely to be below 0 as to be as far above. Flipping some is
splitting the conversations into two groups, and the mean is at most as far from 0 as a flipped one exactly when the
two groups do not agree on the sign. So p is the share of all splits whose groups disagree (the split into all and none
among them), and the interval holds the differences that this test does not reject: it covers what it claims however
few conversations there are, however unequal, where a percentile bootstrap is too narrow.

Right and wrong answers make many splits tie, which would cost the test half its level. So ties are broken by the mean
of the conversations' own means, which joins the mean over questions with a weight of NUDGE.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from memlab.score.students_t import quantile

LEVEL = 0.05
"""Of the test; the interval covers 1 - LEVEL."""
POWER = 0.8
"""How often a difference as large as the detectable one is found, about."""
MOST_EXACT = 14
"""Conversations up to which all splits are tried; beyond, as many as SPLITS are drawn."""
SPLITS = 10_000
NUDGE = 1e-4
"""Moves a mean by less than one answer among thousands, and is fixed before the answers are seen: the test is exact."""
TIE = 1e-9
"""Differences up to which two values are the same; rounding errors of means are far below."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of n differences, and how sure it is.

    `smallest_p` is what the test can give at best with so many conversations. `interval` and `detectable` (the true
    difference found with POWER) are None where they are too few for any difference to be found.
    """

    n: int
    conversations: int
    value: float
    interval: tuple[float, float] | None
    p: float
    smallest_p: float
    detectable: float | None
    wins: int
    ties: int
    losses: int


def difference(values: Sequence[float], conversations: Sequence[str], *, seed: int) -> Difference:
    """Return the mean of differences (at least one) between two systems; `seed` matters beyond MOST_EXACT alone."""
    data = np.asarray(values, dtype=np.float64)
    names, sums, counts = by_conversation(data, conversations)
    weights = nudged(counts)
    lower, upper = ends(weights * sums, weights * counts, splits(len(names), seed))
    rejected = allowed(len(lower))
    return Difference(
        n=len(data),
        conversations=len(names),
        value=float(data.mean()),
        interval=(float(np.sort(lower)[rejected]), float(np.sort(upper)[-1 - rejected])) if rejected else None,
        p=float(np.mean((lower <= TIE) & (upper >= -TIE))),
        smallest_p=1 / len(lower),
        detectable=detectable(sums, counts, rejected / len(lower)) if rejected else None,
        wins=int(np.sum(data > TIE)),
        ties=int(np.sum(np.abs(data) <= TIE)),
        losses=int(np.sum(data < -TIE)),
    )


def by_conversation(data: Numbers, conversations: Sequence[str]) -> tuple[list[str], Numbers, Numbers]:
    """Return the conversations, and of each the sum and the number of its values."""
    names, index = np.unique(np.asarray(conversations), return_inverse=True)
    sums: Numbers = np.zeros(len(names))
    counts: Numbers = np.zeros(len(names))
    np.add.at(sums, index, data)
    np.add.at(counts, index, 1)
    return names.tolist(), sums, counts


def nudged(counts: Numbers) -> Numbers:
    """Return the weights of conversations that break ties between sums of answers."""
    weights: Numbers = 1 + NUDGE * counts.mean() / counts
    return weights


@cache
def splits(conversations: int, seed: int) -> Numbers:
    """Return splits of conversations into two groups, a row each with ones for the second; none in it is the first.

    The first conversation is never in it: a split and its mirror image say the same.
    """
    if conversations <= MOST_EXACT:
        bits = np.arange(2 ** (conversations - 1))[:, None] >> np.arange(conversations - 1) & 1
    else:
        bits = np.random.default_rng(seed).integers(2, size=(SPLITS, conversations - 1))
        bits[0] = 0
    return np.hstack([np.zeros((len(bits), 1)), bits])


def ends(sums: Numbers, counts: Numbers, chosen: Numbers) -> tuple[Numbers, Numbers]:
    """Return the smaller and the larger of both groups' means for each split; those of a split that is none, at inf."""
    total, questions = sums.sum(), counts.sum()
    of_group, in_group = chosen @ sums, chosen @ counts
    some = in_group > 0
    safe = np.where(some, in_group, 1.0)
    means = of_group / safe, (total - of_group) / (questions - np.where(some, in_group, 0.0))
    return np.where(some, np.minimum(*means), -inf), np.where(some, np.maximum(*means), inf)


def allowed(tried: int) -> int:
    """Return in how many of the splits that were tried groups may disagree for the test to reject."""
    return int(LEVEL * tried + TIE)


def detectable(sums: Numbers, counts: Numbers, level: float) -> float:
    """Return the true difference that a test at a level finds with about POWER, from the spread of conversations."""
    freedom = len(sums) - 1
    apart = sums - counts * sums.sum() / counts.sum()
    error = sqrt(float((apart**2).sum()) * len(sums) / freedom) / counts.sum()
    unbiased = error * (1 + 1 / (4 * freedom))  # a deviation of few is too small by about that
    return float((quantile(1 - level / 2, freedom) + quantile(POWER, freedom)) * unbiased)
