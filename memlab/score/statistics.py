"""Means with intervals. Questions of one conversation are not independent, so conversations are resampled."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 10_000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over n questions; `interval` is None when there are too few conversations to resample."""

    n: int
    value: float | None
    interval: tuple[float, float] | None


def mean(values: Sequence[float], clusters: Sequence[str], *, seed: int) -> Mean:
    """Return the mean and its 95 % percentile bootstrap interval over clusters (conversations), 10,000 resamples."""
    if not values:
        return Mean(0, None, None)
    data = np.asarray(values, dtype=np.float64)
    names, index = np.unique(np.asarray(clusters), return_inverse=True)
    if len(names) < 2:
        return Mean(len(values), float(data.mean()), None)
    sums = np.bincount(index, weights=data)
    counts = np.bincount(index)
    drawn = np.random.default_rng(seed).integers(len(names), size=(RESAMPLES, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Mean(len(values), float(data.mean()), (float(low), float(high)))


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the value that a share of the values lies at or below (linear), or None when there are none."""
    return float(np.quantile(np.asarray(values), share)) if values else None
