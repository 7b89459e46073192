"""Tables as files: CSV that holds data, LaTeX and Markdown that hold any text."""

import copy
import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.report.cell import Number
from memlab.report.comparison import every_table, question_by_question
from memlab.report.latex import escaped
from memlab.report.paired import shown
from memlab.report.rows import number, with_interval
from memlab.report.table import Table
from tests.report.invented_runs import cell, invented

WITH = {"n": 9, "value": 1 / 3, "interval": [0.25, 0.5]}
WITHOUT = {"n": 9, "value": 0.5, "interval": None}


def read(table: Table) -> list[list[str]]:
    return list(csv.reader(io.StringIO(table.csv())))


def test_csv_has_a_column_for_each_number_of_a_cell_unrounded() -> None:
    rows = (
        ("mem0", with_interval(WITH), number(1109.25, 0), "a, b"),
        ("rag", with_interval(WITHOUT), number(None), "-"),
        ("none", with_interval(None), "no price", "-"),
    )
    assert read(Table("x", ("system", "F1", "context\ntokens", "words"), rows)) == [
        ["system", "F1", "F1 low", "F1 high", "context tokens", "words"],
        ["mem0", "0.3333333333", "0.25", "0.5", "1109.25", "a, b"],
        ["rag", "0.5", "", "", "", "-"],
        ["none", "", "", "", "no price", "-"],
    ]


def test_csv_has_no_column_for_a_number_that_no_cell_has() -> None:
    without = Table("x", ("F1", "w / l"), ((with_interval(WITHOUT), Number("2 / 1", None, wins=2, losses=1)),))
    assert read(without) == [["F1", "w / l wins", "w / l losses"], ["0.5", "2", "1"]]
    assert read(Table("x", ("system", "J"), (("mem0", number(None)),))) == [["system", "J"], ["mem0", ""]]
    assert read(Table("x", ("system", "J"), ())) == [["system", "J"]]


def test_every_value_of_a_comparison_is_a_number_in_its_csv() -> None:
    runs = [invented("mem0", 0.4), invented("rag", 0.3)]
    for _, summary in runs:
        summary["ingest"] = dict.fromkeys(
            ("memories", "expected_windows", "windows", "failed_windows", "write_p95_seconds"), 1
        )
        summary["latency"] |= {"search_p50_seconds": 0.001, "search_p95_seconds": 0.002}
        summary["questions"] |= {"failed": 0, "not_asked": 0}
        summary["phases"] = {"total": {"calls": 0}}
        summary["channels"], summary["graph"] = {}, None
    for manifest, _ in runs:
        manifest["config"]["concurrency"] = 1
    tables = every_table(runs, question_by_question([[], []], runs), ["f1"])
    assert {"answers", "evidence", "loss_funnel", "f1_per_category"} <= {table.name for table in tables}
    for table in tables:
        heading, *rows = read(table)
        for row in rows:
            assert all(not text or text == "-" or float(text) >= 0 for text in row[1:]), (table.caption, heading, row)
    answers = dict(zip(*read(tables[0])[:2], strict=True))
    assert (answers["F1"], answers["F1 low"], answers["F1 high"]) == ("0.4", "0.35", "0.44")


def test_a_paired_difference_has_p_in_the_place_of_its_mark() -> None:
    pair = {"value": 0.25, "interval": [0.125, 0.5], "p": 0.01, "p_holm": 0.25, "p_joint": 0.03}
    told = shown(pair)
    assert told == "+0.250 [+0.125, +0.500]*"
    assert told.parts == {"": 0.25, "low": 0.125, "high": 0.5, "p": 0.01, "p Holm": 0.25, "p joint": 0.03}


def test_a_number_is_its_words_wherever_a_text_is_taken() -> None:
    told = with_interval(cell(0.5))
    assert told == "0.500 [0.45, 0.54]"
    assert json.dumps({"value": told}) == '{"value": "0.500 [0.45, 0.54]"}'
    assert copy.deepcopy(told).parts == told.parts


@pytest.mark.parametrize("text", ["\\", "{", "}", "~", "^", "_", "%", "&", "#", "$", "<", ">", "|", "≤", "→"])
def test_latex_gets_no_mark_that_it_takes_for_its_own(text: str) -> None:
    assert escaped(text) != text
    assert escaped(f"a{text}b").startswith("a\\")
    assert escaped(f"a{text}b").endswith("b")


@given(st.text())
def test_latex_commands_are_only_those_that_escaping_made(text: str) -> None:
    left = escaped(text)
    for mark in ("\\textbackslash{}", "\\textasciitilde{}", "\\textasciicircum{}"):
        left = left.replace(mark, "")
    for mark in ("\\textless{}", "\\textgreater{}", "\\textbar{}", "\\ensuremath{-}"):
        left = left.replace(mark, "")
    for mark in ("\\ensuremath{\\leq}", "\\ensuremath{\\geq}", "\\ensuremath{\\rightarrow}"):
        left = left.replace(mark, "")
    for mark in "_%&#${}":
        left = left.replace(f"\\{mark}", "")
    assert not set(left) & set("\\~^_%&#${}<>|\n\r\t")


def test_latex_rows_do_not_start_with_what_belongs_to_a_line_end() -> None:
    table = Table("Runs: 50 % of\n\nall_", ("a", "b"), (("[x", "1"), ("* y", "2"), ("z", "3")), ("See {x}.",))
    assert table.latex().splitlines() == [
        "\\begin{table}",
        "\\centering",
        "\\caption{Runs: 50 \\% of all\\_. See \\{x\\}.}",
        "\\label{tab:runs}",
        "\\begin{tabular}{lr}",
        "\\toprule",
        "a & b \\\\",
        "\\midrule",
        "{}[x & 1 \\\\",
        "{}* y & 2 \\\\",
        "z & 3 \\\\",
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{table}",
    ]


def test_a_cell_of_markdown_stays_one_cell_on_one_line() -> None:
    _, _, heading, _, row = Table("x", ("paper | ours", "b"), (("1 | 2", "two\nlines"),)).markdown().splitlines()
    assert heading.startswith("| paper \\| ours ")
    assert [part.strip() for part in row.strip("|").split(" | ")] == ["1 \\| 2", "two lines"]
