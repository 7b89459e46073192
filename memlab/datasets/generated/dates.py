"""How people speak of dates, and which date they mean."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from memlab.datasets.generated.dice import Dice

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
"""English whatever the locale is, which `strftime` is not."""
LONG_AGO = 330
"""Days from which on one speaks of years."""


@dataclass(frozen=True, slots=True)
class When:
    """A date as it is said ("last Saturday") and as a question about it is to be answered ("6 May 2023")."""

    said: str
    gold: str


def month(day: date) -> str:
    """Return the name of a date's month."""
    return MONTHS[day.month - 1]


def written(day: date) -> str:
    """Return a date as people write it: `8 May 2023`."""
    return f"{day.day} {month(day)} {day.year}"


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
        yield When(f"last {DAYS[event.weekday()]}", exact)
        yield When(f"on {DAYS[event.weekday()]}", exact)
        if event.weekday() >= 5 and today.weekday() < 5:
            yield When("last weekend", f"the weekend before {written(today)}")
        if days < 5:
            yield When(f"{NUMBERS[days]} days ago", exact)
    elif days < 28:
        yield When(f"on {event.day} {month(event)}", exact)
        if days == 14:
            yield When("two weeks ago", exact)
        if _weeks(event, today) == -1:
            yield When("last week", f"the week before {written(today)}")
    else:
        yield When(f"in {month(event)}", f"{month(event)} {event.year}")
        if _months(event, today) == -1:
            yield When("last month", f"{month(event)} {event.year}")


def _future(event: date, today: date) -> Iterator[When]:
    days, exact = (event - today).days, written(event)
    if days == 1:
        yield When("tomorrow", exact)
    elif days < 7:
        yield When(f"this {DAYS[event.weekday()]}", exact)
        yield When(f"on {DAYS[event.weekday()]}", exact)
    elif days < 28:
        yield When(f"on {event.day} {month(event)}", exact)
        if days == 14:
            yield When("in two weeks", exact)
        if _weeks(event, today) == 1:
            yield When("next week", f"the week after {written(today)}")
    else:
        yield When(f"in {month(event)}", f"{month(event)} {event.year}")
        if _months(event, today) == 1:
            yield When("next month", f"{month(event)} {event.year}")


def _weeks(event: date, today: date) -> int:
    """Calendar weeks (from Monday) between two dates."""
    monday, this_monday = (d - timedelta(days=d.weekday()) for d in (event, today))
    return (monday - this_monday).days // 7


def _months(event: date, today: date) -> int:
    return (event.year - today.year) * 12 + event.month - today.month
