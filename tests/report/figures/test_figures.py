"""Figures of runs: what they show, what they leave out, and that they are the same again."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from memlab.report.figures.every import every_figure
from memlab.report.figures.figure import INK, Drawn, save, svg
from memlab.report.figures.series import GREY, MOST
from tests.report.invented_runs import BUDGETS, invented

RUNS = [
    invented("mem0", 0.4, tokens=150, judged=True),
    invented("rag", 0.3, tokens=900, judged=True),
    invented("full_context", 0.5, tokens=20_000, judged=True),
    invented("no_memory", 0.0, tokens=0, judged=True),
]
SWEEP = [invented("mem0", 0.3 + m / 100, tokens=100 + m, m=m) for m in (10, 0, 5)]


def named(runs: list[Any]) -> dict[str, Drawn]:
    return {drawn.name: drawn for drawn in every_figure(runs)}


def legend(drawn: Drawn) -> list[str]:
    return [text.get_text() for own in drawn.figure.legends for text in own.get_texts()]


def test_runs_of_several_systems_are_compared_in_every_way_that_their_records_allow() -> None:
    assert list(named(RUNS)) == [
        *("recall_by_budget", "quality_by_tokens", "quality_by_latency", "quality_by_category", "funnel"),
    ]


def test_every_run_is_in_the_legend_with_one_colour_in_all_figures() -> None:
    colours: dict[str, set[str]] = {}
    for drawn in every_figure(RUNS):
        assert legend(drawn) == ["mem0", "rag", "full_context", "no_memory"], drawn.name
        for axes in drawn.figure.axes:
            for container in axes.containers:
                line = container[0]
                colour = line.get_color() if hasattr(line, "get_color") else None
                if colour:
                    colours.setdefault(f"{line.get_marker()}", set()).add(colour)
    assert all(len(own) == 1 for own in colours.values())
    assert {GREY} in colours.values()


def test_curves_hold_the_values_of_the_summaries() -> None:
    [axes] = named(RUNS)["recall_by_budget"].figure.axes
    for (_, summary), container in zip(RUNS, axes.containers, strict=True):
        expected = [summary["metrics"][metric]["overall"]["value"] for metric in BUDGETS]
        assert list(container[0].get_ydata()) == expected
    f1, judged = named(RUNS)["quality_by_tokens"].figure.axes
    assert [list(own[0].get_xydata()[0]) for own in f1.containers] == [[150, 0.4], [900, 0.3], [20_000, 0.5], [0, 0.0]]
    assert judged.get_ylabel() == "J by generous (share correct)"


def test_a_sweep_is_a_curve_in_the_order_of_its_setting() -> None:
    drawn = named(SWEEP)["sweep_m"]
    [line] = drawn.figure.axes[0].lines
    assert list(line.get_xdata()) == [0, 5, 10]
    assert [round(value, 3) for value in line.get_ydata()] == [0.3, 0.35, 0.4]


def test_every_axis_has_a_name_and_every_title_says_n() -> None:
    for drawn in [*every_figure(RUNS), *every_figure(SWEEP)]:
        assert "n=40 questions" in drawn.figure.get_suptitle(), drawn.name
        assert all(axes.get_ylabel() for axes in drawn.figure.axes)
        assert "95 %" in drawn.caption


def test_one_run_is_compared_with_nothing() -> None:
    assert {"quality_by_tokens", "quality_by_latency"}.isdisjoint(named(RUNS[:1]))


def test_of_many_runs_the_best_are_shown_and_the_rest_is_said() -> None:
    many = [invented("mem0", number / 100, tokens=number + 1, s=str(number)) for number in range(30)]
    drawn = named(many)["quality_by_tokens"]
    assert len(legend(drawn)) == MOST
    assert "s=29" in legend(drawn)[-1]
    assert f"The best {MOST} of 30 runs" in drawn.caption


def test_equal_runs_give_equal_bytes_as_files_and_in_pages(tmp_path: Path) -> None:
    first = {path.name: path.read_bytes() for drawn in every_figure(SWEEP) for path in save(drawn, tmp_path / "a")}
    again = {path.name: path.read_bytes() for drawn in every_figure(SWEEP) for path in save(drawn, tmp_path / "b")}
    assert first == again
    assert "sweep_m.svg" in first
    assert "sweep_m.pdf" in first
    assert [svg(drawn) for drawn in every_figure(RUNS)] == [svg(drawn) for drawn in every_figure(RUNS)]


def test_figures_in_a_page_have_ids_of_their_own_and_the_pages_ink() -> None:
    parts = [svg(drawn) for drawn in every_figure(RUNS)]
    page = "<div xmlns:xlink='http://www.w3.org/1999/xlink'>" + "".join(parts) + "</div>"
    ids = [element.get("id") for element in ElementTree.fromstring(page).iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for reference in re.findall(r'(?:url\(#|href="#)([^)"]+)', page):
        assert reference in ids
    assert INK not in page
    assert page.count('role="img"') == len(parts)
    assert "currentColor" in page
