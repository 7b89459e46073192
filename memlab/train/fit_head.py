"""Fitting of the light head: two layers on frozen vectors and counts of words, in seconds."""

import asyncio
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from memlab.embed.embedder import Embedder
from memlab.train.course import Course
from memlab.train.learner import Learner, Material, Trained
from memlab.train.measure import Rows
from memlab.update.frozen_head import FILE, SCALARS, VECTORS, Head, Matrix, features, save
from memlab.update.relation import RELATIONS, Pair
from memlab.update.text_features import TextFeatures

AT_ONCE = 4096
"""Pairs whose features are computed together: more only take more memory."""
SMOOTHED = 0.02
"""Of the labels: words of the training split must not be believed to the last."""


@dataclass(frozen=True, kw_only=True)
class HeadFitting(Learner):
    """The settings of a fit; conf/train/model/frozen_head.yaml says what each one is."""

    option: ClassVar[str] = "frozen_head"
    files: ClassVar[tuple[str, ...]] = (FILE,)

    hidden: int
    epochs: int
    patience: int
    batch: int
    learning_rate: float
    weight_decay: float
    dropout: float

    async def learn(self, material: Material, course: Course) -> Trained:
        """Return the head of the epoch with the best validation."""
        import torch

        model = Fitted(material.embedder)
        rows = {pair: number for number, pair in enumerate({p.pair: 0 for own in material.train.values() for p in own})}
        given = await model.features(list(rows))
        model.scale_by(given)
        given -= model.shift  # in place: a copy of all would take as much memory again
        given *= model.scale
        with material.repeatable():
            layers = self._layers(given.shape[1])
            drawn = [material.drawn(epoch) for epoch in range(self.epochs)]
            optimizer, schedule = self._optimizer(layers, sum(-(-len(pairs) // self.batch) for pairs in drawn))
            best = deepcopy(layers)
            for pairs in course.epochs(drawn, self.batch):
                numbers = torch.tensor([rows[pair.pair] for pair in pairs])
                labels = torch.tensor([pair.label for pair in pairs])
                for some in torch.randperm(len(pairs)).split(self.batch):
                    # A thread for each batch, so that a training can be stopped between two.
                    batch = torch.from_numpy(given)[numbers[some]], labels[some]
                    loss = await asyncio.to_thread(self._step, layers, batch, optimizer, schedule, material.threads)
                    course.step(loss)
                model.layers = layers
                if await course.is_best(model.logits, material.to_choose_by()):
                    best = deepcopy(layers)
                if course.since_best > self.patience:
                    break
        model.layers = best
        return model

    def _layers(self, width: int) -> Any:
        from torch import nn

        return nn.Sequential(
            nn.Linear(width, self.hidden),
            nn.ReLU(),
            nn.Dropout(self.dropout / 2),
            nn.Linear(self.hidden, len(RELATIONS)),
        )

    def _optimizer(self, layers: Any, steps: int) -> tuple[Any, Any]:
        import torch

        optimizer = torch.optim.AdamW(layers.parameters(), lr=self.learning_rate, weight_decay=self.weight_decay)
        return optimizer, torch.optim.lr_scheduler.OneCycleLR(optimizer, self.learning_rate, total_steps=steps)

    def _step(self, layers: Any, batch: tuple[Any, Any], optimizer: Any, schedule: Any, threads: int) -> float:
        """Learn from the features and labels of a batch; return its loss."""
        import torch
        from torch.nn.functional import cross_entropy, dropout

        torch.set_num_threads(threads)  # of this thread alone
        layers.train()
        given, labels = batch
        scalars, vectors = given[:, :SCALARS], given[:, SCALARS:]
        seen = torch.cat([dropout(scalars, self.dropout / 4), dropout(vectors, self.dropout)], 1)
        loss = cross_entropy(layers(seen), labels, label_smoothing=SMOOTHED)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        return float(loss.item())


class Fitted(Trained):
    """A head, while it learns and after."""

    def __init__(self, embedder: Embedder) -> None:
        self.layers: Any = None
        self.shift: Matrix = np.zeros(0, np.float32)
        self.scale: Matrix = np.zeros(0, np.float32)
        self._embedder = embedder
        self._texts: dict[str, TextFeatures] = {}
        self._seen: dict[tuple[Pair, ...], Matrix] = {}

    async def features(self, pairs: Sequence[Pair]) -> Matrix:
        """Return the features of pairs, a row each."""
        if not pairs:
            return np.empty((0, SCALARS + VECTORS * self._embedder.dimension), np.float32)
        blocks = [
            await features(pairs[start : start + AT_ONCE], self._embedder, self._texts)
            for start in range(0, len(pairs), AT_ONCE)
        ]
        return np.concatenate(blocks)

    def scale_by(self, given: Matrix) -> None:
        """Bring every feature to mean 0 and deviation 1 over these rows."""
        self.shift = given.mean(0)
        self.scale = (1 / np.maximum(given.std(0), 1e-3)).astype(np.float32)

    async def logits(self, pairs: Sequence[Pair]) -> Rows:
        """Return the logits of pairs; features once computed are kept, for the next epoch's validation."""
        key = tuple(pairs)
        if key not in self._seen:
            self._seen[key] = await self.features(pairs)
        return self.head(1.0).logits(self._seen[key])

    def head(self, temperature: float) -> Head:
        """Return the weights as the updater takes them."""
        hidden, out = self.layers[0], self.layers[-1]
        arrays = [hidden.weight.T, hidden.bias, out.weight.T, out.bias]
        return Head(
            self._embedder.name,
            temperature,
            self.shift,
            self.scale,
            *(np.ascontiguousarray(array.detach().numpy()) for array in arrays),
        )

    def save(self, folder: Path, temperature: float) -> None:
        """Write the weights."""
        save(self.head(temperature), folder / FILE)

    def sizes(self) -> dict[str, Any]:
        """Return the embedder, and the number of parameters."""
        return {"embedder": self._embedder.name, "parameters": sum(one.numel() for one in self.layers.parameters())}
