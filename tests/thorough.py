"""Tests that repeat others on further settings: marked `thorough`, run by `make thorough` and by CI."""

from collections.abc import Iterable
from typing import Any

import pytest


def rest_thorough(values: Iterable[Any], kept: int = 1) -> list[Any]:
    """Return the values of a parametrised test, all but the first ones marked as thorough."""
    first, rest = [*values][:kept], [*values][kept:]
    wide = [value if isinstance(value, tuple) else (value,) for value in rest]
    return [*first, *(pytest.param(*value, marks=pytest.mark.thorough) for value in wide)]
