"""What a candidate is to a memory, as a model of pairs of texts tells it."""

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from memlab.gold import Verb
from memlab.part import Part

Relation = Literal["unrelated", "equivalent", "augments", "contradicts"]
RELATIONS: tuple[Relation, ...] = ("unrelated", "equivalent", "augments", "contradicts")
"""The tests of arXiv 2504.19413 algorithm 1 (SemanticallySimilar, Augments, Contradicts), and none of them.

equivalent: the memory says it already, or more. augments: a detail more of the very thing that the memory tells.
contradicts: both cannot be true at a time. unrelated: all else, near things and other persons' included.
"""
OPERATION_OF: Mapping[Relation, Verb] = {
    "unrelated": "ADD",
    "equivalent": "NOOP",
    "augments": "UPDATE",
    "contradicts": "DELETE",
}

Probabilities = NDArray[np.float32]


def checked_temperature(found: object, file: str) -> float:
    """Return what logits are divided by, as a file has it; raises ValueError when it is no number above 0."""
    if not (isinstance(found, int | float) and 0 < found < math.inf):
        raise ValueError(f"{file} has temperature={found}; it must be a number above 0")
    return found


@dataclass(frozen=True, slots=True)
class Pair:
    """The texts of a memory and of a candidate that was said later."""

    memory: str
    candidate: str


class PairModel(Part):
    """Tells how likely each relation is; the numbers of a pair depend on its two texts alone, not on the batch."""

    @abstractmethod
    async def probabilities(self, pairs: Sequence[Pair]) -> Probabilities:
        """Return calibrated probabilities (len(pairs), 4) in the order of `RELATIONS`, rows that sum to 1."""


class SameWords(PairModel):
    """Takes the very same text for equivalent and all others for unrelated: stands in for a model in a preview."""

    async def probabilities(self, pairs: Sequence[Pair]) -> Probabilities:
        """Return certainties, a row a pair."""
        rows = np.zeros((len(pairs), len(RELATIONS)), np.float32)
        for row, pair in zip(rows, pairs, strict=True):
            row[RELATIONS.index("equivalent" if pair.memory == pair.candidate else "unrelated")] = 1
        return rows
