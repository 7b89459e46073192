"""The audit of a results table: its category map, whether its values are possible, whether they beat the ceiling."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from memlab.audit.ceiling import ceiling
from memlab.audit.findings import Finding
from memlab.audit.maps import CategoryMap, Exact, Tried, exact_overall, possible_under, reproduced, testable, tried_maps
from memlab.audit.possible import Printed, fewest_runs, possible_counts
from memlab.audit.results import SCORED_CATEGORIES, Results, Row

MOST_RUNS = 10
"""Runs of the judge that are tried where a table does not tell them."""


@dataclass(frozen=True, slots=True)
class RowAudit:
    """A row under the map of its table. `fitting`: the maps that its own overall value agrees with.

    `runs`: as told, else the fewest with which all its values are possible; None when they never are.
    """

    row: Row
    fitting: tuple[CategoryMap, ...]
    runs: int | None
    exact: Exact | None


@dataclass(frozen=True, slots=True)
class TableAudit:
    """The maps that were tried, best first, the one that is taken (None: undecided), and the rows under it.

    `fitting`: those that reproduce the most rows; more than one when the numbers cannot tell them apart.
    """

    results: Results
    tried: tuple[Tried, ...]
    fitting: tuple[Tried, ...]
    map: CategoryMap | None
    rows: tuple[RowAudit, ...]
    findings: tuple[Finding, ...]


def audit_results(results: Results) -> TableAudit:
    """Audit a table."""
    tried = tried_maps(results)
    best = [one for one in tried if one.held and one.held == tried[0].held]
    fitting = best if len(best) < 2 else _possible_ones(results, best)
    chosen = fitting[0].map if len(fitting) == 1 else None
    rows = tuple(_row(results, place, tried, chosen) for place in range(len(results.rows)))
    findings = [*_of_map(results, tried, best, fitting)]
    for audited in rows:
        findings += _of_row(results, audited, chosen)
    return TableAudit(results, tuple(tried), tuple(fitting), chosen, rows, tuple(findings))


def _possible_ones(results: Results, maps: Sequence[Tried]) -> list[Tried]:
    """Return those of several maps under which the rows that they reproduce are possible with the fewest runs."""
    if not results.is_counted:
        return list(maps)
    needed = [_runs_needed(results, one) for one in maps]
    return [one for one, runs in zip(maps, needed, strict=True) if runs == min(needed)]


def _runs_needed(results: Results, tried: Tried) -> list[int]:
    held = [results.rows[place] for place, row in tried.rows.items() if row.holds]
    return sorted(fewest(results, row, tried.map) or MOST_RUNS + 1 for row in held)


def fewest(results: Results, row: Row, named: CategoryMap) -> int | None:
    """Return the runs that a row tells if its values are possible with them, else the fewest; None: with none."""
    for runs in [row.runs] if row.runs else range(1, MOST_RUNS + 1):
        if all(possible_under(row, named, results.questions, runs).values()):
            return runs
    return None


def _row(results: Results, place: int, tried: Sequence[Tried], chosen: CategoryMap | None) -> RowAudit:
    row = results.rows[place]
    fitting = tuple(one.map for one in tried if place in one.rows and one.rows[place].holds)
    if chosen is None or not results.is_counted or not row.values:
        return RowAudit(row, fitting, row.runs, None)
    runs = fewest(results, row, chosen)
    exact = exact_overall(row, chosen, results.questions, runs) if runs and testable(row) else None
    return RowAudit(row, fitting, runs, exact)


def told(named: CategoryMap) -> str:
    """Return a map in words."""
    return ", ".join(f"{name} = {number}" for name, number in named.items())


def _of_map(
    results: Results, tried: Sequence[Tried], best: Sequence[Tried], fitting: Sequence[Tried]
) -> Iterator[Finding]:
    if not results.is_counted:
        words = (
            f"{results.metric!r} is not known as a share of right answers: neither whether its values are possible nor "
            'the ceiling is tested; if it is one, write metric = "J"'
        )
        yield Finding("untested", results.title, words, "note")
    if not tried:
        words = f"no row has {len(SCORED_CATEGORIES)} categories and an overall value"
        if len(results.names) > len(SCORED_CATEGORIES):
            words = (
                f"{len(results.names)} names where LoCoMo has {len(SCORED_CATEGORIES)} categories: "
                f"{', '.join(results.names)} (leave out others, such as adversarial; the mean of all is `overall`)"
            )
        words += ": the category map cannot be tested"
        yield Finding("untested", results.title, words, "note")
        return
    if not best:
        nearest = tried[0]
        words = f"no map reproduces the overall value of any row; nearest: {told(nearest.map)}, off by up to " \
            f"{float(nearest.worst):.2f} points"  # fmt: skip
        yield Finding("map", results.title, words)
    elif len(fitting) > 1:
        words = f"{len(fitting)} maps fit equally well: {'; '.join(told(one.map) for one in fitting)}"
        yield Finding("ambiguous", results.title, words, "note")
    elif len(best) > 1:
        others = "; ".join(told(one.map) for one in best if one is not fitting[0])
        words = f"the overall values also agree with {others}, under which the values are not possible with as few runs"
        yield Finding("ambiguous", results.title, words, "note")


def _of_row(results: Results, audited: RowAudit, named: CategoryMap | None) -> Iterator[Finding]:
    row = audited.row
    if named is not None and not testable(row):
        lacking = [name for name in results.names if name not in row.values] if row.values else ["its categories"]
        lacking += [] if row.overall else ["overall"]
        words = f"no value of {', '.join(lacking)}: its overall value cannot be held against its categories"
        yield Finding("untested", row.method, words, "note")
    if named is not None and testable(row):
        yield from _overall(results, audited, named)
    elif row.overall is not None and results.is_counted and not _ever(row, row.overall, results.scored):
        yield Finding("impossible", row.method, _never(row, "overall", results.scored))
    if named is not None and results.is_counted and row.values and audited.runs is None:
        yield from _impossible(results, row, named)
    if results.is_counted:
        yield from _above(results, row, named)


def _overall(results: Results, audited: RowAudit, named: CategoryMap) -> Iterator[Finding]:
    row = audited.row
    assert row.overall is not None
    under = reproduced(row, named, results.questions)
    exact = audited.exact
    cut = exact is not None and exact.cut_to(row.overall)
    if not under.holds:
        words = f"overall {row.overall.value} is not the mean of its categories under the table's map: that is " \
            f"{float(under.computed):.2f}, further away than rounding allows"  # fmt: skip
        if cut:
            yield Finding("cut", row.method, f"{words}; digits cut off instead of rounded would explain it", "note")
            return
        if audited.fitting:
            words += f"; this row alone agrees with: {' | '.join(map(told, audited.fitting))}"
        yield Finding("overall", row.method, words)
    elif exact is not None and not exact.rounds_to(row.overall):
        low, high = float(exact.low), float(exact.high)
        value = f"{low:.3f}" if exact.low == exact.high else f"{low:.3f} to {high:.3f}"
        words = f"overall {row.overall.value} agrees with the rounded categories, but the counts behind them " \
            f"({audited.runs} judge runs) give {value}"  # fmt: skip
        yield Finding("inexact", row.method, words, "note")


def _impossible(results: Results, row: Row, named: CategoryMap) -> Iterator[Finding]:
    for name, value in row.values.items():
        questions = results.questions[named[name]]
        if not _ever(row, value, questions):
            yield Finding("impossible", row.method, _never(row, name, questions))


def _ever(row: Row, value: Printed, questions: int) -> bool:
    if row.runs:
        return bool(possible_counts(value, questions, row.runs))
    return fewest_runs(value, questions, MOST_RUNS) is not None


def _never(row: Row, name: str, questions: int) -> str:
    value = row.overall if name == "overall" and name not in row.values else row.values[name]
    assert value is not None
    std = "" if value.std is None else f" +- {value.std}"
    over = f"{row.runs} runs" if row.runs else f"1 to {MOST_RUNS} runs"
    return f"{name} {value.value}{std} is no share of whole right answers: {questions:,} questions, {over}"


def _above(results: Results, row: Row, named: CategoryMap | None) -> Iterator[Finding]:
    checked: list[tuple[str, Printed | None, int | None]] = [("overall", row.overall, None)]
    if named is not None:
        checked += [(name, value, named[name]) for name, value in row.values.items()]
    for name, value, category in checked:
        limit = ceiling(category, results.questions)
        if value is not None and limit is not None and float(Fraction(value.value) - value.half) > limit.percent:
            words = f"{name} {value.value} is above the ceiling of right golds, {limit.told}"
            yield Finding("ceiling", row.method, words)
