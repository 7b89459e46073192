"""Plots beside each other, their scales, and points that would hide each other."""

from collections.abc import Sequence
from itertools import combinations
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SPAN = 8
"""The largest over the smallest value from which on an axis is logarithmic."""
TICKS = 6
"""The most on a logarithmic axis that are named."""
APART = 0.018
"""Of an axis: the distance from which on points can be told apart."""
LEGEND_ROWS = 16
INTERVALS = "Bars: 95 % intervals, conversations resampled (expanded percentiles)."


def plots(count: int, title: str, *, width: float = 3.6, height: float = 3.4, sharey: bool = False) -> Any:
    """Return a figure with room for a legend, and its plots: in a row, each of a width in inches."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    figure = Figure(figsize=(width * count + 1.7, height), layout=ConstrainedLayoutEngine(wspace=0.06))
    figure.suptitle(title, fontsize=10)
    found = list(figure.subplots(1, count, squeeze=False, sharey=sharey).flat)
    for axes in found:
        axes.grid(visible=True)
        axes.set_axisbelow(True)
    return figure, found


def legend(figure: "Figure", handles: dict[str, Any]) -> None:
    """Name the series to the right of all plots, in the order of their looks."""
    columns = ceil(len(handles) / LEGEND_ROWS)
    figure.legend(handles.values(), handles.keys(), loc="outside right center", ncols=columns, handlelength=1.8)


def scale(axes: "Axes", values: Sequence[float], *, margin: float = 0.06) -> None:
    """Fit the x axis to some values: logarithmic where they span much, and linear near 0 if 0 is among them."""
    positive = [value for value in values if value > 0]
    if positive and max(positive) / min(positive) > SPAN:
        if len(positive) < len(values):
            axes.set_xscale("symlog", linthresh=min(positive), linscale=0.6)
        else:
            axes.set_xscale("log")
    transform = axes.xaxis.get_transform()
    low, high = (float(end) for end in transform.transform([min(values), max(values)]))
    room = margin * (high - low) or margin * abs(high) or 1.0
    axes.set_xlim(*(float(end) for end in transform.inverted().transform([low - room, high + room])))
    if axes.get_xscale() == "linear":
        axes.xaxis.set_major_formatter("{x:,.10g}")
        return
    left, right = axes.get_xlim()
    ticks = log_ticks(max(left, min(positive) / 2), right)
    ticks = [0.0, *ticks] if left <= 0 else ticks
    axes.set_xticks(ticks, [f"{tick:,.10g}" for tick in ticks])
    axes.set_xticks([], minor=True)


def log_ticks(low: float, high: float) -> list[float]:
    """Return round numbers between two: 1, 2 and 5 of every power of ten, or fewer where those are many."""
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    for steps in ((1, 2, 5), (1, 3), (1,)):
        found = [float(f"{step}e{power}") for power in powers for step in steps]
        within = [tick for tick in found if low <= tick <= high]
        if len(within) <= TICKS:
            break
    return within


def side_by_side(axes: "Axes", values: Sequence[float], spans: Sequence[tuple[float, float]]) -> list[float]:
    """Return places on the x axis for some values, moved apart where their points or intervals would hide each other.

    `spans` are the lowest and highest that each reaches; the axis must have its scale and limits.
    """
    shares = shares_of(axes, values)
    return moved(axes, values, [new - old for new, old in zip(apart(shares, spans), shares, strict=True)])


def shares_of(axes: "Axes", values: Sequence[float]) -> list[float]:
    """Return where values lie on the x axis, from 0 to 1."""
    transform = axes.xaxis.get_transform()
    low, high = (float(end) for end in transform.transform(axes.get_xlim()))
    return [(float(at) - low) / (high - low) for at in transform.transform(list(values))]


def moved(axes: "Axes", values: Sequence[float], by: Sequence[float]) -> list[float]:
    """Return values moved by shares of the x axis."""
    transform = axes.xaxis.get_transform()
    low, high = (float(end) for end in transform.transform(axes.get_xlim()))
    places = [low + (share + by_) * (high - low) for share, by_ in zip(shares_of(axes, values), by, strict=True)]
    found = [float(at) for at in transform.inverted().transform(places)]
    return [new if by_ else value for value, new, by_ in zip(values, found, by, strict=True)]


def apart(shares: Sequence[float], spans: Sequence[tuple[float, float]]) -> list[float]:
    """Return shares of an axis such that those whose spans overlap are APART; crowds are spread around their middle."""
    crowds = [[place] for place in sorted(range(len(shares)), key=lambda place: shares[place])]

    def spread() -> dict[int, float]:
        return {
            place: shares[place] if len(crowd) == 1 else middle(crowd) + APART * (number - (len(crowd) - 1) / 2)
            for crowd in crowds
            for number, place in enumerate(crowd)
        }

    def middle(crowd: list[int]) -> float:
        return sum(shares[place] for place in crowd) / len(crowd)

    def hide(one: int, other: int) -> bool:
        overlap = spans[one][0] <= spans[other][1] and spans[other][0] <= spans[one][1]
        return overlap and abs(now[one] - now[other]) < APART - 1e-9

    while True:
        now = spread()
        pairs = ((a, b) for a, b in combinations(crowds, 2) if any(hide(one, other) for one in a for other in b))
        pair = next(pairs, None)
        if pair is None:
            return [now[place] for place in range(len(shares))]
        crowds = [crowd for crowd in crowds if crowd not in pair] + [sorted(pair[0] + pair[1], key=lambda p: shares[p])]
