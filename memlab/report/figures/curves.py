"""Curves of every run: recall against budget, and the loss funnel."""

from collections.abc import Mapping, Sequence
from typing import Any

from memlab.report.figures.axes import INTERVALS, legend, plots
from memlab.report.figures.figure import Drawn, styled
from memlab.report.figures.series import Series, cell, counted, errors, named_series, readable
from memlab.report.rows import Run
from memlab.score.answer_scores import FUNNEL
from memlab.score.evidence import BUDGETS, RANKS

TOKENS = {f"evidence_recall@{budget}t": budget for budget in BUDGETS}
"""Tokens: few, Mem0's mean in the paper, and Mem0g's."""
FIRST = {f"evidence_recall@{count}": count for count in RANKS}
SHARE = "share of a question's evidence turns"


def recall_by_budget(runs: Sequence[Run]) -> Drawn | None:
    """Return how much of the evidence comes back within budgets of tokens, and of memories; None without any."""
    name, title = "recall_by_budget", "Evidence recall against budget"
    series, left_out = with_values(runs, tuple(TOKENS), "evidence_recall@1764t")
    if not series:
        return None
    panels = {"budget (context tokens, cl100k_base)": TOKENS, "budget (memories, as they are shown)": FIRST}
    panels = {words: own for words, own in panels.items() if all(cell(series[0].summary, metric) for metric in own)}
    with styled(name):
        figure, every_axes = plots(len(panels), f"{title}\n{counted(runs, 'evidence_recall')}", sharey=True)
        for axes, (words, budgets) in zip(every_axes, panels.items(), strict=True):
            handles = {one.label: curve(axes, one, budgets) for one in series}
            axes.set_xscale("log")
            axes.set_xticks(list(budgets.values()), [f"{budget:,}" for budget in budgets.values()])
            axes.set_xticks([], minor=True)
            axes.set_xlabel(words)
            axes.set_ylim(0, 1.02)
        every_axes[0].set_ylabel(SHARE)
        legend(figure, handles)
    return Drawn(name, title, f"{INTERVALS}{left_out}", figure)


def funnel(runs: Sequence[Run]) -> Drawn | None:
    """Return what is left of the evidence after each stage; None without evidence."""
    name, title = "funnel", "Where evidence is lost"
    stages = {f"evidence_{stage}": float(place) for place, stage in enumerate(FUNNEL)}
    series, left_out = with_values(runs, tuple(stages)[:4], "evidence_retrieved")
    if not series:
        return None
    with styled(name):
        figure, (axes,) = plots(1, f"{title}\n{counted(runs, 'evidence_retrieved')}", width=4.8)
        # The last stage is unknown where an answerer cannot tell what it used.
        handles = {one.label: curve(axes, one, stages) for one in series}
        axes.set_xticks(range(len(FUNNEL)), FUNNEL)
        axes.set_xlabel("stage")
        axes.set_ylabel(SHARE)
        axes.set_ylim(0, 1.02)
        legend(figure, handles)
    return Drawn(name, title, f"{INTERVALS}{left_out}", figure)


def with_values(runs: Sequence[Run], metrics: Sequence[str], best_by: str) -> tuple[list[Series], str]:
    """Return the series that have all of some metrics, as many as are readable, and what is left out."""
    _, every = named_series(runs)
    return readable([one for one in every if all(cell(one.summary, metric) for metric in metrics)], best_by)


def curve(axes: Any, one: Series, places: Mapping[str, float]) -> Any:
    """Draw a series through its metrics, each at its place, with their intervals."""
    cells = {place: found for metric, place in places.items() if (found := cell(one.summary, metric))}
    return axes.errorbar(
        list(cells),
        [middle for middle, _, _ in cells.values()],
        yerr=errors(list(cells.values())),
        linestyle=one.look.line,
        markersize=4.5,
        linewidth=1.2,
        elinewidth=0.8,
        clip_on=False,
        **one.look.point,
    )
