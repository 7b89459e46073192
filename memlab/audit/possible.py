"""Whether a printed mean, and the standard deviation beside it, can come from counting right answers at all."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

NEIGHBOURHOOD = 1
"""Points to either side of a value within which it is counted how many other values would have passed, too."""
PARITY_ALONE = 9
"""From so many runs on, a sum of squares that has the right parity, is not below the least one and not near the
largest, can always be had: among as many whole numbers five are alike, and five numbers that sum to zero reach every
even sum of squares."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A mean in percent as it is printed, with `decimals` digits after the point, and the std printed beside it.

    Fewer than none of them: the fraction 0.7 is printed to ten points, with -1.
    """

    value: Decimal
    decimals: int
    std: Decimal | None = None
    std_decimals: int = 2

    @property
    def half(self) -> Fraction:
        """Return half a unit of the last digit: how far rounding moves a value at most."""
        return self.unit / 2

    @property
    def unit(self) -> Fraction:
        """Return a unit of the last digit."""
        return Fraction(10) ** -self.decimals


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
    return [right for right in counts(printed, questions * runs) if _std_possible(printed, right, questions, runs)]


def _std_possible(printed: Printed, right: int, questions: int, runs: int) -> bool:
    """Return whether `right` answers spread over runs of whole counts can have the printed std, if there is one.

    With d the counts above right // runs, sum(d) = r = right % runs, and sum(d ** 2) is at least r and as even as r; it
    is largest where runs are wholly right or wholly wrong, but for one. Below PARITY_ALONE runs that is necessary, but
    may not suffice.
    """
    if printed.std is None or runs < 2:
        return True
    half = Printed(printed.std, printed.std_decimals).half
    low, high = (max(Fraction(printed.std) + way * half, Fraction(0)) * questions / 100 for way in (-1, 1))
    base, r = divmod(right, runs)
    full, left = divmod(right, questions)
    largest = full * questions**2 + left**2 - 2 * base * right + runs * base**2
    for divisor in (runs, runs - 1):
        least, most = (square * divisor + Fraction(r * r, runs) for square in (low * low, high * high))
        squares = max(ceil(least), r)
        squares += (squares - r) % 2
        if squares <= most and squares <= largest:
            return True
    return False


def fewest_runs(printed: Printed, questions: int, most: int) -> int | None:
    """Return the smallest number of runs with which a printed value is possible; None when up to `most` it is not."""
    return next((runs for runs in range(1, most + 1) if possible_counts(printed, questions, runs)), None)


def chance(printed: Printed, questions: int, runs: int) -> float:
    """Return the share of the values within a point of the printed one that would have been possible, too.

    It says what passing is worth: near 1 the test could not have failed.
    """
    value, unit, trials = Fraction(printed.value), printed.unit, questions * runs
    reach = max(floor(NEIGHBOURHOOD / unit), 1)
    lowest, highest = max(-reach, ceil(-value / unit)), min(reach, floor((100 - value) / unit))
    first, last = value + lowest * unit - printed.half, value + highest * unit + printed.half
    passing: set[int] = set()
    for right in range(max(ceil(first * trials / 100), 0), min(floor(last * trials / 100), trials) + 1):
        if _std_possible(printed, right, questions, runs):
            steps = (Fraction(100 * right, trials) - value) / unit
            passing |= {ceil(steps - Fraction(1, 2)), floor(steps + Fraction(1, 2))}  # two for a tie
    return sum(lowest <= step <= highest for step in passing - {0}) / (highest - lowest)
