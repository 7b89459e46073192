"""A view of finished runs elsewhere; `runs/` stays the record."""

from abc import abstractmethod
from pathlib import Path

from memlab.part import Part


class Tracker(Part):
    """Shows a run where its users look."""

    @abstractmethod
    def publish(self, folder: Path, *, study: str) -> str | None:
        """Show a finished run, grouped under a study; return where it can be seen, or None."""


class NoTracker(Tracker):
    """Shows nothing."""

    def publish(self, folder: Path, *, study: str) -> str | None:
        """Do nothing."""
        return None
