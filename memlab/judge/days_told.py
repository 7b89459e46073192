"""Whether the dates of an answer are those of the gold: `7 May 2023`, `May 7th`, `2023-05-07`."""

import re
from functools import lru_cache

MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
NUMBER = {name: number for number, name in enumerate(MONTHS.split("|"), start=1)}
DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({MONTHS})[a-z]*\.?,?(?: (\d{{4}}))?", re.IGNORECASE)
MONTH_FIRST = re.compile(rf"\b({MONTHS})[a-z]*\.? (\d{{1,2}})(?:st|nd|rd|th)?\b,?(?: (\d{{4}}))?", re.IGNORECASE)
ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})")
MONTH = re.compile(
    rf"\b({MONTHS})(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\b",
    re.IGNORECASE,
)
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
USUAL_YEAR = 2023
"""Of a day without a year, when two days are counted apart."""

Day = tuple[int, int, int]
"""Year (0: none is named), month, day."""


@lru_cache(maxsize=1 << 16)
def days(text: str) -> frozenset[Day]:
    """Return the days that a text names."""
    found = {(int(m[3] or 0), NUMBER[m[2].lower()], int(m[1])) for m in DAY_FIRST.finditer(text)}
    found |= {(int(m[3] or 0), NUMBER[m[1].lower()], int(m[2])) for m in MONTH_FIRST.finditer(text)}
    return frozenset(found | {(int(m[1]), int(m[2]), int(m[3])) for m in ISO.finditer(text)})


def months(text: str) -> frozenset[int]:
    """Return the months that a text names, by number."""
    return frozenset(NUMBER[m[1].lower()] for m in MONTH.finditer(text))


def years(text: str) -> frozenset[str]:
    """Return the years that a text names."""
    return frozenset(YEAR.findall(text))


def same(one: Day, other: Day) -> bool:
    """Return whether two days may be the same."""
    return one[1:] == other[1:] and (not one[0] or not other[0] or one[0] == other[0])


def apart(one: Day, other: Day) -> float:
    """Return how many days lie between two days, nearly."""
    first, second = (365.25 * (day[0] or USUAL_YEAR) + 30.44 * day[1] + day[2] for day in (one, other))
    return abs(first - second)
