"""Quality by category of question."""

from collections.abc import Sequence

from memlab.dialogue import CATEGORY_NAMES, SCORED_CATEGORIES
from memlab.report.figures.figure import Drawn, styled
from memlab.report.figures.scatter import INTERVALS
from memlab.report.figures.series import cell, counted, errors, named_series, readable
from memlab.report.rows import Run

METRICS = (("f1", "F1"), ("evidence_recall", "evidence recall"))
NAME = "quality_by_category"
TITLE = "Quality by category of question"


def quality_by_category(runs: Sequence[Run]) -> Drawn | None:
    """Return a bar a run and category; None where questions have one category only."""
    _, every = named_series(runs)
    series, left_out = readable(every, "f1")
    present = [c for c in SCORED_CATEGORIES if any(cell(one.summary, "f1", str(c)) for one in series)]
    if len(present) < 2:
        return None
    from matplotlib.figure import Figure

    width = 0.84 / len(series)
    with styled(NAME):
        figure = Figure(figsize=(max(6.5, 0.17 * len(series) * len(present) + 3.2), 5.2), layout="constrained")
        figure.suptitle(f"{TITLE}\n{counted(runs, 'f1')}", fontsize=10)
        handles = {}
        for axes, (metric, words) in zip(figure.subplots(2, 1, sharex=True), METRICS, strict=True):
            for number, one in enumerate(series):
                drawn = [(at, found) for at, c in enumerate(present) if (found := cell(one.summary, metric, str(c)))]
                places = [at - 0.42 + width * (number + 0.5) for at, _ in drawn]
                cells = [found for _, found in drawn]
                handles[one.label] = axes.bar(
                    places,
                    [value for value, _, _ in cells],
                    0.9 * width,
                    yerr=errors(cells),
                    color=one.colour,
                    hatch=HATCHES[number // 7 % len(HATCHES)],
                    edgecolor="white",
                    linewidth=0,
                    error_kw={"elinewidth": 0.8, "ecolor": "#808080"},
                )
            axes.set_ylabel(words)
            axes.grid(visible=True, axis="y")
            axes.set_axisbelow(True)
        axes.set_xticks(range(len(present)), [ticks(runs, c) for c in present])
        figure.legend(handles.values(), handles.keys(), loc="outside right center")
    return Drawn(NAME, TITLE, f"Category: LoCoMo's name (the Mem0 paper's name). {INTERVALS}{left_out}", figure)


HATCHES = ("", "////", "....")
"""Of the first seven series, the next, and the last: colours come again."""


def ticks(runs: Sequence[Run], category: int) -> str:
    """Return a category's number, both its names, and how many questions it has."""
    n = max(s["metrics"].get("f1", {}).get(str(category), {}).get("n", 0) for _, s in runs)
    locomo, paper = (CATEGORY_NAMES[scheme][category - 1] for scheme in ("locomo", "paper"))
    return f"{category} {locomo}\n({paper})\nn={n}"
