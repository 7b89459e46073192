"""The one form in which runs and published files are compared: answers with their values by metric."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memlab.records import RecordError

J = "J"
"""What a file's verdicts are called: the share of them that say correct. A run's are `judge_RUBRIC`."""
JUDGED = "judge_"


class NotComparable(RecordError):
    """What was given cannot be compared; the message says why and what can be done."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question and its answer; None is not told by the source. A failed answer has no values.

    `values` are by metric, means over attempts; `answer` is the first attempt's.
    """

    id: str | None
    conversation: str | None
    category: int | None
    question: str
    gold: str
    answer: str | None
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Answers:
    """What one run or file answered, in the order of its questions; category 5, which is not scored, left out.

    `form` is `run` or the file's format, `data` the sha256 of a run's dataset, `judge` who gave a run's verdicts,
    `notes` what readers of its numbers have to know.
    """

    name: str
    source: Path
    form: str
    rows: tuple[Row, ...]
    data: str | None = None
    judge: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_run(self) -> bool:
        """Whether these are a run's, not a published file's."""
        return self.form == "run"

    @property
    def failed(self) -> int:
        """Return how many questions have no answer."""
        return sum(row.answer is None for row in self.rows)

    @property
    def metrics(self) -> list[str]:
        """Return the metrics that any row has a value of, in the order of their first."""
        return list(dict.fromkeys(metric for row in self.rows for metric in row.values))


def is_verdict(metric: str) -> bool:
    """Return whether a metric is a judge's."""
    return metric == J or metric.startswith(JUDGED)
