"""Cells of tables that hold numbers: words for people, values for CSV."""

from collections.abc import Iterable, Sequence
from typing import Self

NOTHING = "-"
"""The words of a cell that has no value."""


class Number(str):
    """A cell as a table shows it, and by name the numbers that it tells; the main one's name is empty.

    It is its own words, so that whatever takes a text takes it; only a format that holds data looks further.
    """

    __slots__ = ("parts",)
    parts: dict[str, float | None]

    def __new__(cls, words: str, value: float | None = None, **more: float | None) -> Self:
        """Keep the words, the value, and further numbers: `low` and `high` of an interval, a deviation, ..."""
        made = super().__new__(cls, words)
        made.parts = {"": value, **more}
        return made


def data_columns(heading: str, cells: Sequence[str]) -> list[list[str]]:
    """Return a column of a table as columns of data, headings first: one for each number that its cells tell.

    Values are not rounded as words are. A cell without a value is empty; words among numbers stay in the first column.
    """
    numbers = [cell for cell in cells if isinstance(cell, Number)]
    if not numbers:
        return [[heading, *cells]]
    parts = dict.fromkeys(name for cell in numbers for name in cell.parts)
    names = [name for name in parts if any(cell.parts.get(name) is not None for cell in numbers)] or [""]
    return [[f"{heading} {name}".strip(), *data(cells, name, words=name == names[0])] for name in names]


def data(cells: Iterable[str], name: str, *, words: bool) -> list[str]:
    """Return what each cell tells under a name; plain cells as they are, where words are wanted."""
    found = []
    for cell in cells:
        if isinstance(cell, Number):
            value = cell.parts.get(name)
            found.append("" if value is None else f"{value:.10g}")
        else:
            found.append(cell if words and cell != NOTHING else "")
    return found
