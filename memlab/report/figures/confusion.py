"""Confusion matrices of operations."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from memlab.gold import OPERATIONS
from memlab.report.figures.figure import INK, Drawn, styled
from memlab.report.figures.series import COLOURS, named_series
from memlab.report.rows import Run

COLUMNS = 4
MOST = 12
"""Matrices in one figure."""
INCHES = 1.9
"""Of a matrix, to a side, its title included."""
TITLE = "Operations: right (rows) and chosen (columns), in decisions"

Confusion = Mapping[str, Mapping[str, int]]
"""Counts by the right operation, then by the chosen one."""


def confusion_of_runs(runs: Sequence[Run]) -> Drawn | None:
    """Return the matrices of runs on data that knows the right operations; of a sweep's runs, the last ones only."""
    _, series = named_series(runs)
    measured = sorted((one for one in series if one.summary["operations"]), key=lambda one: one.look.order)
    last = {one.kind: (one.label, one.summary["operations"]["confusion"]) for one in measured}
    return confusion(list(last.values())) if last else None


def confusion(matrices: Sequence[tuple[str, Confusion]]) -> Drawn:
    """Return named matrices side by side: a row an operation that was right, shaded by the share that was chosen."""
    from matplotlib.figure import Figure

    shown = matrices[:MOST]
    columns = min(COLUMNS, len(shown))
    rows = ceil(len(shown) / columns)
    totals = sorted({sum(sum(row.values()) for row in counts.values()) for _, counts in shown})
    with styled("confusion"):
        figure = Figure(figsize=(max(columns * INCHES + 0.6, 4.2), rows * INCHES + 0.9), layout="constrained")
        figure.suptitle(f"{TITLE}\nn={' or '.join(f'{total:,}' for total in totals)} decisions each", fontsize=10)
        figure.supylabel("right", fontsize=9)
        figure.supxlabel("chosen", fontsize=9)
        places = list(figure.subplots(rows, columns, squeeze=False).flat)
        for number, (place, (name, counts)) in enumerate(zip(places, shown, strict=False)):
            below = number + columns >= len(shown)
            matrix(place, counts, rows_named=number % columns == 0, columns_named=below)
            place.set_title(name)
        for place in places[len(shown) :]:
            place.set_axis_off()
    left_out = f" The first {MOST} of {len(matrices)}." if len(matrices) > MOST else ""
    return Drawn("confusion", TITLE, f"Shade: share of the row. Numbers: decisions.{left_out}", figure)


def matrix(axes: Any, counts_of: Confusion, *, rows_named: bool, columns_named: bool) -> None:
    """Draw one matrix: squares whose opacity is the share of their row, so that they fit a page of any colour."""
    from matplotlib.colors import to_rgba

    size = len(OPERATIONS)
    counts = [[counts_of[gold][chosen] for chosen in OPERATIONS] for gold in OPERATIONS]
    shares = [[count / (sum(row) or 1) for count in row] for row in counts]
    edges = [place - 0.5 for place in range(size + 1)]
    colours = [[to_rgba(COLOURS[0], share) for share in row] for row in shares]
    axes.pcolormesh(edges, edges, colours, edgecolors="none")
    axes.set_aspect("equal")
    axes.invert_yaxis()
    for side in ("top", "right"):
        axes.spines[side].set_visible(True)
    axes.tick_params(length=0)
    axes.set_xticks(range(size), OPERATIONS if columns_named else [""] * size, fontsize=6.5)
    axes.set_yticks(range(size), OPERATIONS if rows_named else [""] * size, fontsize=6.5)
    for y, row in enumerate(counts):
        for x, count in enumerate(row):
            colour = "white" if shares[y][x] > 0.75 else INK
            axes.text(x, y, f"{count:,}", ha="center", va="center", fontsize=8, color=colour)
