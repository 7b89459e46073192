"""How long a unit of work takes, without what is no part of it: waits, and the making of vectors."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter


@dataclass(slots=True)
class Stopwatch:
    """Runs from the time it is made."""

    aside: float = 0.0
    """Seconds by the clock that do not count."""
    began: float = field(default_factory=perf_counter)

    def seconds(self) -> float:
        """Return the seconds that count so far."""
        return perf_counter() - self.began - self.aside


_current: ContextVar[Stopwatch | None] = ContextVar("memlab_stopwatch", default=None)


@contextmanager
def running() -> Iterator[Stopwatch]:
    """Time what is done within, in this task and in those it starts; an outer stopwatch goes on as it was."""
    stopwatch = Stopwatch()
    token = _current.set(stopwatch)
    try:
        yield stopwatch
    finally:
        _current.reset(token)


@contextmanager
def aside() -> Iterator[None]:
    """Leave what is done within out of the seconds of the work that it is done for."""
    stopwatch = _current.get() or Stopwatch()
    began = perf_counter()
    try:
        yield
    finally:
        stopwatch.aside += perf_counter() - began
