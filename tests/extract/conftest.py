"""Turns for the extractors' tests."""

from collections.abc import Callable
from datetime import datetime

import pytest

from memlab.dialogue import Turn

Talk = Callable[..., tuple[Turn, ...]]


@pytest.fixture(scope="session")
def talk() -> Talk:
    """Return turns of `Speaker: words` lines, all said at one time (a Monday unless told), with ids D1:1, D1:2, ..."""

    def turns(
        *lines: str, said_at: datetime = datetime(2023, 5, 8, 13, 56), caption: str | None = None
    ) -> tuple[Turn, ...]:
        parts = [line.split(": ", 1) for line in lines]
        return tuple(
            Turn(f"D1:{number}", speaker, text, said_at, 1, caption)
            for number, (speaker, text) in enumerate(parts, start=1)
        )

    return turns
