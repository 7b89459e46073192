"""The answer of a report in words: which run is best at which budget, and whether the difference is real."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from memlab.compare.cells import OVERALL, Cell, family
from memlab.records import Record
from memlab.report.certainty import ALONE, NOT, counted, holds, p_value, signed
from memlab.report.figures.series import Series, named_series
from memlab.report.paired import both, values
from memlab.report.rows import Run, value_of, with_interval
from memlab.score.paired import POWER

ASKED = {
    "evidence_recall@512t": ("Evidence within 512 tokens", "share of the evidence turns, mean"),
    "evidence_recall@1764t": ("Evidence within 1,764 tokens", "share of the evidence turns, mean"),
    "evidence_recall@3616t": ("Evidence within 3,616 tokens", "share of the evidence turns, mean"),
    "f1": ("Answers", "F1, mean"),
}
SEED = 0
YES, UNSURE = "yes", "cannot tell"
CAVEAT = (
    "Differences are of the same questions, in categories 1-4, with 95 % intervals of each by itself and a paired "
    "permutation test over whole conversations. p is corrected, jointly, for all pairs of runs in a row, as the best "
    "was chosen by looking; the size of its lead is still flattered by that. The tables correct over all their cells, "
    "categories as well: there the same difference may hold by itself only."
)


@dataclass(frozen=True, slots=True)
class Lead:
    """What the best run has over another: the other's name and value, whether that is real, and the difference."""

    over: str
    value: str
    real: str
    words: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What was asked, and of what; the best run's place, name, value; its lead over the next and over the first run."""

    asked: str
    unit: str
    place: int
    best: str
    value: str
    over_next: Lead | None
    over_first: Lead | None


def findings(runs: Sequence[Run], scores: Sequence[Sequence[Record]]) -> list[Finding]:
    """Return what the runs are compared by, with the best of them.

    `scores` are the records of each run's scores.jsonl; runs on different data are not compared. Runs that are
    there for comparison only, like `no_memory`, are not ranked.
    """
    if len({manifest["dataset"]["sha256"] for manifest, _ in runs}) > 1:
        return []
    _, series = named_series(runs)
    found = []
    for metric, (asked, unit) in ASKED.items():
        ranked = ranking(series, metric)
        if not ranked:
            continue
        best, *others = ranked
        leads = leads_over(metric, ranked, series, scores)
        value = with_interval(series[best].summary["metrics"][metric]["overall"])
        over_next = leads.get(others[0]) if others else None
        found.append(Finding(asked, unit, best, series[best].label, value, over_next, leads.get(min(ranked))))
    return found


def ranking(series: Sequence[Series], metric: str) -> list[int]:
    """Return the places of the runs, the best first; without those for comparison only, unless there are no others."""
    valued = [place for place, one in enumerate(series) if value_of(one.summary, metric) is not None]
    chosen = [place for place in valued if not series[place].sanity] or valued
    return sorted(chosen, key=lambda place: -(value_of(series[place].summary, metric) or 0.0))


def leads_over(
    metric: str, ranked: Sequence[int], series: Sequence[Series], scores: Sequence[Sequence[Record]]
) -> dict[int, Lead]:
    """Return what the best run, the first of some, has over each other, by their places.

    All pairs of runs are the family that p is corrected for: the best may then be chosen by looking.
    """
    valued = {place: values(scores[place], metric) for place in ranked}
    pairs = {(one, other): both(valued[other], valued[one]) for one, other in combinations(ranked, 2)}
    pairs = {names: found for names, found in pairs.items() if found}
    compared = family(list(pairs.values()), (OVERALL,), seed=SEED) if pairs else []
    cells = dict(zip(pairs, (cell for [cell] in compared), strict=True))
    return {other: lead(series[other], metric, cell) for (one, other), cell in cells.items() if one == ranked[0]}


def lead(over: Series, metric: str, cell: Cell) -> Lead:
    """Return one lead in words."""
    own = cell.difference
    told = f"{signed(own.value, own.interval)}, n={own.n:,}, p {p_value(cell.p_joint)}"
    held = holds(own.p, cell.p_holm, cell.p_joint)
    real = UNSURE if held in (NOT, ALONE) else YES
    if own.detectable is None:
        told += f": {counted(own.conversations)} cannot show any difference"
    elif held == ALONE:
        told += f"; p {p_value(own.p)} had this pair been named before"
    elif held == NOT:
        told += f"; a true difference of about {own.detectable:.3f} would show {100 * POWER:.0f} % of the time"
    elif own.value < 0:
        told += ": lower on the questions that both have"
    return Lead(over.label, with_interval(over.summary["metrics"][metric]["overall"]), real, told)
