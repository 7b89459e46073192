"""Turns as a model is shown them."""

from collections.abc import Iterable, Sequence
from datetime import date

from memlab.context import day
from memlab.dialogue import Turn


def spoken(turn: Turn, *, captions: bool) -> str:
    """Return what a turn says on one line, with the caption of a shared image when asked for; "" when it is nothing."""
    caption = " ".join((turn.caption or "").split()) if captions else ""
    image = f"[shares an image: {caption}]" if caption else ""
    return " ".join((*turn.text.split(), image)).strip()


def telling(turns: Iterable[Turn], *, captions: bool) -> list[Turn]:
    """Return the turns that say something."""
    return [turn for turn in turns if spoken(turn, captions=captions)]


def transcript(turns: Iterable[Turn], *, captions: bool, numbered: bool = False) -> str:
    """Return turns one a line, a line with the date before the first of each day; numbers count from 1."""
    lines: list[str] = []
    today: date | None = None
    for number, turn in enumerate(turns, start=1):
        if turn.said_at.date() != today:
            today = turn.said_at.date()
            lines.append(f"({today:%A}, {day(today)})")
        place = f"{number}. " if numbered else ""
        lines.append(f"{place}{turn.speaker}: {spoken(turn, captions=captions)}")
    return "\n".join(lines)


def speakers(turns: Iterable[Turn]) -> list[str]:
    """Return who speaks in turns, in the order they first do."""
    return list(dict.fromkeys(turn.speaker for turn in turns))


def listed(words: Sequence[str]) -> str:
    """Return words as a list in English: `a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
