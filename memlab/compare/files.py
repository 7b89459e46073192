"""Published prediction files as answers that can be compared."""

from pathlib import Path
from statistics import fmean

from memlab.compare.answers import Answers, J, Row
from memlab.paper.locomo import question_id, sample_id
from memlab.score.overlap import bleu1, f1
from memlab.score.prediction_files import Prediction, read_predictions


def read_file(file: Path, cutoff: str | None = None, *, name: str) -> Answers:
    """Return the answers of a published file, in its order, with F1 and BLEU-1 computed again; errors of the reader."""
    read = read_predictions(file, cutoff)
    return Answers(name, file, read.format, tuple(row(one) for one in read.predictions if one.category != 5))


def row(published: Prediction) -> Row:
    """Return one published answer, its conversation and question under LOCOMO's names."""
    values = {}
    if published.answer is not None:
        values = {"f1": f1(published.gold, published.answer), "bleu1": bleu1(published.gold, published.answer)}
        if published.judgements:
            values[J] = fmean(published.judgements)
    return Row(
        None if published.question_id is None else question_id(published.question_id),
        None if published.conversation is None else sample_id(published.conversation),
        published.category,
        published.question,
        published.gold,
        published.answer,
        values,
    )
