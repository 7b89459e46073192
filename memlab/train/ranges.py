"""What the numbers among the settings of a training may be."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

AT_LEAST_1 = ("at least 1", lambda value: value >= 1)
ABOVE_0 = ("above 0, and finite", lambda value: 0 < value < inf)
FROM_0 = ("from 0, and finite", lambda value: 0 <= value < inf)
SHARE = ("from 0 to below 1", lambda value: 0 <= value < 1)
ALLOWED: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("epochs", "batch", "hidden", "patience", "layers", "heads", "s", "threads"), AT_LEAST_1),
    **dict.fromkeys(("learning_rate", "head_learning_rate"), ABOVE_0),
    **dict.fromkeys(("dropout", "warmup"), SHARE),
    **dict.fromkeys(("weight_decay", "unrelated"), FROM_0),
    "frozen_layers": ("at least 0", lambda value: value >= 0),
    "max_pieces": ("at least 8", lambda value: value >= 8),
    "seed": ("from 0 to 4294967295", lambda value: 0 <= value < 2**32),
}


def range_faults(settings: Mapping[str, Any], *, prefix: str = "") -> list[str]:
    """Return which settings are out of range; null is in any, where its type allows it."""
    return [
        f"{prefix}{name}={value}; it must be {ALLOWED[name][0]}"
        for name, value in settings.items()
        if name in ALLOWED and value is not None and not ALLOWED[name][1](value)
    ]
