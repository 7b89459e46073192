"""Published files as answers."""

from pathlib import Path

import pytest

from memlab.compare.files import read_file, row
from memlab.score.prediction_files import Prediction
from tests.compare.sources import file_of


def published(conversation: str | None, question_id: str | None) -> Prediction:
    return Prediction(question_id, conversation, 4, "When?", "May", "in May", (), {})


@pytest.mark.parametrize(
    ("conversation", "sample"),
    [
        ("0", "conv-26"),
        ("locomo_exp_user_7", "conv-48"),
        ("locomo_experiment_user_9", "conv-50"),
        ("conv-30", "conv-30"),
        ("user_12", "user_12"),
        ("Ada and Bo", "Ada and Bo"),
        (None, None),
    ],
)
def test_conversations_go_by_their_sample_ids(conversation: str | None, sample: str | None) -> None:
    assert row(published(conversation, None)).conversation == sample


@pytest.mark.parametrize(
    ("named", "id_"),
    [
        ("locomo_0_qa12", "conv-26/q12"),
        ("conv8_q3", "conv-49/q3"),
        ("conv-26/q3", "conv-26/q3"),
        ("q3", None),
        ("17", None),
        (None, None),
    ],
)
def test_questions_go_by_their_place_in_the_dataset(named: str | None, id_: str | None) -> None:
    assert row(published("0", named)).id == id_


def test_failed_answers_have_no_values_and_verdicts_are_j(tmp_path: Path) -> None:
    rows = {"0": [("When?", "May", "in May", 1), ("Why?", "fun", "work", None)]}
    read = read_file(file_of(tmp_path / "some.json", rows), name="some")
    assert [row.values for row in read.rows] == [
        {"f1": pytest.approx(2 / 3), "bleu1": pytest.approx(0.5), "J": 1.0},
        {"f1": 0.0, "bleu1": 0.0},
    ]
    lost = read_file(file_of(tmp_path / "lost.json", {"0": [("When?", "May", None, 0)]}), name="lost")  # type: ignore[list-item]
    assert (lost.failed, dict(lost.rows[0].values)) == (1, {})


def test_category_5_is_left_out(tmp_path: Path) -> None:
    file = file_of(tmp_path / "five.json", {"0": [("When?", "May", "May", 1)]}, category=5)
    assert read_file(file, name="five").rows == ()
