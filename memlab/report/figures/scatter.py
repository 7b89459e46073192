"""Quality against what it costs: context tokens, or seconds."""

from collections.abc import Callable, Sequence

from memlab.records import Record
from memlab.report.figures.axes import INTERVALS, legend, plots, scale, side_by_side
from memlab.report.figures.figure import Drawn, styled
from memlab.report.figures.series import cell, counted, errors, named_series, qualities, readable
from memlab.report.rows import Run

ALIKE = 1.2
"""The largest over the smallest value up to which runs cost the same."""
CROWDED = " Points at nearly the same place are set side by side."


def quality_by_tokens(runs: Sequence[Run]) -> Drawn | None:
    """Return answer quality against the mean context tokens of a question (paper, figure 4)."""
    return scatter(
        runs,
        "quality_by_tokens",
        "Answer quality against context tokens",
        "context tokens per question (cl100k_base, mean)",
        lambda summary: summary["tokens"]["context_tokens"],
    )


def quality_by_latency(runs: Sequence[Run]) -> Drawn | None:
    """Return answer quality against the p95 of the seconds from question to answer (paper, figure 4)."""
    return scatter(
        runs,
        "quality_by_latency",
        "Answer quality against latency",
        "search and answer, p95 (ms)",
        lambda summary: None if (p95 := summary["latency"]["total_p95_seconds"]) is None else 1000 * p95,
    )


def scatter(
    runs: Sequence[Run], name: str, title: str, axis: str, place: Callable[[Record], float | None]
) -> Drawn | None:
    """Return metrics of answers against a value of the summary; None unless two runs differ in it."""
    _, every = named_series(runs)
    series, left_out = readable([one for one in every if place(one.summary) is not None], "f1")
    metrics = [(metric, words) for metric, words in qualities(runs) if any(cell(s.summary, metric) for s in series)]
    values = [value for one in series if (value := place(one.summary)) is not None]
    if not metrics or max(values, default=0) <= ALIKE * min(values, default=0):
        return None
    crowded = False
    with styled(name):
        figure, every_axes = plots(len(metrics), f"{title}\n{counted(runs, 'f1')}", width=4.6)
        handles = {}
        for axes, (metric, words) in zip(every_axes, metrics, strict=True):
            axes.set_xlabel(axis)
            axes.set_ylabel(words)
            shown = [
                (one, found, x)
                for one in series
                if (found := cell(one.summary, metric)) and (x := place(one.summary)) is not None
            ]
            true = [x for _, _, x in shown]
            scale(axes, true)
            places = side_by_side(axes, true, [(low, high) for _, (_, low, high), _ in shown])
            crowded |= places != true
            for (one, found, _), x in zip(shown, places, strict=True):
                handles[one.label] = axes.errorbar(
                    [x],
                    [found[0]],
                    yerr=errors([found]),
                    markersize=6,
                    clip_on=False,
                    elinewidth=1,
                    linestyle="none",
                    **one.look.point,
                )
            axes.set_ylim(bottom=0)
        legend(figure, handles)
    sanity = " Grey: for comparison only." if any(one.sanity for one in series) else ""
    return Drawn(name, title, f"{INTERVALS}{CROWDED if crowded else ''}{sanity}{left_out}", figure)
