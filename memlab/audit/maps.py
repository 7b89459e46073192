"""Which name of a table stands for which category of LOCOMO: one of 24 maps, that its overall values agree with."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from memlab.audit.possible import Printed, possible_counts
from memlab.audit.results import SCORED_CATEGORIES, Results, Row

CategoryMap = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Reproduced:
    """A row's overall value computed again from its categories under a map, in percent.

    `allowed`: how far the two may be apart because all values are rounded: half a last digit of each kind.
    """

    printed: Fraction
    computed: Fraction
    allowed: Fraction

    @property
    def gap(self) -> Fraction:
        """Return how far the computed value lies above the printed one."""
        return self.computed - self.printed

    @property
    def holds(self) -> bool:
        """Whether rounding alone can explain the gap."""
        return abs(self.gap) <= self.allowed


@dataclass(frozen=True, slots=True)
class Tried:
    """A map with what it makes of each row that has an overall value, by position in the table."""

    map: CategoryMap
    rows: Mapping[int, Reproduced]

    @property
    def held(self) -> int:
        """Return how many rows it reproduces."""
        return sum(row.holds for row in self.rows.values())

    @property
    def worst(self) -> Fraction:
        """Return the largest gap of a row."""
        return max(abs(row.gap) for row in self.rows.values())

    @property
    def reproduces_all(self) -> bool:
        """Whether it reproduces every row."""
        return self.held == len(self.rows)


def testable(row: Row) -> bool:
    """Return whether a row's categories can be weighed against its overall value."""
    return row.overall is not None and len(row.values) == len(SCORED_CATEGORIES)


def tried_maps(results: Results) -> list[Tried]:
    """Return all 24 maps, best first: by rows reproduced, then by the largest gap; none when no row can be tested."""
    rows = {place: row for place, row in enumerate(results.rows) if testable(row)}
    if not rows or len(results.names) != len(SCORED_CATEGORIES):
        return []
    found = [
        Tried(named, {place: reproduced(row, named, results.questions) for place, row in rows.items()})
        for named in maps(results.names)
    ]
    return sorted(found, key=lambda one: (-one.held, one.worst))


def maps(names: tuple[str, ...]) -> Iterator[CategoryMap]:
    """Yield every way to give four names the four categories."""
    for numbers in permutations(SCORED_CATEGORIES):
        yield dict(zip(names, numbers, strict=True))


def reproduced(row: Row, named: CategoryMap, questions: Mapping[int, int]) -> Reproduced:
    """Return a row's overall value, computed again as the mean over all questions."""
    assert row.overall is not None
    weights = {name: questions[named[name]] for name in row.values}
    total = sum(weights.values())
    computed = sum((Fraction(row.values[name].value) * weight for name, weight in weights.items()), Fraction())
    moved = sum((row.values[name].half * weight for name, weight in weights.items()), Fraction())
    return Reproduced(Fraction(row.overall.value), computed / total, moved / total + row.overall.half)


def possible_under(row: Row, named: CategoryMap, questions: Mapping[int, int], runs: int) -> dict[str, list[int]]:
    """Return the counts of right answers, over all runs, that each value of a row can stand for under a map."""
    return {name: possible_counts(value, questions[named[name]], runs) for name, value in row.values.items()}


@dataclass(frozen=True, slots=True)
class Exact:
    """The least and the largest overall value, in percent, that whole counts behind a row's categories allow."""

    low: Fraction
    high: Fraction

    def rounds_to(self, overall: Printed) -> bool:
        """Return whether one of them is printed so."""
        printed = Fraction(overall.value)
        return self.low <= printed + overall.half and self.high >= printed - overall.half

    def cut_to(self, overall: Printed) -> bool:
        """Return whether one of them is printed so when further digits are cut off instead of rounded."""
        printed = Fraction(overall.value)
        return self.low < printed + 2 * overall.half and self.high >= printed


def exact_overall(row: Row, named: CategoryMap, questions: Mapping[int, int], runs: int) -> Exact | None:
    """Return the overall values that a row's counts allow; None when a value is not possible at all."""
    possible = possible_under(row, named, questions, runs)
    if not all(possible.values()):
        return None
    trials = runs * sum(questions[named[name]] for name in row.values)
    low, high = (sum(end(found) for found in possible.values()) for end in (min, max))
    return Exact(Fraction(100 * low, trials), Fraction(100 * high, trials))
