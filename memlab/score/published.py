"""Scores of somebody else's predictions, computed again from the answers that they published."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path

from memlab.dialogue import CATEGORIES, SCORED_CATEGORIES
from memlab.score.overlap import bleu1, f1
from memlab.score.prediction_files import Prediction, PredictionFile, read_predictions


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over `n` answered rows, None where there is nothing to average; `j` is over the rows that carry a verdict.

    Failed rows are counted apart and in no mean; `unlabelled` of the answered rows carry no verdict.
    """

    n: int
    f1: float | None
    bleu1: float | None
    j: float | None
    unlabelled: int
    failed: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Over how many rows a published metric was computed again, and by how much the two differ at most."""

    rows: int
    largest_difference: float


@dataclass(frozen=True, slots=True)
class FileScores:
    """The scores of a file. `overall` is over categories 1 to 4, `uncategorised` over rows without a category.

    `conversations` counts rows per conversation, where the file tells it; `repeated` counts rows that ask a question of
    the same conversation again with the same gold.
    """

    format: str
    rows: int
    categories: Mapping[int, Scores]
    overall: Scores
    uncategorised: Scores
    comparisons: Mapping[str, Comparison]
    conversations: Mapping[str, int]
    repeated: int


def score_file(file: Path, cutoff: str | None = None) -> FileScores:
    """Return F1, BLEU-1 and J of a published file; `cutoff` as in `read_predictions`, whose errors it raises."""
    return score_published(read_predictions(file, cutoff))


def score_published(published: PredictionFile) -> FileScores:
    """Return F1, BLEU-1 and J of published predictions."""
    predictions = published.predictions
    marked = [(row, _overlap(row)) for row in predictions]
    places = Counter(row.conversation for row in predictions if row.conversation is not None)
    return FileScores(
        format=published.format,
        rows=len(predictions),
        categories={category: _scores(marked, (category,)) for category in CATEGORIES},
        overall=_scores(marked, SCORED_CATEGORIES),
        uncategorised=_scores(marked, (None,)),
        comparisons=dict(_comparisons(marked)),
        conversations=dict(places),
        repeated=len(predictions) - len({(row.conversation, row.question, row.gold) for row in predictions}),
    )


_Marked = Sequence[tuple[Prediction, Mapping[str, float]]]


def _overlap(row: Prediction) -> Mapping[str, float]:
    if row.answer is None:
        return {}
    return {"f1": f1(row.gold, row.answer), "bleu1": bleu1(row.gold, row.answer)}


def _scores(marked: _Marked, categories: Sequence[int | None]) -> Scores:
    chosen = [(row, values) for row, values in marked if row.category in categories]
    answered = [(row, values) for row, values in chosen if row.answer is not None]
    verdicts = [fsum(row.judgements) / len(row.judgements) for row, _ in answered if row.judgements]
    return Scores(
        n=len(answered),
        f1=_mean([values["f1"] for _, values in answered]),
        bleu1=_mean([values["bleu1"] for _, values in answered]),
        j=_mean(verdicts),
        unlabelled=len(answered) - len(verdicts),
        failed=len(chosen) - len(answered),
    )


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


def _comparisons(marked: _Marked) -> Iterator[tuple[str, Comparison]]:
    for metric in ("f1", "bleu1"):
        apart = [
            abs(values[metric] - row.published[metric]) for row, values in marked if metric in row.published and values
        ]
        if apart:
            yield metric, Comparison(len(apart), max(apart))
