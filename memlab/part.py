"""The one base of everything that can be swapped."""

from abc import ABC
from typing import ClassVar


class Part(ABC):
    """A swappable part, built from its constructor's settings and collaborators.

    A constructor only keeps what it is given: no file, network or model is touched before the first use.
    """

    model_files: ClassVar[tuple[str, ...]] = ()
    """Settings that name a file or a folder of a model: in a run's key its content stands for its path."""

    def missing(self) -> list[str]:
        """Return what this part needs and lacks here (package, key, file), each with its remedy; empty when ready."""
        return []


class PartFailed(Exception):
    """A part cannot do one unit of work for now: a refused request, retries used up.

    A question is then recorded as failed, never as a zero, and the run goes on; for anything else the run stops, with
    all that was done kept.
    """
