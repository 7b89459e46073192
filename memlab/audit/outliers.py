"""Conversations on which a file scores so far from its others that something broke there."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from memlab.score.students_t import beyond

ALPHA = 0.01
"""The share of sound files in which any conversation is flagged, over all metrics that are tested."""
SPREAD = 0.055
"""The standard deviation between conversations that published files show (F1: 0.033, J: 0.055 over some 20 files)."""
SPREAD_WEIGHT = 5
"""How many conversations that experience counts for beside a file's own (fitted to those files: F1 4.6, J 16.7)."""
FEWEST = 5
"""Conversations below which nothing can be said to lie far from the others."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One answer's value, from 0 to 1."""

    conversation: str
    category: int | None
    value: float


@dataclass(frozen=True, slots=True)
class Standing:
    """A conversation's mean, and how far it lies above what its categories give in the sound conversations.

    `p` is that of the outermost one at the step at which it was tested, corrected for the number of conversations;
    None where the test did not come to it.
    """

    conversation: str
    n: int
    value: float
    gap: float
    p: float | None
    flagged: bool


def standings(rows: Sequence[Scored], alpha: float) -> list[Standing]:
    """Return the conversations in their order, flagged by a generalised extreme studentised deviate test (Rosner 1983).

    The unit is the conversation, not the question: each one's mean is first compared, category by category, with the
    others', then with the spread between them. Of few conversations that spread is hard to know, so it is moderated by
    that of other files (as Smyth 2004 does with variances): a small one makes no alarm, a large one hides no collapse.
    It looks for up to a third of the conversations, so broken ones cannot hide each other, and takes the means of sound
    ones as normal.
    """
    names = list(dict.fromkeys(row.conversation for row in rows))
    flagged, p = outliers(gaps(rows, names, ()), alpha) if len(names) >= FEWEST else (set(), {})
    broken = {names[place] for place in flagged}
    final = gaps(rows, names, broken)
    found = []
    for place, name in enumerate(names):
        own = [row.value for row in rows if row.conversation == name]
        mean = float(np.mean(own))
        found.append(Standing(name, len(own), mean, float(final[place]), p.get(place), place in flagged))
    return found


def gaps(rows: Sequence[Scored], names: Sequence[str], broken: Collection[str]) -> np.ndarray:
    """Return each conversation's mean difference from what its categories give in the others that are not broken."""
    sums, counts = _by_category(rows)
    found = []
    for name in names:
        others = [one for one in names if one != name and one not in broken]
        gap = 0.0
        n = sum(counts[name].values())
        for category, count in counts[name].items():
            total = sum(counts[one].get(category, 0) for one in others)
            expected = sum(sums[one].get(category, 0.0) for one in others) / total if total else 0.0
            gap += sums[name][category] - count * expected if total else 0.0
        found.append(gap / n)
    return np.asarray(found)


def _by_category(
    rows: Sequence[Scored],
) -> tuple[Mapping[str, dict[int | None, float]], Mapping[str, dict[int | None, int]]]:
    sums: dict[str, dict[int | None, float]] = {}
    counts: dict[str, dict[int | None, int]] = {}
    for row in rows:
        own, number = sums.setdefault(row.conversation, {}), counts.setdefault(row.conversation, {})
        own[row.category] = own.get(row.category, 0.0) + row.value
        number[row.category] = number.get(row.category, 0) + 1
    return sums, counts


def outliers(values: np.ndarray, alpha: float) -> tuple[set[int], dict[int, float]]:
    """Return the places of the outliers among gaps, and the corrected p value of each place that was tested."""
    left = list(range(len(values)))
    order: list[int] = []
    p: dict[int, float] = {}
    found = 0
    for step in range(1, max(1, (len(values) - 1) // 3) + 1):
        p_value, place = _outermost(values[left])
        order.append(left.pop(place))
        p[order[-1]] = p_value
        if p_value < alpha:
            found = step
    return set(order[:found]), p


def _outermost(values: np.ndarray) -> tuple[float, int]:
    """Return the two-sided p value of the value furthest from the others, corrected for all, and its place."""
    n = len(values)
    place = int(np.abs(values - values.mean()).argmax())
    others = np.delete(values, place)
    freedom = n - 2 + SPREAD_WEIGHT
    spread = ((n - 2) * float(others.var(ddof=1)) + SPREAD_WEIGHT * SPREAD**2) / freedom
    t = abs(float(values[place] - others.mean())) / sqrt(spread * (1 + 1 / (n - 1)))
    return min(1.0, n * beyond(t, freedom)), place
