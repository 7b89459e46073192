"""Quality against what it costs: context tokens, or seconds."""

from collections.abc import Callable, Sequence
from typing import Any

from memlab.records import Record
from memlab.report.figures.figure import Drawn, styled
from memlab.report.figures.series import Series, cell, counted, errors, named_series, readable
from memlab.report.rows import Run

INTERVALS = "Bars: 95 % intervals, conversations resampled."
DECADES = 8
"""The largest over the smallest value from which on an axis is logarithmic."""


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


def qualities(runs: Sequence[Run]) -> list[tuple[str, str]]:
    """Return the metrics of answers with their names: F1, and J by each rubric."""
    rubrics = dict.fromkeys(rubric for _, summary in runs for rubric in summary["judges"])
    return [("f1", "F1"), *((f"judge_{rubric}", f"J by {rubric} (share correct)") for rubric in rubrics)]


def scatter(
    runs: Sequence[Run], name: str, title: str, axis: str, place: Callable[[Record], float | None]
) -> Drawn | None:
    """Return metrics of answers against a value of the summary; None unless two runs differ in it."""
    _, every = named_series(runs)
    series, left_out = readable([one for one in every if place(one.summary) is not None], "f1")
    metrics = [(metric, words) for metric, words in qualities(runs) if any(cell(s.summary, metric) for s in series)]
    if len({place(one.summary) for one in series}) < 2 or not metrics:
        return None
    from matplotlib.figure import Figure

    with styled(name):
        figure = Figure(figsize=(4.2 * len(metrics) + 1.8, 3.6), layout="constrained")
        figure.suptitle(f"{title}\n{counted(runs, 'f1')}", fontsize=10)
        handles = {}
        for axes, (metric, words) in zip(figure.subplots(1, len(metrics), squeeze=False).flat, metrics, strict=True):
            axes.set_xlabel(axis)
            axes.set_ylabel(words)
            axes.grid(visible=True)
            shown = [
                (one, found, x)
                for one in series
                if (found := cell(one.summary, metric)) and (x := place(one.summary)) is not None
            ]
            for one, found, x in shown:
                handles[one.label] = axes.errorbar([x], [found[0]], yerr=errors([found]), **look(one))
            scale([x for _, _, x in shown], axes)
            axes.set_ylim(bottom=0)
        figure.legend(handles.values(), handles.keys(), loc="outside right center")
    sanity = " Grey: for comparison only." if any(one.sanity for one in series) else ""
    return Drawn(name, title, f"{INTERVALS}{sanity}{left_out}", figure)


def look(one: Series) -> dict[str, object]:
    """Return how a series is drawn."""
    return {"color": one.colour, "marker": one.marker, "markersize": 6, "elinewidth": 1, "linestyle": "none"}


def scale(values: Sequence[float], axes: Any) -> None:
    """Make the axis of values logarithmic where they span much; linear near 0: some runs have no context."""
    positive = [value for value in values if value > 0]
    if positive and max(positive) / min(positive) > DECADES:
        if len(positive) < len(values):
            axes.set_xscale("symlog", linthresh=min(positive))
        else:
            axes.set_xscale("log")
