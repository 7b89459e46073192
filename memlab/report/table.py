"""A table of results as text: terminal, Markdown, CSV, LaTeX."""

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from tabulate import tabulate

from memlab.report import latex
from memlab.report.cell import data_columns


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings, with a caption that says what is counted."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What comes before the caption's colon, as the name of a file."""
        return re.sub(r"\W+", "_", self.caption.partition(":")[0]).strip("_").lower()

    def show(self, console: Console) -> None:
        """Print to a terminal; the first column to the left, the others to the right."""
        table = RichTable(title=escape(self.caption), title_justify="left", box=box.SIMPLE_HEAD)
        for number, heading in enumerate(self.headings):
            table.add_column(heading, justify="right" if number else "left", overflow="fold")
        for row in self.rows:
            table.add_row(*map(escape, row))
        console.print(table)
        for note in self.notes:
            console.print(note, highlight=False, markup=False)

    def markdown(self) -> str:
        """Return the table as GitHub Markdown."""
        return "\n\n".join((self.caption, self._grid(), *self.notes)) + "\n"

    def csv(self) -> str:
        """Return the table as CSV, headings first, without caption and notes: data, the ends of intervals apart."""
        columns = zip(self._flat_headings(), zip(*self.rows, strict=True), strict=True) if self.rows else ()
        data = [column for heading, cells in columns for column in data_columns(heading, cells)]
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(zip(*data, strict=True) if data else [self._flat_headings()])
        return text.getvalue()

    def latex(self) -> str:
        """Return the table as a LaTeX `table` with booktabs rules."""
        return latex.table(self.name, " ".join((f"{self.caption}.", *self.notes)), self.headings, self.rows)

    def _flat_headings(self) -> list[str]:
        return [heading.replace("\n", " ") for heading in self.headings]

    def _grid(self) -> str:
        alignment = ("left", *("right" for _ in self.headings[1:]))
        rows = [[" ".join(cell.split()).replace("|", "\\|") for cell in row] for row in (self.headings, *self.rows)]
        return tabulate(rows[1:], rows[0], tablefmt="github", colalign=alignment, disable_numparse=True)


FORMATS: dict[str, Callable[[Table], str]] = {"markdown": Table.markdown, "csv": Table.csv, "latex": Table.latex}


WIDTH_IN_FILES = 150
"""Columns of output that no terminal bounds: a log file, a pipe."""


def output() -> Console:
    """Return the console for results and progress: as wide as the terminal, or wide enough for a table in a file."""
    console = Console()
    return console if console.is_terminal else Console(width=WIDTH_IN_FILES)
