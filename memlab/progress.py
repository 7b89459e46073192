"""How far a run is: a live bar in a terminal, now and then a line in a log file."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

STEPS = 10
"""Lines a stage leaves in a log file."""


class Stages:
    """Progress over named stages with known totals."""

    def __init__(self, console: Console, totals: dict[str, int]) -> None:
        self.console = console
        self.totals = totals
        self.done = dict.fromkeys(totals, 0)
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        self.bar = Progress(*columns, console=console, transient=True) if console.is_terminal else None
        self.tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        if self.bar:
            self.bar.start()
            self.tasks = {name: self.bar.add_task(name, total=total) for name, total in self.totals.items()}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar:
            self.bar.stop()

    def advance(self, name: str, steps: int = 1) -> None:
        """Count steps of a stage as done."""
        before, total = self.done[name], self.totals[name]
        self.done[name] += steps
        if self.bar:
            self.bar.advance(self.tasks[name], steps)
        elif total and self.done[name] * STEPS // total > before * STEPS // total:
            self.console.print(f"{name}: {self.done[name]} of {total}", highlight=False)
