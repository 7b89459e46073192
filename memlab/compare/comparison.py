"""Several runs and files, compared with the first of them or each with each."""

from collections.abc import Sequence
from dataclasses import dataclass

from memlab.compare.answers import Answers, J, NotComparable, is_verdict
from memlab.compare.cells import Cell, family, valued
from memlab.compare.matching import Matched, matched
from memlab.spelling import did_you_mean

ALWAYS, WHERE_BOTH = ("f1",), ("evidence_recall",)
"""The metrics that are compared unless others are named, beside what judges say."""


@dataclass(frozen=True, slots=True)
class Family:
    """The cells of one metric, by the place of their pair; Holm's correction is over all of them."""

    metric: str
    cells: dict[int, list[Cell]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Sources, the pairs of them that were compared (by their places, the first one's before), and a family a metric.

    `groups` of questions are compared; `seed` draws splits where the conversations are too many to try all.
    """

    sources: tuple[Answers, ...]
    places: tuple[tuple[int, int], ...]
    pairs: tuple[Matched, ...]
    families: tuple[Family, ...]
    groups: tuple[str, ...]
    seed: int


def compared(
    sources: Sequence[Answers], metrics: Sequence[str] | None, groups: Sequence[str], *, all_pairs: bool, seed: int
) -> Comparison:
    """Return the comparison of sources by some metrics (None: those that are usual), on some groups of questions.

    Raises NotComparable when there are not two sources, no common questions, or no values of a metric.
    """
    if len(sources) < 2:
        raise NotComparable(
            f"nothing to compare {sources[0].name if sources else 'it'} with; give two runs or prediction files"
        )
    last = len(sources) - 1 if all_pairs else 1
    places = tuple((first, other) for first in range(last) for other in range(first + 1, len(sources)))
    pairs = tuple(matched(sources[first], sources[other]) for first, other in places)
    chosen = known(pairs, metrics) if metrics else usual(pairs)
    families = []
    for metric in dict.fromkeys(chosen):
        found = {place: own for place, pair in enumerate(pairs) if (own := valued(pair, metric))}
        cells = family(list(found.values()), groups, seed=seed)
        if any(cells):
            families.append(Family(metric, {place: own for place, own in zip(found, cells, strict=True) if own}))
        elif metrics:
            raise NotComparable(f"no common question of {' and '.join(groups)} has a value of {metric} in both")
    if not families:
        raise NotComparable("no common question has a value in both: " + "; ".join(map(told_metrics, sources)))
    return Comparison(tuple(sources), places, pairs, tuple(families), tuple(groups), seed)


def shared(pair: Matched) -> list[str]:
    """Return the metrics that some common question has a value of in both sources."""
    return list(
        dict.fromkeys(
            metric for first, other in pair.pairs.values() for metric in first.values if metric in other.values
        )
    )


def usual(pairs: Sequence[Matched]) -> list[str]:
    """Return the metrics that are compared unless others are named: F1, verdicts, evidence recall, where both have it.

    J stands in for a run's own verdicts only beside a published file.
    """
    found = dict.fromkeys(metric for pair in pairs for metric in shared(pair))
    runs_alone = all(pair.first.is_run and pair.other.is_run for pair in pairs)
    verdicts = [metric for metric in found if is_verdict(metric) and not (metric == J and runs_alone)]
    return [metric for metric in (*ALWAYS, *verdicts, *WHERE_BOTH) if metric in found]


def known(pairs: Sequence[Matched], metrics: Sequence[str]) -> list[str]:
    """Return the metrics of some names, whatever their case; raises NotComparable when no pair has one in common."""
    there = {metric.casefold(): metric for pair in pairs for metric in shared(pair)}
    for metric in metrics:
        if metric.casefold() not in there:
            names = list(there.values())
            raise NotComparable(
                f"no metric '{metric}' that both have{did_you_mean(metric, names)} (metrics: {', '.join(names)})"
            )
    return [there[metric.casefold()] for metric in metrics]


def told_metrics(source: Answers) -> str:
    """Return which metrics a source has."""
    return f"{source.name} has {', '.join(source.metrics) or 'none'}"
