"""What the words of a triple's `when` say for certain about the days it happened on."""

import calendar
import re
from datetime import date, timedelta

MONTHS = {name.casefold(): number for number, name in enumerate(calendar.month_name) if name} | {
    name.casefold(): number for number, name in enumerate(calendar.month_abbr) if name
}
MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)(?!\d|s\b|-\d\d\d)"
DATES = (
    re.compile(rf"(?<!\d){YEAR}-(?P<number>\d\d)(?:-(?P<day>\d\d))?(?!\d)"),
    re.compile(rf"(?<!\d)(?P<day>\d\d?)(?:st|nd|rd|th)?(?: of)? {MONTH}\b\.?,? {YEAR}", re.IGNORECASE),
    re.compile(rf"\b{MONTH}\.? (?P<day>\d\d?)(?:st|nd|rd|th)?,? {YEAR}", re.IGNORECASE),
    re.compile(rf"\b{MONTH}\b\.?,?(?: of)? {YEAR}", re.IGNORECASE),
    re.compile(rf"(?<![\d-]){YEAR}"),
)
"""The most precise first; each takes what it found out of the words."""
COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
VAGUE = ("few", "several", "many", "some", "couple")
UNITS = {"day": 1, "night": 1, "week": 7, "weekend": 7, "month": 30, "year": 365}
APART = re.compile(
    rf"(?:\b(?P<count>\d+|{'|'.join((*COUNTS, *VAGUE))}) (?:of )?)?\b(?P<unit>{'|'.join(UNITS)}|[a-z]+day)s? before\b",
    re.IGNORECASE,
)
UNTIL = re.compile(r"\b(?:before|until|till|by|ago|earlier|up to)\b", re.IGNORECASE)
SINCE = re.compile(r"\b(?:after|since|from|later|onwards?)\b", re.IGNORECASE)


def days(when: str) -> tuple[date, date] | None:
    """Return the first and the last day that words with dates can mean; None when they name no year.

    `May 2023` is 1 to 31 May, `the week before 9 June 2023` some days between 26 May and 8 June, and `since 2016` has
    no end.
    """
    spans: list[tuple[date, date]] = []
    rest = when
    for form in DATES:
        spans += [span for found in form.finditer(rest) if (span := _span(found))]
        rest = form.sub(" ", rest)
    if not spans:
        return None
    first, last = min(span[0] for span in spans), max(span[1] for span in spans)
    if apart := APART.search(rest):
        return _before(apart, first)
    return date.min if UNTIL.search(rest) else first, date.max if SINCE.search(rest) else last


def _span(found: re.Match[str]) -> tuple[date, date] | None:
    parts = found.groupdict()
    year = int(parts["year"])
    month = int(parts["number"]) if parts.get("number") else MONTHS.get((parts.get("month") or "").casefold())
    if month is None:
        return date(year, 1, 1), date(year, 12, 31)
    try:
        one = date(year, month, int(parts.get("day") or 1))
        return one, one if parts.get("day") else date(year, month, calendar.monthrange(year, month)[1])
    except ValueError:  # 31 June: the words mean something else
        return None


def _before(apart: re.Match[str], end: date) -> tuple[date, date]:
    """Return the days that `two weeks before` an end can mean; of a vague count, no first day is certain."""
    unit = timedelta(UNITS.get(apart["unit"].lower(), 7))
    count = (apart["count"] or "1").lower()
    number = int(count) if count.isdigit() else COUNTS.get(count, 2)
    try:
        last = end - timedelta(1) - unit * (number - 1)
        return date.min if count in VAGUE else end - unit * (number + 1), last
    except OverflowError:
        return date.min, end
