"""What the audit of a results table found, as tables: the maps, the rows, the values, the findings."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from memlab.audit.ceiling import SOURCE
from memlab.audit.findings import Finding
from memlab.audit.maps import CategoryMap, Tried, possible_under
from memlab.audit.possible import NEIGHBOURHOOD, Printed, chance
from memlab.audit.table import MOST_RUNS, RowAudit, TableAudit, told
from memlab.dialogue import CATEGORY_NAMES
from memlab.report.table import Table

POSSIBLE_NOTE = (
    "Possible: there is a whole number of right answers, out of the questions times the judge's runs, whose percentage "
    "is printed so (a tie rounded either way), and it can be spread over the runs so that their std is printed so "
    f"(divided by runs or runs - 1). By chance: share of the values within {NEIGHBOURHOOD} point that would pass, too; "
    "near 100 % the test could not fail, as with many questions and many runs."
)
ROUNDING_NOTE = "A map reproduces a row when rounding alone, of its categories and its overall value, explains the gap."
NO_FINDING = "Nothing found."


def tables(audit: TableAudit, most: int) -> list[Table]:
    """Return all tables, the maps cut to the best ones; those that there is nothing to fill with are left out."""
    found = [maps(audit, most), overalls(audit), values(audit)]
    return [*(table for table in found if table is not None), findings(audit.results.title, audit.findings)]


def maps(audit: TableAudit, most: int) -> Table | None:
    """Return the maps that were tried, best first, and which of them it is."""
    if not audit.tried:
        return None
    rows = [
        (
            *(str(tried.map[name]) for name in audit.results.names),
            f"{tried.held} of {len(tried.rows)}",
            points(min(abs(row.gap) for row in tried.rows.values()), signed=False),
            points(tried.worst, signed=False),
            *((f"{passing(audit, tried.map)} of {tested(audit)}",) if audit.results.is_counted else ()),
        )
        for tried in audit.tried[:most]
    ]
    headings: tuple[str, ...] = (*audit.results.names, "rows\nreproduced", "smallest\ngap", "largest\ngap")
    if audit.results.is_counted:
        headings += ("values\npossible",)
    title = f"{audit.results.title}: which category of LoCoMo each name stands for ({len(audit.tried)} maps tried)"
    return Table(title, headings, tuple(rows), (*verdict(audit), ROUNDING_NOTE, *audit.results.notes))


def verdict(audit: TableAudit) -> Iterator[str]:
    """Yield which map it is, and how far away the best of the others is."""
    if not audit.fitting:
        yield "Verdict: no map reproduces any row."
    elif audit.map is None:
        yield f"Verdict: the numbers cannot tell {len(audit.fitting)} maps apart."
    else:
        best = audit.fitting[0]
        yield f"Verdict: {told(best.map)} reproduces {of_all(best)}."
        others = [tried for tried in audit.tried if tried is not best]
        if others[0].held:
            yield f"The best of the other {len(others)}, {told(others[0].map)}, reproduces {of_all(others[0])}."
        else:
            nearest = min(others, key=lambda tried: tried.worst)
            yield (
                f"The other {len(others)} reproduce none: the best of them, {told(nearest.map)}, is off by up to "
                f"{float(nearest.worst):.2f} points; under none does a row come nearer than "
                f"{float(nearest_row(others)):.2f}."
            )


def of_all(tried: Tried) -> str:
    """Return how many rows a map reproduces, and how well."""
    rows = "the only row" if len(tried.rows) == 1 else f"{tried.held} of {len(tried.rows)} rows"
    return f"{rows} (largest gap {float(tried.worst):.4f} points)"


def nearest_row(others: Sequence[Tried]) -> Fraction:
    """Return the smallest gap of any row under any of some maps."""
    return min(abs(row.gap) for tried in others for row in tried.rows.values())


def runs_of(audited: RowAudit) -> int:
    """Return the runs that a row's values are tested with."""
    return audited.row.runs or audited.runs or MOST_RUNS


def passing(audit: TableAudit, named: CategoryMap) -> int:
    """Return how many values of the rows are possible under a map."""
    questions = audit.results.questions
    return sum(
        bool(found)
        for one in audit.rows
        if set(one.row.values) <= set(named)
        for found in possible_under(one.row, named, questions, runs_of(one)).values()
    )


def tested(audit: TableAudit) -> int:
    """Return how many values there are."""
    return sum(len(one.row.values) for one in audit.rows)


def overalls(audit: TableAudit) -> Table | None:
    """Return each row's overall value, printed and computed again."""
    if audit.map is None:
        return None
    best = audit.fitting[0]
    others = [tried for tried in audit.tried if tried is not best]
    rows = []
    for place, audited in enumerate(audit.rows):
        if (under := best.rows.get(place)) is None or audited.row.overall is None:
            continue
        rows.append(
            (
                audited.row.method,
                runs(audited),
                printed(audited.row.overall),
                f"{float(under.computed):.4f}",
                points(under.gap),
                exact(audited),
                points(min((tried.rows[place].gap for tried in others), key=abs)),
                str(len(audited.fitting)),
            )
        )
    headings = ["method", "judge\nruns", "overall\nprinted", "from rounded\ncategories", "gap", "from\ncounts"]
    headings += ["nearest gap of\nanother map", "maps that fit\nthis row alone"]
    notes = (
        f"Overall over {audit.results.scored:,} questions, in percent; gaps in points.",
        "From counts: the mean of the whole numbers of right answers that the categories stand for, in those runs. "
        f"Runs in brackets are not told: they are the fewest (up to {MOST_RUNS}) with which all values are possible.",
    )
    return Table(f"{audit.results.title}: overall under {told(audit.map)}", tuple(headings), tuple(rows), notes)


def values(audit: TableAudit) -> Table | None:
    """Return whether each value is possible as a share of whole right answers."""
    if audit.map is None or not audit.results.is_counted:
        return None
    rows = []
    for audited in audit.rows:
        if not set(audited.row.values) <= set(audit.map):
            continue
        found = possible_under(audited.row, audit.map, audit.results.questions, runs_of(audited))
        for name, value in audited.row.values.items():
            category = audit.map[name]
            n, counts = audit.results.questions[category], found[name]
            rows.append(
                (
                    audited.row.method,
                    f"{name} = {category} ({CATEGORY_NAMES['locomo'][category - 1]})",
                    f"{n} x {runs(audited)}",
                    printed(value),
                    "-" if value.std is None else str(value.std),
                    "-" if not counts else span(counts[0], counts[-1]),
                    "yes" if counts else "NO",
                    f"{100 * chance(value, n, runs_of(audited)):.0f} %",
                )
            )
    headings = ["method", "name = category (LoCoMo's name)", "questions\nx runs", audit.results.metric, "std"]
    headings += ["right\nanswers", "possible", "by\nchance"]
    return Table(f"{audit.results.title}: is each value possible?", tuple(headings), tuple(rows), (POSSIBLE_NOTE,))


def findings(title: str, found: Sequence[Finding]) -> Table:
    """Return what was found, findings first."""
    ordered = sorted(found, key=lambda one: one.weight != "finding")
    number = sum(one.weight == "finding" for one in found)
    rows = tuple((f"{one.where}: {one.words}", one.kind, one.weight) for one in ordered)
    headings = ("what", "kind", "weight")
    notes = ["A finding wants an explanation; a note only has to be known."]
    if any(one.kind == "ceiling" for one in found):
        notes.append(SOURCE)
    return Table(
        f"{title}: {number} finding{'' if number == 1 else 's'}",
        headings,
        rows or ((NO_FINDING, "", ""),),
        tuple(notes),
    )


def runs(audited: RowAudit) -> str:
    """Return the runs of a row; those that it does not tell in brackets."""
    if audited.row.runs:
        return str(audited.row.runs)
    return f"({audited.runs or '?'})"


def exact(audited: RowAudit) -> str:
    """Return the overall values that the counts allow."""
    if audited.exact is None:
        return "-"
    return span(f"{float(audited.exact.low):.4f}", f"{float(audited.exact.high):.4f}")


def span(low: object, high: object) -> str:
    """Return two ends as one word."""
    return str(low) if low == high else f"{low} to {high}"


def printed(value: Printed) -> str:
    """Return a value with the digits that its table prints."""
    return f"{value.value:.{max(value.decimals, 0)}f}"


def points(gap: Fraction, *, signed: bool = True) -> str:
    """Return a gap in points."""
    return f"{float(gap):+.4f}" if signed else f"{float(gap):.4f}"
