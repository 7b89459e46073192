"""The differences between sources, in categories 1-4 together and each, corrected as one family."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from memlab.compare.matching import Matched
from memlab.dialogue import SCORED_CATEGORIES
from memlab.score.families import holm, joint
from memlab.score.paired import Difference, difference

OVERALL = "overall"
GROUPS: Mapping[str, Sequence[int]] = {OVERALL: SCORED_CATEGORIES} | {str(one): (one,) for one in SCORED_CATEGORIES}
"""Categories of each group of questions by its name."""

Pair = tuple[str, int | None, float, float]
"""Conversation and category of a question, the first one's value and the other's."""


@dataclass(frozen=True, slots=True)
class Cell:
    """How another differs from a first on a group of questions; `means` are the first one's and the other's over these.

    `p_holm` and `p_joint` are corrected for the cell's family, by Holm and by step-down max-T.
    """

    group: str
    means: tuple[float, float]
    difference: Difference
    p_holm: float
    p_joint: float


def family(compared: Sequence[Sequence[Pair]], groups: Sequence[str], *, seed: int) -> list[list[Cell]]:
    """Return the cells of each comparison, groups without questions left out; all cells together are the family."""
    chosen = [[(group, own) for group in groups if (own := of_group(pairs, group))] for pairs in compared]
    every = [own for cells in chosen for _, own in cells]
    tests = [([other - first for *_, first, other in own], [pair[0] for pair in own]) for own in every]
    found = [difference(*test, seed=seed) for test in tests]
    corrected = iter(zip(found, holm([one.p for one in found]), joint(tests, seed=seed), strict=True))
    return [[Cell(group, averages(own), *next(corrected)) for group, own in cells] for cells in chosen]


def of_group(pairs: Sequence[Pair], group: str) -> list[Pair]:
    """Return the questions of a group; one of no known category is in the overall value (category 5 is not here)."""
    return [pair for pair in pairs if in_group(pair[1], group)]


def in_group(category: int | None, group: str) -> bool:
    """Return whether questions of a category are of a group."""
    return category in GROUPS[group] or (group == OVERALL and category is None)


def averages(pairs: Sequence[Pair]) -> tuple[float, float]:
    """Return the first one's mean and the other's."""
    return fmean(first for *_, first, _ in pairs), fmean(other for *_, other in pairs)


def valued(common: Matched, metric: str) -> list[Pair]:
    """Return the common questions that both sources have a value of a metric for."""
    return [
        (str(first.conversation), first.category, first.values[metric], other.values[metric])
        for first, other in common.pairs.values()
        if metric in first.values and metric in other.values
    ]
