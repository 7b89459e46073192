"""Quality by category of question."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from memlab.dialogue import CATEGORY_NAMES, SCORED_CATEGORIES
from memlab.report.figures.axes import INTERVALS
from memlab.report.figures.figure import INK, Drawn, styled
from memlab.report.figures.series import GREY, Series, cell, counted, errors, named_series, qualities, readable
from memlab.report.rows import Run

NAME = "quality_by_category"
TITLE = "Quality by category of question"
WIDTH, PANEL = 7.5, 1.9
"""Inches of the figure, and of the height of each metric."""
FILLED = 0.86
"""Of the room of a category, by its bars."""
LEGEND_WIDTH = 76
"""Letters, with six for each series' own sign, that fit beside each other below the figure."""


def quality_by_category(runs: Sequence[Run]) -> Drawn | None:
    """Return a bar a run and category; None where questions have one category only."""
    _, every = named_series(runs)
    series, left_out = readable(every, "f1")
    present = [c for c in SCORED_CATEGORIES if any(cell(one.summary, "f1", str(c)) for one in series)]
    if len(present) < 2:
        return None
    metrics = [
        (metric, words.partition(" (")[0])
        for metric, words in (*qualities(runs), ("evidence_recall", "evidence recall"))
        if any(cell(one.summary, metric, str(c)) for one in series for c in present)
    ]
    from matplotlib.figure import Figure

    columns = min(len(series), max(1, LEGEND_WIDTH // (max(len(one.label) for one in series) + 6)))
    with styled(NAME):
        height = PANEL * len(metrics) + 0.18 * ceil(len(series) / columns) + 1.2
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        figure.suptitle(f"{TITLE}\n{counted(runs, 'f1')}", fontsize=10)
        for axes, (metric, words) in zip(
            figure.subplots(len(metrics), 1, sharex=True, squeeze=False).flat, metrics, strict=True
        ):
            handles = {
                one.label: bars(axes, one, place, len(series), metric, present) for place, one in enumerate(series)
            }
            axes.set_ylabel(words)
            axes.set_ylim(bottom=0)
            axes.set_xlim(-0.5, len(present) - 0.5)
            axes.grid(visible=True, axis="y")
            axes.set_axisbelow(True)
        axes.set_xticks(range(len(present)), [ticks(runs, c) for c in present])
        figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=columns)
    return Drawn(NAME, TITLE, f"Category: LoCoMo's name (the Mem0 paper's name). {INTERVALS}{left_out}", figure)


def bars(axes: Any, one: Series, place: int, of: int, metric: str, categories: Sequence[int]) -> Any:
    """Draw a series' bar in each category, at its place among the others."""
    drawn = [(at, found) for at, c in enumerate(categories) if (found := cell(one.summary, metric, str(c)))]
    width = FILLED / of
    return axes.bar(
        [at - FILLED / 2 + width * (place + 0.5) for at, _ in drawn],
        [value for _, (value, _, _) in drawn],
        0.88 * width,
        yerr=errors([found for _, found in drawn]),
        color=one.look.colour,
        hatch=one.look.hatch,
        edgecolor="white",
        linewidth=0,
        error_kw={"elinewidth": 0.7, "ecolor": GREY if one.look.colour == INK else INK},
    )


def ticks(runs: Sequence[Run], category: int) -> str:
    """Return a category's number, both its names, and how many questions it has."""
    n = max(s["metrics"].get("f1", {}).get(str(category), {}).get("n", 0) for _, s in runs)
    locomo, paper = (CATEGORY_NAMES[scheme][category - 1] for scheme in ("locomo", "paper"))
    return f"{category} {locomo}\n({paper})\nn={n:,}"
