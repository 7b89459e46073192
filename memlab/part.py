"""The one base of everything that can be swapped."""

from abc import ABC


class Part(ABC):
    """A swappable part, built from its constructor's settings and collaborators.

    A constructor only keeps what it is given: no file, network or model is touched before the first use.
    """

    def missing(self) -> list[str]:
        """Return what this part needs and lacks here (package, key, file), each with its remedy; empty when ready."""
        return []


class PartFailed(Exception):
    """One unit of work (a window, a question) cannot be done, while others may; recorded as failed, never as a zero."""
