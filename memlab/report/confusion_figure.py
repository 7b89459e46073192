"""Confusion matrices of operations as a figure."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import Any

from memlab.gold import OPERATIONS

COLUMNS = 3
INCHES = 2.6
"""Of a matrix, to a side, its labels included."""
FORMATS = (".svg", ".pdf", ".png")

Confusion = Mapping[str, Mapping[str, int]]
"""Counts by the right operation, then by the chosen one."""


def faults(file: Path) -> list[str]:
    """Return why nothing can be drawn to a file here."""
    found = [] if file.suffix in FORMATS else [f"{file}: a figure's name ends in {', '.join(FORMATS)}"]
    if find_spec("matplotlib") is None:
        found.append('figures need the package matplotlib; pip install "memlab[figures]"')
    return found


def draw(matrices: Sequence[tuple[str, Confusion]], file: Path) -> None:
    """Draw named matrices side by side: a row an operation that was right, shaded by the share that was chosen.

    The same matrices give the same file. Raises ValueError when it cannot be drawn.
    """
    if wrong := faults(file):
        raise ValueError("; ".join(wrong))
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "memlab", "svg.fonttype": "none", "font.size": 8}):
        figure = drawn(matrices)
        dateless: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
        file.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(file, metadata=dateless[file.suffix], bbox_inches="tight", dpi=160)


def drawn(matrices: Sequence[tuple[str, Confusion]]) -> Any:
    """Return the figure."""
    from matplotlib.figure import Figure

    columns = min(COLUMNS, len(matrices))
    rows = ceil(len(matrices) / columns)
    figure = Figure(figsize=(columns * INCHES, rows * INCHES), layout="constrained")
    figure.suptitle("Operations: right (rows) and chosen (columns), in decisions")
    places = list(figure.subplots(rows, columns, squeeze=False).flat)
    for place, (name, confusion) in zip(places, matrices, strict=False):
        counts = [[confusion[gold][chosen] for chosen in OPERATIONS] for gold in OPERATIONS]
        shares = [[count / (sum(row) or 1) for count in row] for row in counts]
        place.imshow(shares, cmap="Blues", vmin=0, vmax=1)
        place.set_title(name)
        place.set_xticks(range(len(OPERATIONS)), OPERATIONS, rotation=30)
        place.set_yticks(range(len(OPERATIONS)), OPERATIONS)
        for y, row in enumerate(counts):
            for x, count in enumerate(row):
                dark = shares[y][x] > 0.5
                place.text(x, y, f"{count:,}", ha="center", va="center", color="white" if dark else "black")
    for place in places[len(matrices) :]:
        place.set_axis_off()
    return figure
