"""How memories are laid before an answerer, and what that costs in tokens."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import lru_cache

from memlab.memory import Hit
from memlab.tokens import count_tokens


def day(when: date) -> str:
    """Return a date as people write it: `8 May 2023`."""
    return f"{when.day} {when:%B %Y}"


@lru_cache(maxsize=1 << 16)
def line(text: str) -> tuple[str, int]:
    """Return the line that a memory's text takes up in a context, and its tokens."""
    shown = " ".join(text.split()) + "\n"
    return shown, count_tokens(shown)


@lru_cache(maxsize=1 << 16)
def heading(when: datetime) -> tuple[str, int]:
    """Return the heading of the day that memories were last said on, and its tokens."""
    shown = day(when) + "\n"
    return shown, count_tokens(shown)


def render(hits: Iterable[Hit]) -> str:
    """Return hits as text: one heading a day, days and memories in order of time."""
    days: dict[str, list[str]] = {}
    for hit in sorted(hits, key=lambda hit: (hit.memory.updated_at, int(hit.memory.id[1:]))):
        days.setdefault(heading(hit.memory.updated_at)[0], []).append(line(hit.memory.text)[0])
    return "".join(head + "".join(lines) for head, lines in days.items())


def costs(hits: Iterable[Hit]) -> Iterator[int]:
    """Yield how many tokens of context the hits cost up to and including each, best first."""
    days: set[str] = set()
    total = 0
    for hit in hits:
        head, tokens = heading(hit.memory.updated_at)
        total += line(hit.memory.text)[1] + (0 if head in days else tokens)
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
