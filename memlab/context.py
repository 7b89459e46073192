"""How memories are laid before an answerer, and what that costs in tokens."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import lru_cache
from itertools import groupby
from typing import Literal

from memlab.memory import Hit, Memory
from memlab.tokens import count_tokens

Grouping = Literal["time", "speaker"]
Timestamps = Literal["metadata", "text", "both"]
"""Where the date of a memory is kept: beside its text (shown as a heading), in the text alone, or both."""

DIGITS = "0123456789"


def day(when: date) -> str:
    """Return a date as people write it: `8 May 2023`."""
    return f"{when.day} {when:%B %Y}"


def words(memory: Memory) -> str:
    """Return the words of a memory as they are shown: what is no longer true is marked as past, with its interval.

    `Ada lives in Oslo (from 8 May 2023, no longer true since 3 June 2023)`. What an update made of it holds from then.
    """
    if memory.retired_at is None:
        return memory.text
    since = memory.updated_at if memory.history else memory.valid_from
    return f"{memory.text} (from {day(since)}, no longer true since {day(memory.retired_at)})"


@lru_cache(maxsize=1 << 16)
def line(text: str) -> tuple[str, int]:
    """Return the line that a memory's words take up in a context, and its tokens."""
    shown = " ".join(text.split()) + "\n"
    return shown, count_tokens(shown)


@lru_cache(maxsize=1 << 16)
def heading(when: datetime) -> tuple[str, int]:
    """Return the heading of the day that memories were last said on, and its tokens."""
    shown = day(when) + "\n"
    return shown, count_tokens(shown)


def render(hits: Iterable[Hit], *, grouping: Grouping = "time", dated: bool = True) -> str:
    """Return hits as text: one heading a day, days and memories in order of time.

    Grouped by speaker, each speaker's memories stand under a heading of their own. Without `dated`, days have none.
    `costs` always counts the dated form by time: with the headings of days, without the few tokens of speakers'.
    """
    shown = sorted((hit.memory for hit in hits), key=in_order_of_time)
    if grouping == "time":
        return "".join(lines(shown, dated=dated))
    by_speaker = groupby(sorted(shown, key=speaker_of), key=speaker_of)
    return "\n".join(
        f"{owner_heading(speaker)}\n{''.join(lines(theirs, dated=dated))}" for speaker, theirs in by_speaker
    )


def in_order_of_time(memory: Memory) -> tuple[datetime, str, int]:
    """Return what memories are sorted by; at the same time, those of one store in the order of their numbers.

    An id is a number after any letters, `m12`, or `Ada:m12` where each speaker has a store.
    """
    prefix = memory.id.rstrip(DIGITS)
    return memory.updated_at, prefix, int(memory.id.removeprefix(prefix) or 0)


def speaker_of(memory: Memory) -> str:
    """Return whose memory it is, "" when it holds what both said."""
    return memory.speaker


def owner_heading(speaker: str) -> str:
    """Return the heading over one speaker's memories."""
    return f"Memories of {speaker or 'both speakers'}:"


def lines(memories: Iterable[Memory], *, dated: bool) -> Iterator[str]:
    """Yield the lines of memories that are in order of time, with a heading before each new day when `dated`."""
    for head, same_day in groupby(memories, key=lambda memory: heading(memory.updated_at)[0]):
        if dated:
            yield head
        yield from (line(words(memory))[0] for memory in same_day)


def costs(hits: Iterable[Hit]) -> Iterator[int]:
    """Yield how many tokens of context the hits cost up to and including each, best first.

    That is the context by time, with date headings, also where an answerer is shown another form of it.
    """
    days: set[str] = set()
    total = 0
    for hit in hits:
        head, tokens = heading(hit.memory.updated_at)
        total += line(words(hit.memory))[1] + (0 if head in days else tokens)
        days.add(head)
        yield total


def context_tokens(hits: Iterable[Hit]) -> int:
    """Return how many tokens of context the hits cost together."""
    return max(costs(hits), default=0)


def within(hits: Sequence[Hit], *, top_k: int | None = None, max_tokens: int | None = None) -> list[Hit]:
    """Return the longest head of a ranking with at most `top_k` hits and `max_tokens` tokens of context."""
    head = list(hits[:top_k])
    if max_tokens is None:
        return head
    return head[: next((place for place, cost in enumerate(costs(head)) if cost > max_tokens), None)]
