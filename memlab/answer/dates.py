"""The dates that a sentence names, in the style of LOCOMO's answers: `7 May 2023`, `the week before 9 June 2023`."""

import re
from collections.abc import Callable
from datetime import datetime

from memlab.answer.statements import MONTHS
from memlab.extract.rewrite.dates import absolute

MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
YEAR = r"(?P<year>(?:19|20)\d\d)\b"
DAY = r"\b(?P<day>[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
PERIOD = r"(?i:(?:day|week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?)"
COUNT = (
    r"(?i:(?:a )?few|(?:a )?couple(?: of)?|several|some|many|\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten)"
)


def _as_written(found: re.Match[str], said_at: datetime) -> str:
    return found.group()


def _day(found: re.Match[str], said_at: datetime) -> str:
    return f"{found['day']} {_month(found, said_at)}"


def _month(found: re.Match[str], said_at: datetime) -> str:
    month = next(i for i, name in enumerate(MONTHS, 1) if name.startswith(found["month"][:3]))
    return f"{MONTHS[month - 1]} {found['year'] or _nearest_year(month, said_at)}"


def _nearest_year(month: int, said_at: datetime) -> int:
    """Return the year in which a month that was named without one lies closest to the day it was named on."""
    months_ahead = month - said_at.month
    return said_at.year + (months_ahead < -6) - (months_ahead > 6)


FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], str]], ...] = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        (rf"\b(?:[Tt]he )?(?:{COUNT} )?\b{PERIOD} (?:before|after|of) {DAY} {MONTH} {YEAR}", _as_written),
        (rf"{DAY} (?:of )?{MONTH}(?:,? {YEAR})?", _day),
        (rf"\b{MONTH} (?:the )?{DAY}\b(?!:)(?:,? {YEAR})?", _day),
        (rf"\b{MONTH},? (?:of )?{YEAR}", _month),
        (rf"\b(?:[Tt]he )?(?:spring|summer|fall|autumn|winter) of {YEAR}", _as_written),
        (rf"(?<=\b[Ii]n ){MONTH}(?: {YEAR})?", _month),
        (rf"\b{YEAR}", _as_written),
    )
)


def named_date(text: str, said_at: datetime) -> str | None:
    """Return the first date that a text names, its relative dates resolved against the time it was said at."""
    resolved = absolute(text, said_at)
    found = [(match, written) for form, written in FORMS if (match := form.search(resolved))]
    if not found:
        return None
    first, written = min(found, key=lambda pair: pair[0].start())
    return written(first, said_at)
