"""How a judge without a language model was measured: the counts behind its error, and words about them."""

from collections.abc import Mapping
from typing import Any

Card = Mapping[str, Any]
"""Of card.json and manifest.json: `labels` (whose verdicts), `n`, `agreement`, `auc`, `expected_calibration_error`,
`by_category` (n, agreement, sensitivity, specificity), `by_judge`, `by_system`, `unseen_systems` (the same of a judge
that knew neither conversation nor system), and `counts`: by conversation and category the answers that [both call
correct, only the judge does, only the labels do, neither does]; `systems`: the same by system, which was not known."""

KEYS = ("labels", "n", "agreement", "auc", "expected_calibration_error", "by_category", "counts", "systems")


def card_faults(card: object, place: str) -> list[str]:
    """Return what a card lacks."""
    lacking = [key for key in KEYS if not isinstance(card, Mapping) or card.get(key) is None]
    return [f"{place} is no judge's card: it lacks {', '.join(lacking)}; train it again"] if lacking else []
