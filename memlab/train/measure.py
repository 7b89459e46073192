"""How good probabilities of relations are, and the temperature that makes them honest (Guo et al. 2017)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memlab.score.operations import f1_scores, macro_f1
from memlab.settings import ConfigError
from memlab.update.relation import RELATIONS

Rows = NDArray[np.floating[Any]]
Labels = NDArray[np.intp]

BINS = 15
"""Of the expected calibration error."""
TEMPERATURES = np.geomspace(0.2, 5.0, 97)


def check_finite(values: Rows | float, what: str) -> None:
    """Raise ConfigError, naming what has these values, when one of them is no number: what is learnt is worthless."""
    if not np.isfinite(values).all():
        raise ConfigError(
            [f"the training went astray: {what} is no finite number; give a smaller learning rate. Nothing was saved"]
        )


def softmax(logits: Rows) -> Rows:
    """Return rows of probabilities."""
    grown = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(grown / grown.sum(1, keepdims=True))


def log_loss(logits: Rows, labels: Labels) -> float:
    """Return the mean cross-entropy, in nats."""
    chosen = softmax(logits.astype(np.float64))[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(chosen, 1e-12)).mean())


def best_temperature(logits: Rows, labels: Labels) -> float:
    """Return the number to divide logits by that makes these labels the likeliest."""
    return float(min(TEMPERATURES, key=lambda temperature: log_loss(logits / temperature, labels)))


def expected_calibration_error(probabilities: Rows, labels: Labels) -> float:
    """Return the mean gap between how sure the likeliest relation is and how often it is right, weighted by bin."""
    sure, right = probabilities.max(1), probabilities.argmax(1) == labels
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = [abs(sure[own].mean() - right[own].mean()) * own.mean() for b in range(BINS) if (own := bins == b).any()]
    return float(sum(gaps))


def confusion(chosen: Labels, labels: Labels) -> NDArray[np.intp]:
    """Return how often each relation (row) was taken for each (column)."""
    table = np.zeros((len(RELATIONS), len(RELATIONS)), np.intp)
    np.add.at(table, (labels, chosen), 1)
    return table


def quality(probabilities: Rows, labels: Sequence[int]) -> dict[str, Any]:
    """Return the figures of a card: accuracy, macro-F1, each relation's F1 and recall, calibration, confusion."""
    truth = np.asarray(labels, np.intp)
    table = confusion(np.asarray(probabilities.argmax(1), np.intp), truth)
    recalls = [int(hit) / int(all_) if all_ else None for hit, all_ in zip(np.diag(table), table.sum(1), strict=True)]
    return {
        "pairs": len(truth),
        "accuracy": float(np.diag(table).sum() / max(len(truth), 1)),
        "macro_f1": macro_f1(table) or 0.0,
        "f1": dict(zip(RELATIONS, f1_scores(table), strict=True)),
        "recall": dict(zip(RELATIONS, recalls, strict=True)),
        "expected_calibration_error": expected_calibration_error(probabilities, truth),
        "confusion": table.tolist(),
    }
