"""A judge that has learnt a language model's verdicts: a light head on frozen sentence vectors and counts of words."""

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memlab.arrays import arrays_in
from memlab.dialogue import Question
from memlab.embed.embedder import Embedder
from memlab.judge.answer_features import Row, features, row_length, texts_of
from memlab.judge.card import Card, card_faults
from memlab.judge.judge import Judge, Verdict

WEIGHTS, CARD = "judge.npz", "card.json"
MOST_VECTORS = 50_000
"""Of words and texts, that are kept at hand."""
FARTHEST = 6.0
"""Deviations from the mean at which a feature is cut off."""

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Heads:
    """Networks of two hidden layers, each as (weights, shift) pairs, whose probabilities are averaged."""

    embedder: str
    mean: Row
    scale: Row
    layers: tuple[tuple[tuple[Matrix, Matrix], ...], ...]

    def probabilities(self, rows: Matrix) -> NDArray[np.float64]:
        """Return how likely each row is an answer that is called correct."""
        given = np.clip((rows - self.mean) * self.scale, -FARTHEST, FARTHEST)
        found = np.zeros(len(rows))
        for own in self.layers:
            values = given
            for number, (weights, shift) in enumerate(own):
                values = values @ weights + shift
                if number < len(own) - 1:
                    values = np.maximum(values, 0)
            found += 1 / (1 + np.exp(-values[:, 0].astype(np.float64)))
        chances: NDArray[np.float64] = found / len(self.layers)
        return chances

    def save(self, file: Path) -> None:
        """Write the weights; equal weights give equal bytes."""
        arrays: dict[str, Any] = {"embedder": np.array(self.embedder), "mean": self.mean, "scale": self.scale}
        for head, own in enumerate(self.layers):
            for layer, (weights, shift) in enumerate(own):
                arrays |= {f"weights_{head}_{layer}": weights, f"shift_{head}_{layer}": shift}
        np.savez(file, **arrays)


def read_heads(file: Path) -> Heads:
    """Return saved weights; raises ValueError with what is wrong when they are no networks on an answer's features."""
    with arrays_in(file) as found:
        names = set(found.files)
        layers: list[tuple[tuple[Matrix, Matrix], ...]] = []
        while f"weights_{len(layers)}_0" in names:
            own: list[tuple[Matrix, Matrix]] = []
            while (name := f"_{len(layers)}_{len(own)}") and f"weights{name}" in names:
                own.append((found[f"weights{name}"], found[f"shift{name}"]))
            layers.append(tuple(own))
        heads = Heads(str(found["embedder"]), found["mean"], found["scale"], tuple(layers))
        check_numbers(heads)
    return heads


def check_numbers(heads: Heads) -> None:
    """Raise ValueError when there are no networks, when their sizes do not fit, or when a number is none."""
    if not heads.layers:
        raise ValueError("they hold no layers")
    features = row_length()
    fit = heads.mean.shape == heads.scale.shape == (features,)
    for own in heads.layers:
        sizes = [features, *(len(shift) for _, shift in own)]
        fit &= [weights.shape for weights, _ in own] == list(pairwise(sizes)) and sizes[-1] == 1
    if not fit:
        raise ValueError(f"they are of other sizes than this memlab's {features} features of an answer")
    numbers = (heads.mean, heads.scale, *(one for own in heads.layers for pair in own for one in pair))
    if not all(np.isfinite(one).all() for one in numbers):
        raise ValueError("they hold NaN or an infinite number")


class LocalJudge(Judge):
    """Predicts the verdict of the judge whose labels it has learnt; `weights` is the folder of `memlab train judge`."""

    model_files = ("weights",)
    rubrics = ("local",)
    repeats = 1

    def __init__(self, embedder: Embedder, *, weights: str, probes: int) -> None:
        if probes < 0:
            raise ValueError(f"probes is {probes}; it must be at least 0")
        self.probes = probes
        self._embedder = embedder
        self._folder = Path(weights)
        self._vectors: dict[str, Row] = {}
        self._heads: Heads | None = None

    async def judge(self, question: Question, answer: str, rubric: str, sample: int) -> Verdict:
        """Return the verdict on an answer to a question that has a gold answer."""
        if question.gold is None:
            raise ValueError(f"question {question.id} has no gold answer to judge by")
        vectors = await self._vectors_of(texts_of(question.text, question.gold, answer))
        row = features(question.text, question.gold, answer, question.category, vectors.__getitem__)
        if self._heads is None:
            self._heads = read_heads(self._folder / WEIGHTS)
        [chance] = self._heads.probabilities(row[None])
        return Verdict(bool(chance > 0.5), probability=float(chance))

    async def _vectors_of(self, texts: list[str]) -> dict[str, Row]:
        # A dict of its own: another answer may make room among those kept while this one waits.
        found = {text: self._vectors[text] for text in texts if text in self._vectors}
        if new := [text for text in texts if text not in found]:
            made = dict(zip(new, await self._embedder.embed(new), strict=True))
            found |= made
            if len(self._vectors) + len(made) > MOST_VECTORS:
                self._vectors.clear()
            self._vectors |= made
        return found

    def card(self) -> Card | None:
        """Return how this judge was measured."""
        found: dict[str, Any] = json.loads((self._folder / CARD).read_text(encoding="utf-8"))
        return found

    def missing(self) -> list[str]:
        """Return what is wrong with the weights."""
        if not (self._folder / WEIGHTS).is_file():
            return [
                f"judge=local finds no weights in {self._folder}; make them by `python -m memlab train judge FILE` "
                "(labelled answers; none may be shipped), or use judge=overlap"
            ]
        try:
            heads, card = read_heads(self._folder / WEIGHTS), self.card()
        except (OSError, ValueError) as error:
            return [
                f"judge=local cannot read the weights in {self._folder} ({error}); remove that folder, and train again"
            ]
        faults = card_faults(card, str(self._folder / CARD))
        if heads.embedder != self._embedder.name:
            faults.append(
                f"the weights in {self._folder} are for the embedder {heads.embedder}, not {self._embedder.name}; "
                "choose that embedder for the judge, or train again"
            )
        return faults
