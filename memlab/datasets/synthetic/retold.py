"""The date of an event or a plan that is spoken of again: as one says it by now, never more exact than before."""

from dataclasses import dataclass
from datetime import date, timedelta

from memlab.datasets.generated.dates import MONTHS, When, month, when
from memlab.datasets.generated.dice import Dice

VAGUER = 0.25
"""How often somebody speaks of the month or the year alone though the day would be no news."""
TRIES = 4


@dataclass(frozen=True, slots=True)
class Span:
    """The days that a date may mean, both ends included."""

    first: date
    last: date

    def covers(self, other: "Span") -> bool:
        """Return whether it is no more exact than another and does not contradict it."""
        return self.first <= other.first and other.last <= self.last


def span(gold: str) -> Span:
    """Return the days meant by a date as `When.gold` gives it."""
    words = gold.split()
    if words[0] == "the":
        return _around(words[1], words[2], span(" ".join(words[3:])).first)
    year = int(words[-1])
    if len(words) == 1:
        return Span(date(year, 1, 1), date(year, 12, 31))
    first = date(year, MONTHS.index(words[-2]) + 1, 1)
    if len(words) == 2:
        return Span(first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1))
    day = first.replace(day=int(words[0]))
    return Span(day, day)


def _around(unit: str, side: str, day: date) -> Span:
    """Return the calendar week, or its weekend, before or after the one of a day."""
    monday = day + timedelta(days=(7 if side == "after" else -7) - day.weekday())
    return Span(monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=6))


def when_again(event: date, told: str, today: date, dice: Dice) -> When | None:
    """Return how to speak of a date today that was `told` before, None where nothing would be as vague."""
    known = span(told)
    if not dice.chance(VAGUER):
        for _ in range(TRIES):
            spoken = when(event, today, dice)
            if span(spoken.gold).covers(known):
                return spoken
    return next((vague for vague in _vague(event, today) if span(vague.gold).covers(known)), None)


def _vague(event: date, today: date) -> tuple[When, When]:
    """Return the month and the year of an event as one speaks of them on a day."""
    years = event.year - today.year
    months = 12 * years + event.month - today.month
    # A month without a year is the nearest of its name.
    far = f"in {month(event)}" if abs(months) < 11 else f"in {month(event)} {event.year}"
    return (
        When(_named(months, "month", far), f"{month(event)} {event.year}"),
        When(_named(years, "year", f"in {event.year}"), str(event.year)),
    )


def _named(distance: int, unit: str, far: str) -> str:
    return {-1: f"last {unit}", 0: f"this {unit}", 1: f"next {unit}"}.get(distance, far)
