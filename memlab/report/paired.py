"""How runs differ from the first of them, question by question."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from memlab.dialogue import SCORED_CATEGORIES
from memlab.records import Record
from memlab.report.rows import Run, labels
from memlab.report.table import Table
from memlab.score.statistics import mean

METRICS = ("f1", "evidence_recall")
NOTE = (
    "Mean difference over the questions that both runs have a value for, in categories 1-4 together and each by its "
    "number; above 0: more than the first row's. Intervals: 95 %, conversations resampled, for each cell by itself: of "
    "twenty cells without any difference, one is expected to leave out 0. Few conversations make them too narrow."
)

Values = dict[str, tuple[str, int, float]]
"""Conversation, category and value of each question by id."""
Paired = dict[str, dict[str, Record]]
"""Differences of a run by metric, and by category or overall: n, value, interval."""


def values(scores: Iterable[Record], metric: str) -> Values:
    """Return the value of each question by a metric, the mean of its attempts; of those that have one."""
    found: dict[str, list[float]] = defaultdict(list)
    places: dict[str, tuple[str, int]] = {}
    for score in scores:
        if score["metric"] == metric and score["value"] is not None and score["category"] in SCORED_CATEGORIES:
            found[score["id"]].append(score["value"])
            places[score["id"]] = score["conversation"], score["category"]
    return {id_: (*places[id_], fmean(own)) for id_, own in found.items()}


def differences(first: Values, other: Values, *, seed: int) -> dict[str, Record]:
    """Return the mean differences of two runs over the questions that both have, overall and by category."""
    pairs = [(*first[id_][:2], value - first[id_][2]) for id_, (_, _, value) in other.items() if id_ in first]
    groups = {"overall": SCORED_CATEGORIES} | {str(category): (category,) for category in SCORED_CATEGORIES}
    cells = {}
    for name, chosen in groups.items():
        own = [(conversation, value) for conversation, category, value in pairs if category in chosen]
        if own:
            result = mean([value for _, value in own], [conversation for conversation, _ in own], seed=seed)
            cells[name] = {"n": result.n, "value": result.value, "interval": result.interval}
    return cells


def paired(scores: Mapping[int, Sequence[Record]], *, seed: int) -> dict[int, Paired]:
    """Return how each run differs from the first; `scores` are the records of scores.jsonl by place."""
    found: dict[int, Paired] = defaultdict(dict)
    for metric in METRICS:
        by_place = {place: values(own, metric) for place, own in scores.items()}
        first = next(iter(by_place), None)
        for place, own in by_place.items():
            if first is not None and place != first:
                found[place][metric] = differences(by_place[first], own, seed=seed)
    return dict(found)


def paired_tables(runs: Sequence[Run], found: Mapping[int, Paired], first: int | None) -> list[Table]:
    """Return the differences from the first run, a table a metric and a row a run; none when there are none."""
    if not found or first is None:
        return []
    names, rows = labels([manifest for manifest, _ in runs])
    groups = list(dict.fromkeys(group for own in found.values() for cells in own.values() for group in cells))
    return [
        Table(
            f"{metric}, paired differences from {' '.join(rows[first])}",
            (*names, *map(named, groups)),
            tuple(
                (*rows[place], *(signed(own[metric].get(group)) for group in groups)) for place, own in found.items()
            ),
            (NOTE,) if metric == METRICS[-1] else (),
        )
        for metric in METRICS
    ]


def named(group: str) -> str:
    """Return the heading of a group of questions."""
    return "all" if group == "overall" else f"@{group}"


def signed(cell: Any) -> str:
    """Return `+0.018 [+0.01, +0.03]`, or `-` where there is no value."""
    if not cell or cell["value"] is None:
        return "-"
    told = f"{cell['value']:+.3f}"
    return told if not cell["interval"] else f"{told} [{cell['interval'][0]:+.2f}, {cell['interval'][1]:+.2f}]"
