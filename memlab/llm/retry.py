"""Attempts again at what may pass: bounded, counted, and as patient as the server asks."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from itertools import count
from random import Random
from time import monotonic
from typing import Generic, TypeVar

from memlab.llm.chat import ChatFailed

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
LONGEST_ASKED_PAUSE = 120.0
"""A server that asks for more is out for long: the request fails now, and resuming asks again."""

SILENT_PAUSE = 2.0
"""A shorter one is not worth a word."""
SILENT_SECONDS = 10.0
"""Between two words about waits, of whichever request."""

Value = TypeVar("Value")

logger = logging.getLogger("memlab")
_told_at = -SILENT_SECONDS


class MayPass(Exception):
    """An attempt failed in a way that another may not; `pause` is what the server asks for, in seconds."""

    def __init__(self, message: str, pause: float | None = None) -> None:
        super().__init__(message)
        self.pause = pause


@dataclass(frozen=True, slots=True)
class Attempted(Generic[Value]):
    """What the last attempt gave and took, and what those before it took with their pauses."""

    value: Value
    seconds: float
    requests: int
    retry_seconds: float


async def retried(attempt: Callable[[], Awaitable[Value]], max_retries: int) -> Attempted[Value]:
    """Return the first success; raises ChatFailed when no attempt succeeds, and at once what is not MayPass."""
    began = started = monotonic()
    for requests in count(1):
        try:
            value = await attempt()
        except MayPass as failure:
            too_long = failure.pause is not None and failure.pause > LONGEST_ASKED_PAUSE
            if requests > max_retries or too_long:
                asked = f", and the server asks to wait {failure.pause:.0f} s" if too_long else ""
                raise ChatFailed(
                    "retries_exhausted",
                    f"{failure}; gave up after {requests} requests{asked}",
                    requests=requests,
                    retry_seconds=monotonic() - began,
                ) from None
            pause = backoff(requests) if failure.pause is None else failure.pause
            told(f"{failure}; trying again in {pause:.0f} s ({requests} of {max_retries})", pause)
            await asyncio.sleep(pause)
            started = monotonic()
        except ChatFailed as failure:
            failure.requests, failure.retry_seconds = requests, started - began
            raise
        else:
            return Attempted(value, monotonic() - started, requests, started - began)
    raise AssertionError("unreachable")


def told(words: str, pause: float) -> None:
    """Tell the user of a long wait, but not of every one: requests that fail together wait together."""
    global _told_at
    now = monotonic()
    if pause >= SILENT_PAUSE and now - _told_at >= SILENT_SECONDS:
        _told_at = now
        logger.warning(words)


def backoff(requests: int) -> float:
    """Return the pause after so many failed requests: doubled each time, up to a quarter shorter."""
    # Drawn per task, so that those who failed together do not all come back together; it changes no reply.
    spread = Random(f"{id(asyncio.current_task())} {requests}").uniform(0.75, 1)
    return min(FIRST_PAUSE * 2.0 ** min(requests - 1, 30), LONGEST_PAUSE) * spread


def asked_pause(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a response's headers ask to wait, or None when they do not; `headers` ignores case."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            pause = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if 0 <= pause < float("inf"):
            return pause
    try:
        # Both by the server's clock, so that a difference to ours does not matter.
        until, now = (parsedate_to_datetime(headers[name]) for name in ("retry-after", "date"))
        return max(0.0, (until - now).total_seconds())
    except (KeyError, ValueError, TypeError):
        return None
