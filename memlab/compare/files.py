"""Published prediction files as answers that can be compared."""

import re
from pathlib import Path
from statistics import fmean

from memlab.compare.answers import Answers, J, Row
from memlab.score.overlap import bleu1, f1
from memlab.score.prediction_files import Prediction, read_predictions

LOCOMO = ("26", "30", "41", "42", "43", "44", "47", "48", "49", "50")
"""The numbers in the sample ids of LOCOMO's ten conversations, by the index that published files call them by."""
SAMPLE = re.compile(r"conv-\d+")
INDEX = re.compile(r"(?:\D*\D)?(\d)")
QUESTION = re.compile(r"\D*(\d)_qa?(\d+)")


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
        question_id(published.question_id),
        sample_id(published.conversation),
        published.category,
        published.question,
        published.gold,
        published.answer,
        values,
    )


def sample_id(conversation: str | None) -> str | None:
    """Return LOCOMO's name of a conversation that a file calls `3` or `locomo_exp_user_3`; others as they are."""
    if conversation is None or SAMPLE.fullmatch(conversation) or not (found := INDEX.fullmatch(conversation)):
        return conversation
    return f"conv-{LOCOMO[int(found[1])]}"


def question_id(published: str | None) -> str | None:
    """Return the id of a question that a file calls `locomo_3_qa17` or `conv3_q17`; None for others."""
    if published is None or not (found := QUESTION.fullmatch(published)):
        return None
    return f"conv-{LOCOMO[int(found[1])]}/q{found[2]}"
