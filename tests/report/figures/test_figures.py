"""Figures of runs: what they show, what they leave out, and that they are the same again."""

import re
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from memlab.report.figures.bars import quality_by_category
from memlab.report.figures.every import every_figure
from memlab.report.figures.figure import INK, Drawn, save, styled, svg
from memlab.report.figures.growth import memory_over_time
from memlab.report.figures.series import GREY, MOST
from memlab.report.figures.sweep import sweeps
from tests.report.invented_runs import BUDGETS, cell, invented

RUNS = [
    invented("mem0", 0.4, tokens=150, judged=True),
    invented("rag", 0.3, tokens=900, judged=True),
    invented("full_context", 0.5, tokens=20_000, judged=True),
    invented("no_memory", 0.0, tokens=0, judged=True),
]
SWEEP = [invented("mem0", 0.3 + m / 100, tokens=100 + m, m=m) for m in (10, 0, 5)]


def named(runs: list[Any]) -> dict[str, Drawn]:
    return {drawn.name: drawn for drawn in every_figure(runs)}


@cache
def of_systems() -> dict[str, Drawn]:
    return named(RUNS)


@cache
def of_a_sweep() -> dict[str, Drawn]:
    return named(SWEEP)


def legend(drawn: Drawn) -> list[str]:
    return [text.get_text() for own in drawn.figure.legends for text in own.get_texts()]


def test_runs_of_several_systems_are_compared_in_every_way_that_their_records_allow() -> None:
    assert list(of_systems()) == [
        *("recall_by_budget", "quality_by_tokens", "quality_by_latency", "quality_by_category", "funnel"),
    ]


def test_every_run_is_in_the_legend_with_one_colour_in_all_figures() -> None:
    colours: dict[str, set[str]] = {}
    for drawn in of_systems().values():
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
    [axes] = of_systems()["recall_by_budget"].figure.axes
    for (_, summary), container in zip(RUNS, axes.containers, strict=True):
        expected = [summary["metrics"][metric]["overall"]["value"] for metric in BUDGETS]
        assert list(container[0].get_ydata()) == expected
    f1, judged = of_systems()["quality_by_tokens"].figure.axes
    assert [list(own[0].get_xydata()[0]) for own in f1.containers] == [[150, 0.4], [900, 0.3], [20_000, 0.5], [0, 0.0]]
    assert judged.get_ylabel() == "J by generous (share correct)"


def test_a_sweep_is_a_curve_in_the_order_of_its_setting() -> None:
    drawn = of_a_sweep()["sweep_m"]
    [line] = drawn.figure.axes[0].lines
    assert list(line.get_xdata()) == [0, 5, 10]
    assert [round(value, 3) for value in line.get_ydata()] == [0.3, 0.35, 0.4]


def test_every_axis_has_a_name_and_every_title_says_n() -> None:
    for drawn in [*of_systems().values(), *of_a_sweep().values()]:
        assert "n=40 questions" in drawn.figure.get_suptitle(), drawn.name
        assert all(axes.get_ylabel() for axes in drawn.figure.axes)
        assert "95 %" in drawn.caption


def test_bars_hold_values_and_intervals_of_each_category() -> None:
    f1, judged, recall = of_systems()["quality_by_category"].figure.axes
    assert [axes.get_ylabel() for axes in (f1, judged, recall)] == ["F1", "J by generous", "evidence recall"]
    drawn = [own for own in f1.containers if hasattr(own, "patches")]
    for (_, summary), bars in zip(RUNS, drawn, strict=True):
        cells = [summary["metrics"]["f1"][str(category)] for category in (1, 2, 3, 4)]
        assert [bar.get_height() for bar in bars.patches] == [cell["value"] for cell in cells]
        ends = [segment[:, 1].tolist() for segment in bars.errorbar.lines[2][0].get_segments()]
        assert [end for own in ends for end in own] == pytest.approx(
            [end for cell in cells for end in cell["interval"]]
        )
    assert "1 multi-hop\n(single-hop)\nn=40" in [tick.get_text() for tick in recall.get_xticklabels()]


def test_recall_is_drawn_against_tokens_and_where_it_is_known_against_memories() -> None:
    runs = [invented(name, 0.4) for name in ("mem0", "rag")]
    for _, summary in runs:
        summary["metrics"] |= {f"evidence_recall@{k}": {"overall": cell(k / 100)} for k in (1, 5, 10, 20, 50)}
    tokens, memories = named(runs)["recall_by_budget"].figure.axes
    assert list(tokens.containers[0][0].get_xdata()) == [512, 1764, 3616]
    assert list(memories.containers[0][0].get_ydata()) == [0.01, 0.05, 0.1, 0.2, 0.5]


def test_a_funnel_ends_where_an_answerer_cannot_tell_what_it_used() -> None:
    runs = [invented(name, 0.4) for name in ("mem0", "rag")]
    runs[1][1]["metrics"]["evidence_used"]["overall"]["value"] = None
    [axes] = named(runs)["funnel"].figure.axes
    assert [len(own[0].get_xdata()) for own in axes.containers] == [5, 4]


def test_curves_of_several_systems_look_as_elsewhere_and_have_bars_where_bands_would_blur() -> None:
    names = ("a", "b", "c", "d")
    runs = [invented(name, 0.3 + s / 100, tokens=100 * s, s=s) for s in (1, 2) for name in names]
    every = named(runs)
    drawn = every["sweep_s"]
    curves = [line for line in drawn.figure.axes[0].lines if len(line.get_xdata()) == 2]
    assert legend(drawn) == list(names)
    points = every["quality_by_tokens"].figure.axes[0].containers
    assert [line.get_color() for line in curves] == [own[0].get_color() for own in points[::2]]
    assert [line.get_marker() for line in curves] == [own[0].get_marker() for own in points[::2]]
    assert "Bands" in of_a_sweep()["sweep_m"].caption
    assert "Bands" not in drawn.caption


def test_words_do_not_cover_each_other_nor_leave_the_figure() -> None:
    for drawn in [*of_systems().values(), *of_a_sweep().values()]:
        with styled(drawn.name):
            drawn.figure.draw_without_rendering()
        words = [text for axes in drawn.figure.axes for text in (axes.xaxis.label, axes.yaxis.label)]
        words += [tick for axes in drawn.figure.axes for tick in axes.get_xticklabels() if tick.get_text()]
        words += [text for own in drawn.figure.legends for text in own.get_texts()]
        boxes = [box for text in words if (box := text.get_window_extent()).width and box.height]
        assert all(not one.overlaps(other) for one, other in combinations(boxes, 2)), drawn.name
        page = drawn.figure.bbox
        assert all(page.x0 <= box.x0 and box.x1 <= page.x1 for box in boxes), drawn.name


def test_runs_that_cost_the_same_are_not_drawn_against_their_cost() -> None:
    alike = [invented("mem0", 0.4, tokens=1750), invented("rag", 0.3, tokens=1760)]
    assert {"quality_by_tokens", "quality_by_latency"}.isdisjoint(named(alike))


def test_one_run_is_compared_with_nothing() -> None:
    assert {"quality_by_tokens", "quality_by_latency"}.isdisjoint(named(RUNS[:1]))


def test_of_many_runs_the_best_are_shown_and_the_rest_is_said() -> None:
    many = [invented("mem0", number / 100, tokens=number + 1, s=str(number)) for number in range(30)]
    drawn = named(many)["quality_by_tokens"]
    assert len(legend(drawn)) == MOST
    assert "s=29" in legend(drawn)[-1]
    assert f"The best {MOST} of 30 runs" in drawn.caption


def test_equal_runs_give_equal_bytes_as_files_and_in_pages(tmp_path: Path) -> None:
    first, again = (
        {path.name: path.read_bytes() for path in save(sweeps(SWEEP)[0], tmp_path / folder)} for folder in "ab"
    )
    assert first == again
    assert list(first) == ["sweep_m.svg", "sweep_m.pdf"]
    assert len({svg(drawn) for _ in "ab" if (drawn := quality_by_category(RUNS))}) == 1


def test_figures_in_a_page_have_ids_of_their_own_and_the_pages_ink() -> None:
    parts = [svg(drawn) for drawn in of_systems().values()]
    page = "<div xmlns:xlink='http://www.w3.org/1999/xlink'>" + "".join(parts) + "</div>"
    ids = [element.get("id") for element in ElementTree.fromstring(page).iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for reference in re.findall(r'(?:url\(#|href="#)([^)"]+)', page):
        assert reference in ids
    assert INK not in page
    assert page.count('role="img"') == len(parts)
    assert "currentColor" in page


def test_memories_are_drawn_beside_the_truth_where_the_dataset_knows_it() -> None:
    runs = [invented(name, 0.4, tokens=100) for name in ("mem0", "rag")]
    told = {"mem0": ([2, 6], [0.5, 0.75]), "rag": ([0, 0], [None, None])}
    for manifest, summary in runs:
        memories, precision = told[manifest["choices"]["system"]]
        summary["operations"] = {
            "state": {
                "sessions": [
                    {"session": n, "stores": 2, "true": 2 * n, "memories": held, "precision": own, "recall": 0.5}
                    for n, held, own in zip((1, 2), memories, precision, strict=True)
                ]
            }
        }
    drawn = memory_over_time(runs)
    assert drawn is not None
    assert legend(drawn) == ["mem0", "rag", "true facts"]
    memory, truth, recall = drawn.figure.axes
    assert [np.asarray(line.get_ydata()).tolist() for line in memory.lines] == [[1, 3], [0, 0], [1, 2]], "per store"
    assert np.asarray(truth.lines[0].get_ydata()).tolist() == [0.5, 0.75]
    assert np.isnan(np.asarray(truth.lines[1].get_ydata())).all(), "a gap where nothing is told"
    assert len(recall.lines) == 2
    assert memory_over_time(RUNS) is None
