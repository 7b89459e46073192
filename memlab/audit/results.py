"""A table of results as it was published: per-category values under names of its own, and overall values."""

from collections.abc import Mapping
from dataclasses import dataclass

from memlab.audit.possible import Printed
from memlab.paper.locomo import QUESTIONS

COUNTED = ("j", "j score", "judge", "llm judge", "llm-as-a-judge", "llm score", "accuracy", "acc", "acc.")
"""Metrics that are shares of right answers; others (F1, BLEU-1) are means of anything between 0 and 1."""
SCORED_CATEGORIES = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Row:
    """A method: its values by the table's own names of the categories; `runs` of the judge behind each, if told."""

    method: str
    values: Mapping[str, Printed]
    overall: Printed | None
    runs: int | None = None


@dataclass(frozen=True, slots=True)
class Results:
    """A table in percent. `questions` by category number are what its values are means over.

    `notes`: what was taken for granted in reading it.
    """

    title: str
    metric: str
    names: tuple[str, ...]
    rows: tuple[Row, ...]
    questions: Mapping[int, int]
    notes: tuple[str, ...] = ()

    @property
    def is_counted(self) -> bool:
        """Whether each value is a share of right answers."""
        return " ".join(self.metric.casefold().replace("_", " ").split()) in COUNTED

    @property
    def scored(self) -> int:
        """Return how many questions an overall value is over."""
        return sum(self.questions[category] for category in SCORED_CATEGORIES)


ALL_TEN: Mapping[int, int] = {category: QUESTIONS[category] for category in SCORED_CATEGORIES}
