"""How people speak of dates, and which date they mean."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from memlab.context import day as written
from memlab.datasets.mini.dice import Dice

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
LONG_AGO = 330
"""Days from which on one speaks of years."""


@dataclass(frozen=True, slots=True)
class When:
    """A date as it is said ("last Saturday") and as a question about it is to be answered ("6 May 2023")."""

    said: str
    gold: str


def when(event: date, today: date, dice: Dice) -> When:
    """Return one of the ways to speak of an event's date on a day."""
    days = (event - today).days
    if abs(days) >= LONG_AGO:
        return dice.pick(list(_years(event, today)))
    return dice.pick(list(_past(event, today) if days <= 0 else _future(event, today)))


def elapsed(event: date, today: date) -> str:
    """Return how long ago an event was: `six weeks`, `three months`."""
    days = (today - event).days
    if days < 14:
        return "a few days"
    if days < 60:
        return f"{NUMBERS[days // 7]} weeks"
    return f"{NUMBERS[min(round(days / 30.4), 12)]} months"


def _years(event: date, today: date) -> Iterator[When]:
    yield When(f"in {event.year}", str(event.year))
    years = abs(today.year - event.year)
    if 1 < years < len(NUMBERS):
        yield When(f"{NUMBERS[years]} years ago" if event < today else f"in {NUMBERS[years]} years", str(event.year))


def _past(event: date, today: date) -> Iterator[When]:
    days, exact = (today - event).days, written(event)
    if days == 0:
        yield When("this morning", exact)
    elif days == 1:
        yield When("yesterday", exact)
    elif days < 7:
        yield When(f"last {event:%A}", exact)
        yield When(f"on {event:%A}", exact)
        if event.weekday() >= 5 and today.weekday() < 5:
            yield When("last weekend", f"the weekend before {written(today)}")
        if days < 5:
            yield When(f"{NUMBERS[days]} days ago", exact)
    elif days < 28:
        yield When(f"on {event.day} {event:%B}", exact)
        if days == 14:
            yield When("two weeks ago", exact)
        if _weeks(event, today) == -1:
            yield When("last week", f"the week before {written(today)}")
    else:
        yield When(f"in {event:%B}", f"{event:%B %Y}")
        if _months(event, today) == -1:
            yield When("last month", f"{event:%B %Y}")


def _future(event: date, today: date) -> Iterator[When]:
    days, exact = (event - today).days, written(event)
    if days == 1:
        yield When("tomorrow", exact)
    elif days < 7:
        yield When(f"this {event:%A}", exact)
        yield When(f"on {event:%A}", exact)
    elif days < 28:
        yield When(f"on {event.day} {event:%B}", exact)
        if days == 14:
            yield When("in two weeks", exact)
        if _weeks(event, today) == 1:
            yield When("next week", f"the week after {written(today)}")
    else:
        yield When(f"in {event:%B}", f"{event:%B %Y}")
        if _months(event, today) == 1:
            yield When("next month", f"{event:%B %Y}")


def _weeks(event: date, today: date) -> int:
    """Calendar weeks (from Monday) between two dates."""
    monday, this_monday = (d - timedelta(days=d.weekday()) for d in (event, today))
    return (monday - this_monday).days // 7


def _months(event: date, today: date) -> int:
    return (event.year - today.year) * 12 + event.month - today.month
