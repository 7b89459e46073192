"""Lists of wrong golds: their forms, and which questions and rows they are of."""

import json
from pathlib import Path
from typing import Any

import pytest

from memlab.audit.known_errors import KnownErrorsError, bad_questions, marked, read_errors, without
from memlab.score.prediction_files import Prediction, read_predictions


def listed(tmp_path: Path, content: Any) -> Path:
    file = tmp_path / "errors"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


@pytest.mark.parametrize(
    "content",
    [
        "conv-42/q17  # why\n\n# a comment\nlocomo_0_qa3\n",
        ["locomo_3_qa17", "conv-26/q3"],
        [{"question_id": "locomo_3_qa17", "error_type": "HALLUCINATION"}, {"question_id": "locomo_0_qa3"},
         {"question_id": "locomo_0_qa4", "error_type": "WRONG_CITATION"}],
    ],
)  # fmt: skip
def test_every_form_names_the_same_questions(content: Any, tmp_path: Path) -> None:
    assert bad_questions(listed(tmp_path, content)) == {"conv-42/q17", "conv-26/q3"}


def test_the_public_audits_list_names_questions_of_the_data(shared_data: Path) -> None:
    errors = read_errors(shared_data / "locomo7_audit_errors.json")
    asked = {
        f"{sample['sample_id']}/q{place}": question["question"]
        for sample in json.loads((shared_data / "locomo7.json").read_text())
        for place, question in enumerate(sample["qa"])
    }
    assert len(errors) == 72
    assert all(asked[error.id] == error.question for error in errors)


@pytest.mark.parametrize("name", ["audit_wrong_on_purpose_v1", "mirix_run2", "zep_grades", "mem0_platform_v3_top50"])
def test_rows_are_found_by_id_by_conversation_and_by_text(name: str, shared_data: Path) -> None:
    rows = read_predictions(shared_data / "predictions" / f"{name}.json").predictions
    assert len(marked(read_errors(shared_data / "locomo7_audit_errors.json"), rows)) == 72


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "names no question"),
        ("q17", "line 1: expected a question id"),
        ([{"id": "conv-26/q1"}], r"\$\[0\]: expected a question id"),
        ('{"a": 1}', "expected a list"),
        ("[1", "not JSON"),
    ],
)
def test_mistakes_are_told_with_their_place(content: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(KnownErrorsError, match=words):
        bad_questions(listed(tmp_path, content))


def test_ids_alone_cannot_be_found_in_rows_without_ids(tmp_path: Path) -> None:
    rows = [Prediction(None, "0", 1, "When?", "May", "May", (), {})]
    with pytest.raises(KnownErrorsError, match="carry no question id"):
        marked(read_errors(listed(tmp_path, ["conv-26/q1"])), rows)


def test_an_id_that_several_questions_carry_names_none(tmp_path: Path) -> None:
    told = [("conv-26/q1", "When?", "May"), ("conv-26/q2", "Who?", "Ana")]
    errors = [dict(zip(("question_id", "question", "golden_answer"), one, strict=True)) for one in told]
    rows = [Prediction("conv-26/q1", "0", 1, question, gold, "", (), {}) for _, question, gold in told]
    rows += [Prediction("conv-26/q1", "0", 1, "Why?", "fun", "", (), {})]
    file = listed(tmp_path, "\ufeff" + json.dumps(errors))  # as some editors begin a file
    assert marked(read_errors(file), rows) == {0, 1}
    with pytest.raises(KnownErrorsError, match="3 rows carry no question id of their own"):
        marked(read_errors(listed(tmp_path, ["conv-26/q1"])), rows)


def test_records_of_wrong_golds_are_left_out() -> None:
    records = [{"id": "conv-26/q1", "value": 1}, {"id": "conv-26/q2", "value": 0}]
    assert without({"conv-26/q1"}, records) == records[1:]
