"""The tables of `python -m memlab compare`: sources, differences a table a metric, the questions furthest apart."""

from collections.abc import Iterator

from memlab.compare.answers import is_verdict
from memlab.compare.cells import OVERALL, Cell, valued
from memlab.compare.comparison import Comparison, Family
from memlab.compare.questions import furthest
from memlab.dialogue import CATEGORY_NAMES
from memlab.report.cell import Number
from memlab.report.certainty import (
    INTERVALS,
    JOINT,
    counted,
    family_note,
    p_value,
    sentence,
    signed,
    test_note,
    verdict,
)
from memlab.report.compared_notes import notes
from memlab.report.rows import number
from memlab.report.table import Table

WIDEST = 160
"""Characters of an answer in a table; JSON has it whole."""
COLUMNS = (
    "Difference: the other's mean minus the first one's, over the questions that both have a value for. Wins, ties, "
    "losses: questions with the other's value above, at, below the first one's. Detectable: the true difference that "
    "a test of this cell alone finds 80 % of the time, from the spread between conversations."
)


def every_table(found: Comparison, questions: int) -> list[Table]:
    """Return all tables of a comparison; `questions` of each direction and pair."""
    differences = [metric_table(found, family) for family in found.families]
    apart = [questions_table(found, place, questions) for place in range(len(found.pairs))] if questions else []
    return [sources_table(found), *differences, *apart]


def sources_table(found: Comparison) -> Table:
    """Return what is compared, a row a source, with what is odd about it."""
    rows = tuple(
        (
            f"{place} {source.name}",
            source.form,
            number(len(source.rows), 0),
            str(len({row.conversation for row in source.rows if row.conversation})),
            str(source.failed),
            source.judge or ("not told" if any(map(is_verdict, source.metrics)) else "-"),
        )
        for place, source in enumerate(found.sources, start=1)
    )
    headings = ("compared", "form", "questions", "conversations", "failed", "judge")
    return Table("Compared: categories 1-4", headings, rows, tuple(notes(found)))


def metric_table(found: Comparison, family: Family) -> Table:
    """Return the differences by one metric, a row a pair and group of questions."""
    several = len(found.pairs) > 1
    rows = []
    for place, cells in family.cells.items():
        first, other = found.places[place]
        rows += [((f"{other + 1} - {first + 1}",) if several else ()) + cell_row(cell) for cell in cells]
    every = [cell for cells in family.cells.values() for cell in cells]
    most = max(cell.difference.conversations for cell in every)
    smallest = min(cell.difference.smallest_p for cell in every)
    plain = [
        sentence(family.metric, found.pairs[place].first.name, found.pairs[place].other.name, cells[0])
        for place, cells in family.cells.items()
    ]
    headings = (
        *(("pair",) if several else ()), "questions", "n", "first", "other", "difference, 95 %", "p", "p\nHolm",
        "p\njoint", "wins / ties\n/ losses", "detectable", "verdict",
    )  # fmt: skip
    told = [*plain, *unvalued(found, family), family_note(smallest, most, len(every), "all of this table")]
    if family is found.families[-1]:
        told += [COLUMNS, test_note(most), JOINT, INTERVALS]
    who = f"{found.pairs[0].other.name} minus {found.pairs[0].first.name}"
    caption = f"{family.metric}: {'other minus first' if several else who}, paired, {counted(most)}"
    return Table(caption, headings, tuple(rows), tuple(told))


def unvalued(found: Comparison, family: Family) -> Iterator[str]:
    """Yield how many common questions have no value by a metric."""
    for place in family.cells:
        pair = found.pairs[place]
        if lacking := len(pair.pairs) - len(valued(pair, family.metric)):
            yield f"{lacking} questions of {pair.first.name} and {pair.other.name} have no {family.metric} in both."


def cell_row(cell: Cell) -> tuple[str, ...]:
    """Return a difference as the cells of a row."""
    own = cell.difference
    return (
        named(cell.group),
        number(own.n, 0),
        *(number(value) for value in cell.means),
        signed(own.value, own.interval),
        *map(p_value, (own.p, cell.p_holm, cell.p_joint)),
        Number(f"{own.wins} / {own.ties} / {own.losses}", None, wins=own.wins, ties=own.ties, losses=own.losses),
        number(own.detectable),
        verdict(cell),
    )


def named(group: str) -> str:
    """Return a group of questions by LoCoMo's and the paper's names."""
    if group == OVERALL:
        return "1-4 overall"
    locomo, paper = (CATEGORY_NAMES[scheme][int(group) - 1] for scheme in ("locomo", "paper"))
    return f"{group} {locomo} ({paper})"


def questions_table(found: Comparison, place: int, most: int) -> Table:
    """Return the questions on which a pair differs most, both directions."""
    pair, metric = found.pairs[place], apart_by(found, place)
    rows = tuple(
        (
            one.where,
            str(one.category or "-"),
            *map(short, (one.question, one.gold, one.first_answer, one.other_answer)),
            number(one.first, 2),
            number(one.other, 2),
        )
        for one in furthest(pair, metric, found.groups, most)
    )
    headings = ("question", "category", "asked", "gold", "first answer", "other answer", "first", "other")
    caption = f"Furthest apart by {metric}: first {pair.first.name}, other {pair.other.name}; up to {most} each way"
    return Table(caption, headings, rows, ("Of equally far ones, those that other metrics set apart, too.",))


def apart_by(found: Comparison, place: int) -> str:
    """Return the metric that questions of a pair are ordered by: a judge's where there is one, else the first."""
    metrics = [family.metric for family in found.families if place in family.cells]
    return next(filter(is_verdict, metrics), metrics[0] if metrics else found.families[0].metric)


def short(text: str) -> str:
    """Return a text on one line, cut to a table's width."""
    line = " ".join(text.split())
    return line if len(line) <= WIDEST else f"{line[: WIDEST - 1]}…"
