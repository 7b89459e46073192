"""Sweeps: metrics against a setting that alone sets runs apart."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from memlab.report.figures.axes import APART, INTERVALS, legend, moved, plots, scale
from memlab.report.figures.figure import Drawn, styled
from memlab.report.figures.series import (
    MOST,
    WORDS,
    Series,
    cell,
    counted,
    errors,
    named_series,
    number_like,
    qualities,
    said,
)
from memlab.report.rows import Run

MACRO_F1 = "macro_f1"
UNITS = {
    "m": "m (recent turns that an extractor sees)",
    "s": "s (similar memories that an updater sees)",
    "size": "size of a chunk (tokens)",
    "max_tokens": "max_tokens (context tokens)",
    "top_k": "top_k (memories)",
}
"""What some settings count."""
BANDS = 3
"""The most curves whose intervals can be told apart as bands."""
BAND = "Bands: 95 % intervals, conversations resampled (expanded percentiles)."
LEAST_HEIGHT = 0.1
"""Of an axis, so that noise does not look like a finding."""


def sweeps(runs: Sequence[Run]) -> list[Drawn]:
    """Return a figure for each number that alone sets some runs apart: the metrics against it."""
    names, series = named_series(runs)
    return [
        sweep(runs, names, place, curves)
        for place in range(1, len(names))
        if all(number_like(one.row[place]) or one.row[place] == "-" for one in series)
        and (curves := along(series, place))
    ]


def along(series: Sequence[Series], place: int) -> list[list[Series]]:
    """Return the series that differ in one value only, in its order, of two and more."""

    def others(one: Series) -> tuple[str, ...]:
        return (*one.row[:place], *one.row[place + 1 :])

    numbered = [one for one in series if one.row[place] not in (*WORDS, "-")]
    groups = [list(own) for _, own in groupby(sorted(numbered, key=others), key=others)]
    curves = [sorted(own, key=lambda one: float(one.row[place])) for own in groups if len(own) > 1]
    return sorted(curves, key=lambda own: own[0].look.order)


def sweep(runs: Sequence[Run], names: Sequence[str], place: int, every: Sequence[Sequence[Series]]) -> Drawn:
    """Return the metrics against one setting, a curve for each choice of the others."""
    curves = every[:MOST]
    metrics = [
        (metric, words)
        for metric, words in (
            *qualities(runs),
            ("evidence_recall", "evidence recall"),
            (MACRO_F1, "macro-F1 (operations)"),
        )
        if any(value(one, metric) for own in curves for one in own)
    ]
    name, key = f"sweep_{names[place].replace('.', '_').replace('@', '_')}", names[place].rpartition(".")[2]
    *firsts, last = (words.partition(" (")[0] for _, words in metrics)
    title = f"{', '.join(firsts)}{' and ' if firsts else ''}{last} against {names[place]}"
    telling = [p for p in range(len(names)) if p != place and len({own[0].row[p] for own in curves}) > 1]
    settings = sorted({float(one.row[place]) for own in curves for one in own})
    with styled(name):
        figure, every_axes = plots(len(metrics), f"{title}\n{counted(runs, 'f1')}", width=3.2)
        for axes, (metric, words) in zip(every_axes, metrics, strict=True):
            scale(axes, (settings[0], settings[-1]), margin=0.06 if len(curves) <= BANDS else APART * len(curves))
            handles = {}
            for number, own in enumerate(curves):
                shift = APART * (number - (len(curves) - 1) / 2) if len(curves) > BANDS else None
                handles[named(names, own[0], telling)] = curve(axes, own, place, metric, shift)
            axes.set_xticks(settings, [f"{setting:,.10g}" for setting in settings])
            axes.set_xticks([], minor=True)
            axes.set_xlabel(UNITS.get(key, key))
            axes.set_ylabel(words)
            low, high = axes.get_ylim()
            missing = max(LEAST_HEIGHT - (high - low), 0) / 2
            axes.set_ylim(low - missing, high + missing)
        legend(figure, handles)
    return Drawn(name, title, caption(curves, metrics, len(every)), figure)


def curve(axes: Any, own: Sequence[Series], place: int, metric: str, shift: float | None) -> Any:
    """Draw a metric of some runs against the setting at a place; with bands, or bars where it is shifted."""
    points = [(float(one.row[place]), found) for one in own if (found := value(one, metric))]
    cells = [found for _, found in points]
    x = moved(axes, [at for at, _ in points], [shift or 0.0] * len(points))
    look = own[0].look
    drawn = axes.plot(
        x,
        [middle for middle, _, _ in cells],
        linestyle=look.line,
        markersize=4.5,
        linewidth=1.2,
        **{**look.point, "fillstyle": "full"},
    )
    if shift is not None:
        axes.errorbar(x, drawn[0].get_ydata(), yerr=errors(cells), fmt="none", ecolor=look.colour, elinewidth=0.8)
    else:
        band = [low for _, low, _ in cells], [high for _, _, high in cells]
        axes.fill_between(x, *band, color=look.colour, alpha=0.15, linewidth=0)
    return drawn[0]


def caption(curves: Sequence[Sequence[Series]], metrics: Sequence[tuple[str, str]], every: int) -> str:
    """Return how to read a sweep: its intervals, what else is counted, what is left out."""
    told = [BAND if len(curves) <= BANDS else f"{INTERVALS} Curves are drawn side by side."]
    if MACRO_F1 in dict(metrics):
        counts = sorted({own["decisions"] for runs in curves for one in runs if (own := one.summary["operations"])})
        told.append(f"Macro-F1 of the chosen operations: n={' or '.join(f'{n:,}' for n in counts)} decisions.")
    if every > len(curves):
        told.append(f"The first {len(curves)} of {every} curves; the tables have all.")
    return " ".join(told)


def named(names: Sequence[str], one: Series, telling: Sequence[int]) -> str:
    """Return what tells a curve from the others; of one curve, its system."""
    words = [said(names, one.row, place) if number_like(one.row[place]) else one.row[place] for place in telling]
    return ", ".join(words) or one.row[0]


def value(one: Series, metric: str) -> tuple[float, float, float] | None:
    """Return value and interval of a metric of answers, or of operations."""
    if metric != MACRO_F1:
        return cell(one.summary, metric)
    return cell({"metrics": {metric: {"overall": (one.summary["operations"] or {}).get(metric)}}}, metric)
