"""Which channel found what: the rankings that were made on the way to a fused one, kept without any second search."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from memlab.dialogue import Question
from memlab.llm.meter import clock
from memlab.memory import Hit
from memlab.retrieve.retriever import Retriever

WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class Channel:
    """What one retriever ranked for a question, best first, and the seconds of its search."""

    name: str
    ranking: Sequence[Hit]
    seconds: float


_current: ContextVar[list[Channel] | None] = ContextVar("memlab_channels", default=None)


@contextmanager
def traced() -> Iterator[list[Channel]]:
    """Collect the channels of the searches made within; an outer trace does not see them."""
    channels: list[Channel] = []
    token = _current.set(channels)
    try:
        yield channels
    finally:
        _current.reset(token)


def note(channel: Channel) -> None:
    """Keep a channel; outside any trace it is nobody's."""
    if (channels := _current.get()) is not None:
        channels.append(channel)


def by_name(channels: Iterable[Channel]) -> dict[str, Channel]:
    """Return channels by names that tell them apart: `nearest`, and `nearest_2` for a second one."""
    seen: Counter[str] = Counter()
    found: dict[str, Channel] = {}
    for channel in channels:
        seen[channel.name] += 1
        number = seen[channel.name]
        found[channel.name if number == 1 else f"{channel.name}_{number}"] = channel
    return found


async def ranked(retriever: Retriever, question: Question, depth: int | None) -> list[Hit]:
    """Return the ranking of a part of a fused retriever, and note it; of a part that is itself fused, its parts."""
    with traced() as inner:
        began = clock()
        hits = await retriever.rank(question, depth)
        seconds = clock() - began
    for channel in inner or [Channel(name_of(retriever), hits, seconds)]:
        note(channel)
    return hits


def name_of(retriever: Retriever) -> str:
    """Return what a retriever's channel is called: its class in snake case, `entity_centric`."""
    return WORD_START.sub("_", type(retriever).__name__).lower()
