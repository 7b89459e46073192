"""Curves: recall against budget, the loss funnel, and sweeps of a setting."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from memlab.report.figures.figure import Drawn, styled
from memlab.report.figures.scatter import INTERVALS
from memlab.report.figures.series import (
    COLOURS,
    MARKERS,
    Series,
    cell,
    counted,
    errors,
    named_series,
    number_like,
    readable,
    said,
)
from memlab.report.rows import Run

BUDGETS = (512, 1764, 3616)
"""Tokens: few, Mem0's mean in the paper, and Mem0g's."""
FUNNEL = ("ingested", "extracted", "survived", "retrieved", "used")
SWEPT = (("f1", "F1"), ("evidence_recall", "evidence recall"), ("macro_f1", "macro-F1 of operations"))
LINE = {"markersize": 4.5, "linewidth": 1.2, "elinewidth": 0.8}
BAND = "Bands: 95 % intervals, conversations resampled."


def recall_by_budget(runs: Sequence[Run]) -> Drawn | None:
    """Return how much of the evidence comes back within budgets of context tokens; None without evidence."""
    name, title = "recall_by_budget", "Evidence recall against budget"
    metrics = [f"evidence_recall@{budget}t" for budget in BUDGETS]
    series, left_out = with_values(runs, metrics, "evidence_recall@1764t")
    if not series:
        return None
    with styled(name):
        figure, axes = one_plot(f"{title}\n{counted(runs, 'evidence_recall')}", len(series))
        for one in series:
            cells = [found for metric in metrics if (found := cell(one.summary, metric))]
            curve(axes, one, BUDGETS[: len(cells)], cells)
        axes.set_xscale("log")
        axes.set_xticks(BUDGETS, [f"{budget:,}" for budget in BUDGETS])
        axes.minorticks_off()
        axes.set_xlabel("budget (context tokens, cl100k_base)")
        axes.set_ylabel("share of a question's evidence turns")
        axes.set_ylim(0, 1.02)
        figure.legend(loc="outside right center")
    return Drawn(name, title, f"{INTERVALS}{left_out}", figure)


def funnel(runs: Sequence[Run]) -> Drawn | None:
    """Return what is left of the evidence after each stage; None without evidence."""
    name, title = "funnel", "Where evidence is lost"
    metrics = [f"evidence_{stage}" for stage in FUNNEL]
    series, left_out = with_values(runs, metrics[:4], "evidence_retrieved")
    if not series:
        return None
    with styled(name):
        figure, axes = one_plot(f"{title}\n{counted(runs, 'evidence_retrieved')}", len(series))
        for one in series:
            # The last stage is unknown where an answerer cannot tell what it used.
            cells = [found for metric in metrics if (found := cell(one.summary, metric))]
            curve(axes, one, range(len(cells)), cells)
        axes.set_xticks(range(len(FUNNEL)), FUNNEL)
        axes.set_xlabel("stage")
        axes.set_ylabel("share of a question's evidence turns")
        axes.set_ylim(0, 1.02)
        figure.legend(loc="outside right center")
    return Drawn(name, title, f"{INTERVALS}{left_out}", figure)


def sweeps(runs: Sequence[Run]) -> list[Drawn]:
    """Return a figure for each number that alone sets some runs apart: the metrics against it."""
    names, series = named_series(runs)
    found = []
    for place in range(1, len(names)):
        if any(not number_like(one.row[place]) for one in series):
            continue
        values = {one.row[place] for one in series}
        curves = along(series, place)
        if len(values - {"None", "True", "False"}) >= 2 and curves:
            found.append(sweep(runs, names, place, curves))
    return found


def along(series: Sequence[Series], place: int) -> list[list[Series]]:
    """Return the series that differ in one value only, in its order, of two and more."""

    def others(one: Series) -> tuple[str, ...]:
        return (*one.row[:place], *one.row[place + 1 :])

    numbered = [one for one in series if one.row[place] not in ("None", "True", "False", "-")]
    groups = [list(own) for _, own in groupby(sorted(numbered, key=others), key=others)]
    return [sorted(own, key=lambda one: float(one.row[place])) for own in groups if len(own) > 1]


def sweep(runs: Sequence[Run], names: Sequence[str], place: int, curves: Sequence[Sequence[Series]]) -> Drawn:
    """Return the metrics against one setting, a curve for each choice of the others."""
    key = names[place].rpartition(".")[2]
    name, title = f"sweep_{names[place].replace('.', '_').replace('@', '_')}", f"Sweep of {names[place]}"
    metrics = [(metric, words) for metric, words in SWEPT if any(value(one, metric) for own in curves for one in own)]
    telling = [p for p in range(len(names)) if p != place and len({own[0].row[p] for own in curves}) > 1]
    from matplotlib.figure import Figure

    with styled(name):
        figure = Figure(figsize=(3.4 * len(metrics) + 1.6, 3.4), layout="constrained")
        figure.suptitle(f"{title}\n{counted(runs, 'f1')}", fontsize=10)
        handles = {}
        for axes, (metric, words) in zip(figure.subplots(1, len(metrics), squeeze=False).flat, metrics, strict=True):
            for number, own in enumerate(curves):
                points = [(float(one.row[place]), found) for one in own if (found := value(one, metric))]
                x, cells = [at for at, _ in points], [found for _, found in points]
                colour = COLOURS[number % len(COLOURS)]
                look = {"color": colour, "marker": MARKERS[number % len(MARKERS)], "markersize": 4.5, "linewidth": 1.2}
                handles[named(names, own[0], telling)] = axes.plot(x, [middle for middle, _, _ in cells], **look)[0]
                band = [low for _, low, _ in cells], [high for _, _, high in cells]
                axes.fill_between(x, *band, color=colour, alpha=0.13, linewidth=0)
            axes.set_xlabel(key)
            axes.set_xticks(sorted({float(one.row[place]) for own in curves for one in own}))
            axes.xaxis.set_major_formatter("{x:g}")
            axes.set_ylabel(words)
            axes.grid(visible=True)
        figure.legend(handles.values(), handles.keys(), loc="outside right center")
    return Drawn(name, title, BAND, figure)


def named(names: Sequence[str], one: Series, telling: Sequence[int]) -> str:
    """Return what tells a curve from the others; of one curve, its system."""
    words = [said(names, one.row, place) if number_like(one.row[place]) else one.row[place] for place in telling]
    return ", ".join(words) or one.row[0]


def value(one: Series, metric: str) -> tuple[float, float, float] | None:
    """Return value and interval of a metric of answers, or of operations."""
    if metric != "macro_f1":
        return cell(one.summary, metric)
    return cell({"metrics": {metric: {"overall": (one.summary["operations"] or {}).get(metric)}}}, metric)


def with_values(runs: Sequence[Run], metrics: Sequence[str], best_by: str) -> tuple[list[Series], str]:
    """Return the series that have all of some metrics, as many as are readable, and what is left out."""
    _, every = named_series(runs)
    return readable([one for one in every if all(cell(one.summary, metric) for metric in metrics)], best_by)


def one_plot(title: str, series: int) -> tuple[Any, Any]:
    """Return a figure of one plot, high enough for its legend."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, max(3.4, 0.21 * series + 1.0)), layout="constrained")
    figure.suptitle(title, fontsize=10)
    axes = figure.subplots()
    axes.grid(visible=True)
    return figure, axes


def curve(axes: Any, one: Series, x: Sequence[float], cells: Sequence[tuple[float, float, float]]) -> None:
    """Draw a series with its intervals."""
    axes.errorbar(
        list(x),
        [middle for middle, _, _ in cells],
        yerr=errors(cells),
        color=one.colour,
        marker=one.marker,
        linestyle=one.line,
        label=one.label,
        **LINE,
    )
