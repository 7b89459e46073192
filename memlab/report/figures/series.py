"""Which runs a figure shows, and how each looks: the same in every figure of a report."""

from collections.abc import Sequence
from dataclasses import dataclass

from memlab.records import Record
from memlab.report.rows import Run, labels, value_of

MOST = 14
"""Series that can still be told apart."""
# Okabe and Ito's colours, which colour-blind readers tell apart, in shades that show on white and on black.
COLOURS = ("#0079c2", "#e08a00", "#009e73", "#d55e00", "#b76ea0", "#3fa9e0", "#9a8700")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*", "d", "8")
GREY = "#8a8a8a"
SANITY = ("no_memory", "echo", "random_memory")
"""Systems that no memory should be worse than."""


@dataclass(frozen=True, slots=True)
class Series:
    """One run: its values of what tells the runs apart, its look, its summary."""

    row: tuple[str, ...]
    label: str
    colour: str
    marker: str
    sanity: bool
    summary: Record

    @property
    def line(self) -> str:
        """The style of a line: dotted for runs that are there for comparison only."""
        return ":" if self.sanity else "-"


def named_series(runs: Sequence[Run]) -> tuple[list[str], list[Series]]:
    """Return the headings of what tells some runs apart, and each run as a series."""
    names, rows = labels([manifest for manifest, _ in runs])
    telling = [place for place in range(len(names)) if len({row[place] for row in rows}) > 1] or [0]
    found = []
    for shown, (row, (manifest, summary)) in enumerate(zip(rows, runs, strict=True)):
        sanity = manifest["choices"].get("system") in SANITY
        marker, colour = MARKERS[shown % len(MARKERS)], GREY if sanity else COLOURS[shown % len(COLOURS)]
        words = [
            row[place] if place == 0 or not number_like(row[place]) else said(names, row, place) for place in telling
        ]
        found.append(Series(tuple(row), ", ".join(dict.fromkeys(words)), colour, marker, sanity, summary))
    return names, found


def number_like(text: str) -> bool:
    """Return whether a value says little without the name of its setting."""
    try:
        float(text)
    except ValueError:
        return text in ("True", "False", "None")
    return True


def said(names: Sequence[str], row: Sequence[str], place: int) -> str:
    """Return a setting as `s=10`."""
    return f"{names[place].rpartition('.')[2]}={row[place]}"


def readable(series: Sequence[Series], metric: str) -> tuple[list[Series], str]:
    """Return the series that a figure can show, the best by a metric and those for comparison, and what is left out."""
    if len(series) <= MOST:
        return list(series), ""
    ranked = sorted((one for one in series if not one.sanity), key=lambda one: -(value_of(one.summary, metric) or 0.0))
    room = MOST - sum(one.sanity for one in series)
    kept = [one for one in series if one.sanity or any(one is best for best in ranked[: max(room, 1)])]
    return kept, f" The best {len(kept)} of {len(series)} runs by {metric}; the tables have all."


def cell(summary: Record, metric: str, group: str = "overall") -> tuple[float, float, float] | None:
    """Return value, low and high of a metric, or None; without an interval all three are the value."""
    found = summary["metrics"].get(metric, {}).get(group)
    if not found or found["value"] is None:
        return None
    low, high = found["interval"] or (found["value"], found["value"])
    return found["value"], low, high


def errors(cells: Sequence[tuple[float, float, float]]) -> list[list[float]]:
    """Return how far the intervals reach below and above the values, as matplotlib wants it."""
    # A bootstrap's interval need not hold the value itself.
    below = [max(0.0, value - low) for value, low, _ in cells]
    above = [max(0.0, high - value) for value, _, high in cells]
    return [below, above]


def counted(runs: Sequence[Run], metric: str, group: str = "overall") -> str:
    """Return over how many questions of how many conversations a metric is."""
    questions = max((s["metrics"].get(metric, {}).get(group, {}).get("n", 0) for _, s in runs), default=0)
    data = {(m["dataset"]["name"], m["dataset"]["conversations"]): None for m, _ in runs}
    told = " and ".join(f"{name}, {count} conversation{'s' * (count != 1)}" for name, count in data)
    return f"{told}, n={questions:,} questions"
