"""What published files leave empty, and how files begin."""

import json
from pathlib import Path
from typing import Any

import pytest

from memlab.score.prediction_files import PredictionFileError, read_predictions
from memlab.score.published import score_file

NAN = float("nan")


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "predictions.json"
    own = {"question": "Who?", "answer": "Ana", "response": "Ana", "category": 4}
    file.write_text(json.dumps({"0": [own | changes for changes in rows]}), encoding="utf-8-sig")
    return file


def test_an_answer_that_is_missing_is_a_failed_one(tmp_path: Path) -> None:
    scores = score_file(written(tmp_path, {}, {"response": NAN}, {"response": None}, {"response": "nan"}))
    assert (scores.overall.n, scores.overall.failed) == (2, 2)


def test_a_gold_is_missing_in_category_5_alone(tmp_path: Path) -> None:
    file = written(tmp_path, {"category": 5, "answer": NAN, "question_id": NAN})
    assert (read_predictions(file).predictions[0].gold, read_predictions(file).predictions[0].question_id) == ("", None)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": NAN}, r"\$\.0\[0\]\.answer: expected a text or a number, found nan"),
        ({"question": NAN}, "question: expected a text or a number, found nan"),
        ({"response": float("inf")}, "response: expected a text or a number, found inf"),
        ({"llm_score": NAN}, "llm_score: expected true, false, 1, 0 or null, found nan"),
        ({"f1_score": NAN}, "f1_score: expected a number, found nan"),
    ],
)
def test_what_is_no_number_is_never_taken_for_text(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(PredictionFileError, match=message):
        read_predictions(written(tmp_path, changes))
