"""Confusion matrices of operations."""

from collections.abc import Mapping, Sequence
from math import ceil

from memlab.gold import OPERATIONS
from memlab.report.figures.figure import Drawn, styled
from memlab.report.figures.series import named_series, number_like
from memlab.report.rows import Run

COLUMNS = 4
MOST = 12
"""Matrices in one figure."""
INCHES = 2.6
"""Of a matrix, to a side, its labels included."""
TITLE = "Operations: right (rows) and chosen (columns), in decisions"

Confusion = Mapping[str, Mapping[str, int]]
"""Counts by the right operation, then by the chosen one."""


def confusion_of_runs(runs: Sequence[Run]) -> Drawn | None:
    """Return the matrices of runs on data that knows the right operations; of a sweep's runs, the last ones only."""
    _, series = named_series(runs)
    last = {
        tuple(value for value in one.row if not number_like(value)): (one.label, one.summary["operations"]["confusion"])
        for one in series
        if one.summary["operations"]
    }
    return confusion(list(last.values())) if last else None


def confusion(matrices: Sequence[tuple[str, Confusion]]) -> Drawn:
    """Return named matrices side by side: a row an operation that was right, shaded by the share that was chosen."""
    from matplotlib.figure import Figure

    shown = matrices[:MOST]
    columns = min(COLUMNS, len(shown))
    rows = ceil(len(shown) / columns)
    with styled("confusion"):
        figure = Figure(figsize=(columns * INCHES, rows * INCHES + 0.4), layout="constrained")
        figure.suptitle(TITLE, fontsize=10)
        places = list(figure.subplots(rows, columns, squeeze=False).flat)
        for place, (name, counts_of) in zip(places, shown, strict=False):
            counts = [[counts_of[gold][chosen] for chosen in OPERATIONS] for gold in OPERATIONS]
            shares = [[count / (sum(row) or 1) for count in row] for row in counts]
            place.imshow(shares, cmap="Blues", vmin=0, vmax=1)
            place.set_title(name)
            place.set_xticks(range(len(OPERATIONS)), OPERATIONS, rotation=30)
            place.set_yticks(range(len(OPERATIONS)), OPERATIONS)
            for y, row in enumerate(counts):
                for x, count in enumerate(row):
                    dark = shares[y][x] > 0.5
                    place.text(x, y, f"{count:,}", ha="center", va="center", color="white" if dark else "black")
        for place in places[len(shown) :]:
            place.set_axis_off()
    left_out = f" The first {MOST} of {len(matrices)}." if len(matrices) > MOST else ""
    return Drawn("confusion", TITLE, f"Shade: share of the row. Numbers: decisions.{left_out}", figure)
