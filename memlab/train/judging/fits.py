"""What can be fitted: one threshold on the share of the gold's tokens, or heads on features of answers."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memlab.judge.local import FARTHEST, WEIGHTS, Heads
from memlab.train.measure import check_finite

Matrix = NDArray[np.float32]
Chances = NDArray[np.float64]
Labels = NDArray[np.bool_]
STEPS = 25
"""Of Newton's method for two numbers: it stands still long before."""
GRID = np.linspace(0.01, 1.0, 100)
SMOOTHED = 0.02
CONSTANT = 1e-3


class Fitted(ABC):
    """A fitted judge."""

    @abstractmethod
    def probabilities(self, rows: Matrix) -> Chances:
        """Return how likely each answer is correct."""

    @abstractmethod
    def verdicts(self, rows: Matrix) -> Labels:
        """Return whether each answer is called correct."""

    @abstractmethod
    def save(self, folder: Path) -> Mapping[str, Any]:
        """Write what a file must hold, and return what the card must."""


@dataclass(frozen=True, slots=True)
class Threshold(Fitted):
    """The share of the gold's tokens, the first feature, from which an answer is correct; and a logistic curve."""

    threshold: float
    slope: float
    shift: float

    def probabilities(self, rows: Matrix) -> Chances:
        """Return the curve's values."""
        chances: Chances = 1 / (1 + np.exp(-(self.slope * rows[:, 0].astype(np.float64) + self.shift)))
        return chances

    def verdicts(self, rows: Matrix) -> Labels:
        """Return which shares are large enough."""
        found: Labels = rows[:, 0] >= np.float32(self.threshold)
        return found

    def save(self, folder: Path) -> Mapping[str, Any]:
        """Return the numbers: there is no file."""
        return {"threshold": self.threshold, "curve": [self.slope, self.shift]}


def fit_threshold(rows: Matrix, labels: Labels) -> Threshold:
    """Return the threshold that passes wrong answers as often as it refuses correct ones, and the likeliest curve.

    The one that agrees most often would pass nearly everything, where most answers are correct.
    """
    shares = rows[:, 0].astype(np.float64)
    gaps = [abs(float((shares[labels] < cut - 1e-7).mean() - (shares[~labels] >= cut - 1e-7).mean())) for cut in GRID]
    cut = round(float(GRID[int(np.argmin(gaps))]), 2)
    given = np.stack([shares, np.ones_like(shares)], 1)
    weights = np.zeros(2)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (labels - chances)
        curve = (given * (chances * (1 - chances))[:, None]).T @ given
        weights = weights + np.linalg.solve(curve + 1e-9 * np.eye(2), slope)
    return Threshold(cut, round(float(weights[0]), 6), round(float(weights[1]), 6))


@dataclass(frozen=True, slots=True)
class Head(Fitted):
    """Networks on the features of answers."""

    heads: Heads

    def probabilities(self, rows: Matrix) -> Chances:
        """Return the mean of the networks."""
        return self.heads.probabilities(rows)

    def verdicts(self, rows: Matrix) -> Labels:
        """Return which answers are more likely correct than not."""
        found: Labels = self.probabilities(rows) > 0.5
        return found

    def save(self, folder: Path) -> Mapping[str, Any]:
        """Write the weights."""
        self.heads.save(folder / WEIGHTS)
        parameters = sum(one.size for own in self.heads.layers for pair in own for one in pair)
        return {"embedder": self.heads.embedder, "features": len(self.heads.mean), "parameters": parameters}


@dataclass(frozen=True, slots=True)
class HeadSettings:
    """conf/train_judge.yaml says what each one is."""

    hidden: int
    heads: int
    epochs: int
    batch: int
    learning_rate: float
    weight_decay: float
    dropout: float
    seed: int
    threads: int


def fit_heads(rows: Matrix, shares: NDArray[np.float32], embedder: str, chosen: HeadSettings) -> Head:
    """Return networks fitted to the shares of labels that say correct; the same settings give the same bytes."""
    import torch
    from torch import nn
    from torch.nn.functional import binary_cross_entropy_with_logits

    torch.set_num_threads(chosen.threads)
    mean, spread = rows.mean(0), rows.std(0)
    # What never varied in training says nothing, and must not be thrown far off by its first change.
    scale = np.where(spread > CONSTANT, 1 / np.maximum(spread, CONSTANT), 0).astype(np.float32)
    given = torch.from_numpy(np.clip((rows - mean) * scale, -FARTHEST, FARTHEST))
    wanted = torch.from_numpy(shares) * (1 - 2 * SMOOTHED) + SMOOTHED
    layers = []
    for number in range(chosen.heads):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(chosen.seed + number)
            half = chosen.hidden // 2
            network = nn.Sequential(
                *(nn.Linear(given.shape[1], chosen.hidden), nn.ReLU(), nn.Dropout(chosen.dropout)),
                *(nn.Linear(chosen.hidden, half), nn.ReLU(), nn.Dropout(chosen.dropout), nn.Linear(half, 1)),
            )
            optimizer = torch.optim.AdamW(
                network.parameters(), lr=chosen.learning_rate, weight_decay=chosen.weight_decay
            )
            steps = chosen.epochs * -(-len(given) // chosen.batch)
            schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, chosen.learning_rate, total_steps=steps)
            for _ in range(chosen.epochs):
                for some in torch.randperm(len(given)).split(chosen.batch):
                    loss = binary_cross_entropy_with_logits(network(given[some])[:, 0], wanted[some])
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    schedule.step()
        linear = [layer for layer in network if isinstance(layer, nn.Linear)]
        for layer in linear:
            check_finite(array(layer.weight), f"a weight of head {number + 1}")
        layers.append(tuple((array(layer.weight.T), array(layer.bias)) for layer in linear))
    return Head(Heads(embedder, mean.astype(np.float32), scale, tuple(layers)))


def array(tensor: Any) -> Matrix:
    """Return a tensor's values."""
    return np.ascontiguousarray(tensor.detach().numpy())
