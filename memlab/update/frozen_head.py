"""A small head on frozen sentence vectors and on counts of words: no model runs but the store's own embedder."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memlab.arrays import arrays_in
from memlab.embed.embedder import Embedder, Vectors
from memlab.part import PartFailed
from memlab.update.relation import RELATIONS, Pair, PairModel, Probabilities, checked_temperature
from memlab.update.text_features import WIDTH, TextFeatures, pair_features, text_features

SHIPPED = Path(__file__).parent.parent / "assets" / "frozen_head"
"""A folder for each embedder that memlab ships weights for, by its name, as a training writes it."""
FILE = "frozen_head.npz"
TRAIN = "python -m memlab train updater model=frozen_head"
FEATURES = 1
"""Version of the features: weights of another one mean something else."""
BLOCK = 16
"""Rows of every matrix product, so that the bytes of a pair's numbers do not depend on how many are asked for."""
ACROSS = 128
"""Columns of every product: so small that BLAS keeps it on one thread. On a busy machine its threads wait for each
other far longer than one of them takes."""
_REMEMBERED = 20_000

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Head:
    """The weights: features are shifted and scaled, then two layers; logits are divided by `temperature`."""

    embedder: str
    temperature: float
    shift: Matrix
    scale: Matrix
    hidden: Matrix
    hidden_bias: Matrix
    out: Matrix
    out_bias: Matrix

    def logits(self, features: Matrix) -> Matrix:
        """Return the logits of features, a row a pair."""
        room = -len(features) % BLOCK
        padded = np.concatenate([features, np.zeros((room, features.shape[1]), np.float32)])
        rows = [self._block(padded[start : start + BLOCK]) for start in range(0, len(padded), BLOCK)]
        return np.concatenate([np.empty((0, len(RELATIONS)), np.float32), *rows])[: len(features)]

    def probabilities(self, features: Matrix) -> Probabilities:
        """Return calibrated probabilities, a row a pair."""
        logits = self.logits(features) / np.float32(self.temperature)
        grown = np.exp(logits - logits.max(1, keepdims=True))
        return np.asarray(grown / grown.sum(1, keepdims=True), np.float32)

    def _block(self, features: Matrix) -> Matrix:
        scaled = (features - self.shift) * self.scale
        inner = np.repeat(self.hidden_bias[None], len(features), 0)
        for start in range(0, scaled.shape[1], ACROSS):
            inner += np.ascontiguousarray(scaled[:, start : start + ACROSS]) @ self.hidden[start : start + ACROSS]
        return np.asarray(np.maximum(inner, 0) @ self.out + self.out_bias, np.float32)


class FrozenHead(PairModel):
    """Compares the embedder's vectors of two texts, and what their words have in common, by a head of two layers.

    Of a memory of several sentences the vectors of each are compared: an UPDATE has joined them, and the vector of all
    of them together is close to none.

    The weights hold for the embedder they were made with alone. None takes those that memlab ships for it.
    """

    model_files = ("weights",)

    def __init__(self, embedder: Embedder, *, weights: str | None) -> None:
        self._embedder = embedder
        self._file = SHIPPED / embedder.name / FILE if weights is None else Path(weights)
        self._ships = weights is None
        self._texts: dict[str, TextFeatures] = {}

    async def probabilities(self, pairs: Sequence[Pair]) -> Probabilities:
        """Return calibrated probabilities, a row a pair; raises PartFailed when the weights cannot be used."""
        if faults := self.missing():
            raise PartFailed(faults[0])
        if not pairs:
            return np.empty((0, len(RELATIONS)), np.float32)
        head = load(self._file)
        if len(self._texts) > _REMEMBERED:
            self._texts.clear()
        return head.probabilities(await features(pairs, self._embedder, self._texts))

    def missing(self) -> list[str]:
        """Return that there are no weights, or none that can be used with this embedder, with the remedy."""
        if self._ships and not self._file.is_file():
            return [
                f"relation=frozen_head: weights ship for the embedders {', '.join(shipped())}, but this run's is "
                f"{self._embedder.name}; {OTHERS}"
            ]
        if not self._file.is_file():
            return [f"relation=frozen_head has no weights {self._file}; make them: {TRAIN}"]
        try:
            head = load(self._file)
            if head.embedder == self._embedder.name:
                check_width(head, self._embedder.dimension)
                return []
        except ValueError as error:
            return [
                f"relation=frozen_head: {self._file} holds no weights of a frozen head ({error}); give another file, "
                f"or make one in a new folder: {TRAIN} output=FOLDER"
            ]
        return [
            f"relation=frozen_head: {self._file} was made with the embedder {head.embedder}, but this run's is "
            f"{self._embedder.name}; {OTHERS}, or give null for those shipped ({', '.join(shipped())})"
        ]


OTHERS = f"take updater=threshold, make others ({TRAIN} embedder=...) and give their file as updater.relation.weights"


def shipped() -> list[str]:
    """Return the names of the embedders that memlab ships weights for."""
    return sorted(file.parent.name for file in SHIPPED.glob(f"*/{FILE}"))


async def features(pairs: Sequence[Pair], embedder: Embedder, known: dict[str, TextFeatures]) -> Matrix:
    """Return the features of pairs, a row each; what is counted of a text is looked up in `known`, or put there."""
    for text in {text for pair in pairs for text in (pair.memory, pair.candidate)}:
        if text not in known:
            known[text] = text_features(text)
    place: dict[str, int] = {}
    for pair in pairs:
        for text in (pair.memory, pair.candidate, *known[pair.memory].parts):
            place.setdefault(text, len(place))
    vectors = await embedder.embed(list(place))
    return compared(pairs, vectors, place, known)


def compared(
    pairs: Sequence[Pair], vectors: Vectors, place: Mapping[str, int], known: Mapping[str, TextFeatures]
) -> Matrix:
    """Return the features of pairs: counts, cosines, and vectors of the candidate and the memory's closest sentence."""
    parts = [[place[part] for part in known[pair.memory].parts] for pair in pairs]
    starts = np.cumsum([0, *map(len, parts[:-1])])
    told = np.repeat([place[pair.candidate] for pair in pairs], [len(own) for own in parts])
    said = np.concatenate([np.asarray(own) for own in parts])
    cosines = (vectors[said] * vectors[told]).sum(1)
    best = np.maximum.reduceat(cosines, starts)
    first_best = [
        start + int(cosines[start : start + len(own)].argmax()) for start, own in zip(starts, parts, strict=True)
    ]
    candidate, closest = vectors[told[starts]], vectors[said[first_best]]
    whole = (vectors[[place[pair.memory] for pair in pairs]] * candidate).sum(1)
    mean = np.add.reduceat(cosines, starts) / [len(own) for own in parts]
    counted = [pair_features(known[pair.memory], known[pair.candidate]) for pair in pairs]
    scalars = np.column_stack([counted, cosines[starts], best, first_best == starts, whole, mean])
    return np.hstack([scalars, closest * candidate, np.abs(closest - candidate), candidate], dtype=np.float32)


SCALARS = WIDTH + 5
"""Features before those that are vectors."""
VECTORS = 3
"""Vectors among the features."""


@cache
def load(file: Path) -> Head:
    """Return the head in a file; raises ValueError with what is wrong when it is none that this version can use."""
    with arrays_in(file) as arrays:
        about = json.loads(str(arrays["about"]))
        if about["features"] != FEATURES:
            raise ValueError(f"it is of features {about['features']}, this version computes {FEATURES}")
        names = ("shift", "scale", "hidden", "hidden_bias", "out", "out_bias")
        temperature = checked_temperature(about["temperature"], file.name)
        head = Head(about["embedder"], temperature, *(arrays[name] for name in names))
        check_numbers(head)
    return head


def check_numbers(head: Head) -> None:
    """Raise ValueError when the sizes of the weights do not fit each other, or when one is no number."""
    width, inner = len(head.shift), len(head.hidden_bias)
    sizes = {
        **{"shift": (width,), "scale": (width,), "hidden": (width, inner), "hidden_bias": (inner,)},
        **{"out": (inner, len(RELATIONS)), "out_bias": (len(RELATIONS),)},
    }
    for name, size in sizes.items():
        found: Matrix = getattr(head, name)
        if found.shape != size:
            raise ValueError(f"{name} is of size {found.shape} in place of {size}")
        if not np.isfinite(found).all():
            raise ValueError(f"{name} holds NaN or an infinite number")


def check_width(head: Head, dimension: int) -> None:
    """Raise ValueError when a head takes other features than there are with vectors of this dimension."""
    width = SCALARS + VECTORS * dimension
    if len(head.shift) != width:
        raise ValueError(f"it takes {len(head.shift)} features, but this memlab computes {width}")


def save(head: Head, file: Path) -> None:
    """Write a head; equal heads make equal bytes."""
    about = {"features": FEATURES, "embedder": head.embedder, "temperature": head.temperature}
    arrays = {name: getattr(head, name) for name in ("shift", "scale", "hidden", "hidden_bias", "out", "out_bias")}
    with file.open("wb") as stream:
        np.savez(stream, about=np.array(json.dumps(about)), **arrays)
