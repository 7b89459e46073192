"""How memories are laid before an answerer, and what that costs in tokens."""

from collections.abc import Iterable, Sequence
from datetime import date

from memlab.memory import Hit, Memory
from memlab.tokens import count_tokens


def day(when: date) -> str:
    """Return a date as people write it: `8 May 2023`."""
    return f"{when.day} {when:%B %Y}"


def line(memory: Memory) -> str:
    """Return the line that a memory takes up in a context."""
    return " ".join(memory.text.split()) + "\n"


def heading(memory: Memory) -> str:
    """Return the heading of the day that a memory was last said on."""
    return day(memory.updated_at) + "\n"


def render(hits: Iterable[Hit]) -> str:
    """Return hits as text: one heading a day, days and memories in order of time."""
    days: dict[str, list[str]] = {}
    for hit in sorted(hits, key=lambda hit: (hit.memory.updated_at, int(hit.memory.id[1:]))):
        days.setdefault(heading(hit.memory), []).append(line(hit.memory))
    return "".join(head + "".join(lines) for head, lines in days.items())


def costs(hits: Iterable[Hit]) -> list[int]:
    """Return how many tokens of context the hits cost up to and including each, best first."""
    seen: set[str] = set()
    total, running = 0, []
    for hit in hits:
        head = heading(hit.memory)
        total += count_tokens(line(hit.memory)) + (0 if head in seen else count_tokens(head))
        seen.add(head)
        running.append(total)
    return running


def within(hits: Sequence[Hit], *, top_k: int | None = None, max_tokens: int | None = None) -> list[Hit]:
    """Return the longest head of a ranking with at most `top_k` hits and `max_tokens` tokens of context."""
    head = list(hits[:top_k])
    if max_tokens is None:
        return head
    return [hit for hit, cost in zip(head, costs(head), strict=True) if cost <= max_tokens]
