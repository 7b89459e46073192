"""What the benchmarks share: vectors at hand, interleaved timing, and the one line that a figure is printed as."""

import os
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

import numpy as np

from memlab.embed.embedder import Embedder, Vectors
from memlab.memory import Add, Candidate, Fact
from memlab.store.dense import DenseStore

DIMENSION = 384
SAID_AT = datetime(2023, 5, 8)


class Lookup(Embedder):
    """Returns vectors that were drawn beforehand, so that no model is measured."""

    name = "lookup"
    dimension = DIMENSION

    def __init__(self, vectors: dict[str, Vectors]) -> None:
        self.vectors = vectors

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of known texts; raises KeyError on an unknown one."""
        return np.array([self.vectors[text] for text in texts])


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured ratio, or share, beside its target; `at_least` says on which side of it the target is met."""

    what: str
    ratio: float
    target: float
    at_least: bool
    times: str
    unit: str = "x"

    def line(self) -> str:
        """Return the row of the table of figures."""
        met = self.ratio >= self.target if self.at_least else self.ratio <= self.target
        side = "at least" if self.at_least else "at most"
        ratio = f"{self.ratio:.{2 if self.ratio >= 1 else 3}f}{self.unit}"
        target = f"{side} {self.target:g}{self.unit}"
        return f"{self.what} | {ratio} | {target} | {'met' if met else 'MISSED'} | {self.times}"


def unit_vectors(n: int, seed: int) -> Vectors:
    drawn = np.random.default_rng(seed).standard_normal((n, DIMENSION), dtype=np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def fact(text: str) -> Candidate:
    return Candidate(Fact(text), "Ada", ("D1:1",), SAID_AT)


async def filled(vectors: Vectors, embedder: Lookup) -> DenseStore:
    """Return a store of memories `m0`, `m1`, ... named like their texts, with these vectors."""
    embedder.vectors.update((f"m{row}", vector) for row, vector in enumerate(vectors))
    store = DenseStore(embedder, exact_up_to=None)
    for row in range(len(vectors)):
        await store.apply(Add(fact(f"m{row}")))
    return store


async def interleaved(rounds: int, *actions: Callable[[int], Awaitable[object]]) -> list[list[float]]:
    """Return the seconds of each action, one list an action; in each round all are run in turn.

    An action is given the number of its round, from 0; round 0 warms up and is not counted.
    """
    times: list[list[float]] = [[] for _ in actions]
    for turn in range(rounds + 1):
        for own, action in zip(times, actions, strict=True):
            start = time.perf_counter()
            await action(turn)
            own.append(time.perf_counter() - start)
    return [own[1:] for own in times]


def median_ratio(above: Sequence[float], below: Sequence[float]) -> float:
    """Return the median of the ratios round by round: what else the machine did then slowed both."""
    return median(one / other for one, other in zip(above, below, strict=True))


def milliseconds(times: Sequence[float], per: int = 1) -> str:
    return f"{1000 * median(times) / per:.3f} ms"


def machine() -> str:
    import faiss

    return f"{os.cpu_count()} cores, faiss {faiss.__version__} ({faiss.get_compile_options().strip()})"
