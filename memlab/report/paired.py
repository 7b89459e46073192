"""How the runs of a study differ from the first of them, question by question."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from memlab.compare.cells import GROUPS, OVERALL, Cell, Pair, family
from memlab.dialogue import SCORED_CATEGORIES
from memlab.records import Record
from memlab.report.cell import NOTHING, Number
from memlab.report.certainty import INTERVALS, JOINT, MARKS, MARKS_NOTE, family_note, holds, signed, test_note
from memlab.report.rows import Run, labels
from memlab.report.table import Table

METRICS = ("f1", "evidence_recall")
NOTE = (
    "Mean difference over the questions that both runs have a value for, in categories 1-4 together and each by its "
    "number; above 0: more than the first row's."
)

Values = dict[str, tuple[str, int, float]]
"""Conversation, category and value of each question by id."""
Paired = dict[str, dict[str, Record]]
"""Differences of a run by metric, and by category or overall: n, value, interval, p, ..."""


def values(scores: Iterable[Record], metric: str) -> Values:
    """Return the value of each question by a metric, the mean of its attempts; of those that have one."""
    found: dict[str, list[float]] = defaultdict(list)
    places: dict[str, tuple[str, int]] = {}
    for score in scores:
        if score["metric"] == metric and score["value"] is not None and score["category"] in SCORED_CATEGORIES:
            found[score["id"]].append(score["value"])
            places[score["id"]] = score["conversation"], score["category"]
    return {id_: (*places[id_], fmean(own)) for id_, own in found.items()}


def both(first: Values, other: Values) -> list[Pair]:
    """Return the questions that two runs have a value for."""
    return [(*first[id_], value) for id_, (_, _, value) in other.items() if id_ in first]


def paired(scores: Mapping[int, Sequence[Record]], *, seed: int) -> dict[int, Paired]:
    """Return how each run differs from the first; `scores` are the records of scores.jsonl by place.

    Holm's family: all cells of a metric, those of a table.
    """
    found: dict[int, Paired] = defaultdict(dict)
    for metric in METRICS:
        by_place = {place: values(own, metric) for place, own in scores.items()}
        if by_place:
            first, *others = by_place
            compared = family([both(by_place[first], by_place[place]) for place in others], tuple(GROUPS), seed=seed)
            for place, cells in zip(others, compared, strict=True):
                found[place][metric] = {cell.group: recorded(cell) for cell in cells}
    return dict(found)


def recorded(cell: Cell) -> Record:
    """Return a cell as comparison.json holds it."""
    own = cell.difference
    return {
        "n": own.n,
        "conversations": own.conversations,
        "value": own.value,
        "interval": own.interval,
        "p": own.p,
        "p_holm": cell.p_holm,
        "p_joint": cell.p_joint,
        "smallest_p": own.smallest_p,
        "detectable": own.detectable,
        "wins": own.wins,
        "ties": own.ties,
        "losses": own.losses,
    }


def paired_tables(runs: Sequence[Run], found: Mapping[int, Paired], first: int | None) -> list[Table]:
    """Return the differences from the first run, a table a metric and a row a run; none when there are none."""
    if not found or first is None:
        return []
    names, rows = labels([manifest for manifest, _ in runs])
    groups = list(dict.fromkeys(group for own in found.values() for cells in own.values() for group in cells))
    cells = {metric: [cell for own in found.values() for cell in own[metric].values()] for metric in METRICS}
    metrics = [metric for metric in METRICS if cells[metric]]
    return [
        Table(
            f"{metric}, paired differences from {' '.join(rows[first])}",
            (*names, *map(named, groups)),
            tuple((*rows[place], *(shown(own[metric].get(group)) for group in groups)) for place, own in found.items()),
            tuple(certainty(cells[metric], last=metric == metrics[-1])),
        )
        for metric in metrics
    ]


def certainty(cells: Sequence[Record], *, last: bool) -> list[str]:
    """Return what can be told at all from a table; below the last, also how to read all of them."""
    most = max(cell["conversations"] for cell in cells)
    smallest = min(cell["smallest_p"] for cell in cells)
    family = "all of this table, against its first row"
    once = [NOTE, MARKS_NOTE, test_note(most), JOINT, INTERVALS] if last else []
    return [family_note(smallest, most, len(cells), family), *once]


def named(group: str) -> str:
    """Return the heading of a group of questions."""
    return "all" if group == OVERALL else f"@{group}"


def shown(cell: Any) -> Number:
    """Return `+0.018 [+0.01, +0.03]**`, or `-` where there is no value; as data, with p instead of the mark."""
    if not cell:
        return Number(NOTHING)
    mark = MARKS[holds(cell["p"], cell["p_holm"], cell["p_joint"])]
    told = signed(cell["value"], cell["interval"])
    corrected = {"p Holm": cell["p_holm"], "p joint": cell["p_joint"]}
    return Number(told + mark, cell["value"], **{**told.parts, "p": cell["p"], **corrected})
