"""The questions on which two sources differ most."""

from collections.abc import Sequence
from dataclasses import dataclass

from memlab.compare.cells import in_group
from memlab.compare.matching import Matched


@dataclass(frozen=True, slots=True)
class Apart:
    """A question with both answers and both values; `where`: its id, or its conversation."""

    where: str
    category: int | None
    question: str
    gold: str
    first_answer: str
    other_answer: str
    first: float
    other: float


def furthest(common: Matched, metric: str, groups: Sequence[str], most: int) -> list[Apart]:
    """Return up to `most` questions of some groups each way, the furthest first; the other's wins come first.

    Of equally far ones those come first that other metrics set apart, too.
    """
    found = []
    for first, other in common.pairs.values():
        chosen = any(in_group(first.category, group) for group in groups)
        if not chosen or metric not in first.values or metric not in other.values:
            continue
        shared = first.values.keys() & other.values.keys() - {metric}
        also = sum(other.values[name] - first.values[name] for name in sorted(shared))
        gap = other.values[metric] - first.values[metric]
        where = first.id or other.id or str(first.conversation)
        shown = Apart(
            where,
            first.category,
            first.question,
            first.gold,
            first.answer or "",
            other.answer or "",
            first.values[metric],
            other.values[metric],
        )
        found.append((gap, also, shown))
    better = sorted((one for one in found if one[0] > 0), key=lambda one: (-one[0], -one[1]))
    worse = sorted((one for one in found if one[0] < 0), key=lambda one: (one[0], one[1]))
    return [shown for _, _, shown in (*better[:most], *worse[:most])]
