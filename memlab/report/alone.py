"""What each system of a study shows that no other does, question by question."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from memlab.dialogue import CATEGORIES, SCORED_CATEGORIES
from memlab.records import Record
from memlab.report.rows import Run, labels, number
from memlab.report.table import Table

METRIC = "evidence_recall"
SHOWS_ALL = "everything"
"""The retriever beside which no system could show anything alone."""
NOTE = (
    "The same questions for all rows: categories 1-4, with evidence and scored in every run. Whole: share of questions "
    "all of whose evidence is shown; alone: those of which no other row shows all; alone @c: of category c. Systems "
    "that show every memory are left out: beside them no other is alone."
)


@dataclass(frozen=True, slots=True)
class Shares:
    """What one system shows of the questions that all have: shares of them, and of each category for `alone`."""

    n: int
    whole: float
    alone: float
    alone_by_category: dict[str, float]


Wholes = dict[str, tuple[int, bool]]
"""Category of each question by id, and whether all of its evidence was shown at every attempt."""


def wholes(scores: Iterable[Record]) -> Wholes:
    """Return which questions of a run had all of their evidence shown; those without a value are left out."""
    values: dict[str, list[float]] = defaultdict(list)
    categories: dict[str, int] = {}
    for score in scores:
        if score["metric"] == METRIC and score["value"] is not None and score["category"] in SCORED_CATEGORIES:
            values[score["id"]].append(score["value"])
            categories[score["id"]] = score["category"]
    return {id_: (categories[id_], min(own) == 1) for id_, own in values.items()}


def shares(found: Sequence[Wholes]) -> list[Shares]:
    """Return the shares of each system, over the questions that all of them have; none when there is no such one."""
    common = [id_ for id_ in found[0] if all(id_ in own for own in found)] if found else []
    if not common:
        return []
    showing = {id_: [place for place, own in enumerate(found) if own[id_][1]] for id_ in common}
    category = {id_: found[0][id_][0] for id_ in common}
    rows = []
    for place in range(len(found)):
        alone = {id_: showing[id_] == [place] for id_ in common}
        rows.append(
            Shares(
                len(common),
                fmean(place in showing[id_] for id_ in common),
                fmean(alone.values()),
                {
                    str(c): fmean(alone[id_] for id_ in own)
                    for c in CATEGORIES
                    if (own := [id_ for id_ in common if category[id_] == c])
                },
            )
        )
    return rows


def comparable(runs: Sequence[Run]) -> list[int]:
    """Return the places of the runs that are compared; none unless two systems ran on the same data."""
    places = [place for place, (m, _) in enumerate(runs) if m["choices"].get("retriever") != SHOWS_ALL]
    systems = {runs[place][0]["choices"].get("system") for place in places}
    data = {runs[place][0]["dataset"]["sha256"] for place in places}
    return places if len(systems) > 1 and len(data) == 1 else []


def alone(scores: Mapping[int, Iterable[Record]]) -> list[tuple[int, Shares]]:
    """Return place and shares of each run; `scores` are the records of scores.jsonl by the place of their run."""
    return list(zip(scores, shares([wholes(own) for own in scores.values()]), strict=False))


def alone_table(runs: Sequence[Run], found: Sequence[tuple[int, Shares]]) -> Table | None:
    """Return what each system alone shows, a row each, or None when there is nothing to compare."""
    if not found:
        return None
    names, rows = labels([manifest for manifest, _ in runs])
    present = list(found[0][1].alone_by_category)
    cells = tuple(
        (*rows[place], number(own.whole), number(own.alone), *(number(own.alone_by_category[c]) for c in present))
        for place, own in found
    )
    title = f"Shown by one system alone: categories 1-4, n={found[0][1].n:,} questions with evidence"
    return Table(title, (*names, "whole", "alone", *(f"alone\n@{c}" for c in present)), cells, (NOTE,))
