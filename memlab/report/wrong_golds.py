"""What known wrong gold answers do to the numbers of some runs: each value raw, and without their questions."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from memlab.audit.known_errors import bad_questions, without
from memlab.dialogue import SCORED_CATEGORIES
from memlab.records import Record, RunFolder
from memlab.report.rows import INTERVALS, Run, caption, labels, value_of, with_interval
from memlab.report.scores import scores_looked_at
from memlab.report.table import Table
from memlab.summary.cells import metrics

OF_ANSWERS = {"f1": "F1", "bleu1": "BLEU-1", "locomo_f1": "LoCoMo F1"}
SEED = 0
NOTE = (
    "Raw: all questions. Right golds: without those whose gold {file} calls wrong, in every run alike. Nothing is "
    f"corrected in an answer's favour: their questions are left out. {INTERVALS}"
)


def wrong_golds_table(folders: Sequence[Path], runs: Sequence[Run], file: Path) -> Table:
    """Return values of answers raw and without the questions whose gold is wrong by a file, a row a run.

    Raises RecordError when the file is no list of questions.
    """
    wrong = bad_questions(file)
    measured = dict.fromkeys(metric for _, summary in runs for metric in summary["metrics"])
    chosen = {metric: name for metric in measured if (name := name_of(metric))}
    names, rows = labels([manifest for manifest, _ in runs])
    cells, counts = [], []
    for row, folder in zip(rows, folders, strict=True):
        scores = scores_looked_at(RunFolder(folder), chosen)
        raw, right = (metrics(own, seed=SEED) for own in (scores, without(wrong, scores)))
        pairs = [(raw.get(metric, {}), right.get(metric, {})) for metric in chosen]
        cells.append((*row, *(with_interval(own.get("overall")) for pair in pairs for own in pair)))
        counts.append(counted(scores, wrong))
    headings = (*names, *(f"{name}\n{kind}" for name in chosen.values() for kind in ("raw", "right golds")))
    asked, bad = max(counts, default=(0, 0))
    told = (
        NOTE.format(file=file.name),
        ceiling(asked, bad, file),
        *above(runs, [" ".join(row) for row in rows], 1 - bad / (asked or 1)),
    )
    return Table(f"Known wrong golds: {caption(runs, 'f1')}", headings, tuple(cells), told)


def name_of(metric: str) -> str | None:
    """Return what a metric that looks at the gold is called in a table, or None for the others."""
    return OF_ANSWERS.get(metric) or (f"J {metric.removeprefix('judge_')}" if metric.startswith("judge_") else None)


def counted(scores: Sequence[Record], wrong: Collection[str]) -> tuple[int, int]:
    """Return how many questions of a run have a value, in categories 1-4, and how many of them a wrong gold."""
    asked = {one["id"] for one in scores if one["category"] in SCORED_CATEGORIES and one["value"] is not None}
    return len(asked), len(asked.intersection(wrong))


def ceiling(asked: int, bad: int, file: Path) -> str:
    """Return how high a judge's share can rightly be; a warning when the file is about other questions."""
    if not bad:
        return f"Warning: no question that {file.name} names was scored in these runs; is it of the same dataset?"
    return (
        f"n={asked:,} questions, {bad} of them with a wrong gold: an answerer that is always right is called so in "
        f"{1 - bad / asked:.1%} of them. More than that is agreement with wrong golds."
    )


def above(runs: Sequence[Run], names: Sequence[str], highest: float) -> Iterator[str]:
    """Yield a warning for each share of correct answers that is above what right golds allow."""
    for name, (_, summary) in zip(names, runs, strict=True):
        for metric in summary["metrics"]:
            value = value_of(summary, metric)
            if metric.startswith("judge_") and value is not None and value > highest:
                yield f"Warning: {name}: {name_of(metric)} {value:.1%} is above the ceiling of {highest:.1%}."
