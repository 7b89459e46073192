"""Whether a printed mean, and the standard deviation beside it, can come from counting right answers at all."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

NEIGHBOURHOOD = 1
"""Points to either side of a value within which it is counted how many other values would have passed, too."""
PARITY_ALONE = 9
"""From so many runs on, a sum of squares that has the right parity and is not below the least one can always be had:
among as many whole numbers five are alike, and five numbers that sum to zero reach every even sum of squares."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A mean in percent as it is printed, with `decimals` digits after the point, and the std printed beside it."""

    value: Decimal
    decimals: int
    std: Decimal | None = None
    std_decimals: int = 2

    @property
    def half(self) -> Fraction:
        """Return half a unit of the last digit: how far rounding moves a value at most."""
        return Fraction(1, 2 * 10**self.decimals)


def counts(printed: Printed, trials: int) -> range:
    """Return the numbers of right answers among so many whose percentage rounds to what is printed.

    A tie may be rounded either way.
    """
    value = Fraction(printed.value)
    least = ceil((value - printed.half) * trials / 100)
    most = floor((value + printed.half) * trials / 100)
    return range(max(least, 0), min(most, trials) + 1)


def possible_counts(printed: Printed, questions: int, runs: int) -> list[int]:
    """Return the counts over all runs that fit the printed mean, and the std where there is one.

    The std may be that of the runs (divided by runs) or its estimate (divided by runs - 1); a single run has none.
    """
    found = counts(printed, questions * runs)
    if printed.std is None or runs < 2:
        return list(found)
    return [right for right in found if _std_possible(printed, right, questions, runs)]


def _std_possible(printed: Printed, right: int, questions: int, runs: int) -> bool:
    """Return whether `right` answers spread over runs of whole counts can have the printed std.

    With d the counts above right // runs, sum(d) = r = right % runs, and sum(d ** 2) is at least r and as even as r.
    Below PARITY_ALONE runs that is necessary, but may not suffice.
    """
    assert printed.std is not None
    half = Fraction(1, 2 * 10**printed.std_decimals)
    low, high = (max(Fraction(printed.std) + way * half, Fraction(0)) * questions / 100 for way in (-1, 1))
    r = right % runs
    for divisor in (runs, runs - 1):
        least, most = (square * divisor + Fraction(r * r, runs) for square in (low * low, high * high))
        squares = max(ceil(least), r)
        squares += (squares - r) % 2
        if squares <= most:
            return True
    return False


def fewest_runs(printed: Printed, questions: int, most: int) -> int | None:
    """Return the smallest number of runs with which a printed value is possible; None when up to `most` it is not."""
    return next((runs for runs in range(1, most + 1) if possible_counts(printed, questions, runs)), None)


def chance(printed: Printed, questions: int, runs: int) -> float:
    """Return the share of the values within a point of the printed one that would have been possible, too.

    It says what passing is worth: near 1 the test could not have failed.
    """
    near = list(_neighbours(printed))
    return sum(bool(possible_counts(one, questions, runs)) for one in near) / len(near)


def _neighbours(printed: Printed) -> Iterator[Printed]:
    unit = Decimal(1).scaleb(-printed.decimals)
    reach = NEIGHBOURHOOD * 10**printed.decimals
    for steps in range(-reach, reach + 1):
        value = printed.value + steps * unit
        if steps and 0 <= value <= 100:
            yield Printed(value, printed.decimals, printed.std, printed.std_decimals)
