"""The audit of predictions files: what is missing, broken, merged, above the ceiling."""

import json
from pathlib import Path
from typing import Any

import pytest

from memlab.audit.predictions import PredictionsAudit, audit_predictions
from memlab.paper.locomo import SAMPLE_IDS

DEFECTS = {
    "audit_fullcontext_gpt-4.1-mini-cot": ["ceiling: category 1", "ceiling: category 4"],
    "audit_wrong_on_purpose_v2": ["outlier: conversation 1 (conv-30)"],
    "evermemos_judged": ["ceiling: category 4"],
    "mem0_oss_thirdparty_retrieval_conv0": [
        "missing: conversation 1 (conv-30), 2 (conv-41), 3 (conv-42), 4 (conv-43), 7 (conv-48), 8 (conv-49)"
    ],
    "mem0_platform_v3_top200": ["failed: rows", "ceiling: category 1", "ceiling: category 2"],
    "mem0_platform_v3_top50": ["failed: rows"],
    "memobase_partial_eval_0709": ["missing: conversation 0 (conv-26)"],
    "mirix_baseline_zep_broken": ["outlier: conversation 8 (conv-49)"],
    "mirix_run1": ["category 5: rows"],
    "mirix_run3": ["category 5: rows"],
    "mirix_run3_old": ["category 5: rows"],
}
"""What the published files deserve; the others nothing."""


def found(audit: PredictionsAudit) -> list[str]:
    return [f"{one.kind}: {one.where}" for one in audit.findings if one.weight == "finding"]


@pytest.mark.parametrize("name", ["mirix_baseline_zep_broken", "memobase_partial_eval_0709", "zep_responses"])
def test_published_files_are_flagged_for_what_is_wrong_with_them(name: str, shared_data: Path) -> None:
    assert found(audit_predictions(shared_data / "predictions" / f"{name}.json")) == DEFECTS.get(name, [])


@pytest.mark.thorough
def test_no_published_file_is_flagged_for_anything_else(shared_data: Path) -> None:
    files = sorted((shared_data / "predictions").glob("*.json"))
    assert len(files) == 25
    assert {file.stem: flagged for file in files if (flagged := found(audit_predictions(file)))} == DEFECTS


def test_scores_are_given_raw_and_without_wrong_golds(shared_data: Path) -> None:
    file = shared_data / "predictions" / "zep_grades.json"
    audit = audit_predictions(file, errors=shared_data / "locomo7_audit_errors.json")
    assert audit.wrong == 72
    assert audit.corrected is not None
    assert (audit.scores.overall.n, audit.corrected.overall.n) == (1109, 1037)
    rows = json.loads(file.read_text())
    wrong = {
        (int(error["question_id"].split("_")[1]), error["question"])
        for error in json.loads((shared_data / "locomo7_audit_errors.json").read_text())
        if error["error_type"] != "WRONG_CITATION"
    }
    kept = [row["grade"] for key, own in rows.items() for row in own if (int(key[-1]), row["question"]) not in wrong]
    assert audit.corrected.overall.j == pytest.approx(sum(kept) / 1037)


def row(question: str, **fields: Any) -> dict[str, Any]:
    return {"question": question, "answer": "May", "response": "May", "category": 2, "llm_score": 1, **fields}


def audited(tmp_path: Path, document: Any) -> list[str]:
    file = tmp_path / "predictions.json"
    file.write_text(json.dumps(document))
    return found(audit_predictions(file))


OTHERS = ", ".join(f"{place} ({home})" for place, home in enumerate(SAMPLE_IDS) if place != 5)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"0": [row("When?"), row("When?", response="June", llm_score=0)]}, "repeated: conversation 0 (conv-26)"),
        ({"0": [row("When?"), row("Where?", attempt=2)]}, "merged: rows"),
        ({"0": [row("When?", f1_score=0.0)]}, "merged: F1"),
        (
            {"metadata": {"merged_from_questions": [3]}, "detailed_results": [row("When?")]},
            "merged: metadata.merged_from_questions",
        ),
        (
            {"0": [row("When?", llm_judgments={"a": 1}), row("Who?", llm_judgments={"a": 1, "b": 1})]},
            "merged: verdicts",
        ),
        ({"0": [row("When?", category=5)]}, "category 5: rows"),
        ({"0": [row("When?", response=None)]}, "failed: rows"),
        ({"0": [row("When?"), row("Who?", llm_score=None)]}, "unjudged: rows"),
        ({"5": [row("When?")]}, f"missing: conversation {OTHERS}"),
        ({"0": [row("When?")]}, "missing: conversation 0 (conv-26)"),
    ],
)  # fmt: skip
def test_each_defect_is_found(document: Any, expected: str, tmp_path: Path) -> None:
    assert expected in audited(tmp_path, document)


def test_another_dataset_lacks_nothing(tmp_path: Path) -> None:
    file = tmp_path / "predictions.json"
    file.write_text(json.dumps({f"mini-{n}": [row("When?"), row("When?", response="June")] for n in range(1, 9)}))
    audit = audit_predictions(file)
    assert found(audit) == []
    assert audit.meant.name == "another dataset than LoCoMo"
    assert {one.conversation for one in audit.standings["F1"]} == {f"mini-{n}" for n in range(1, 9)}
    assert any("mini-5 and 3 more" in one.words for one in audit.findings)


def test_ids_that_several_questions_carry_are_found(tmp_path: Path) -> None:
    rows = [row("When?", question_id="locomo_0_qa1"), row("Who?", question_id="locomo_0_qa1")]
    assert "ids: rows" in audited(tmp_path, {"0": rows})


def test_a_question_that_locomo_asks_twice_is_no_defect(tmp_path: Path) -> None:
    assert not [one for one in audited(tmp_path, {"7": [row("When?"), row("When?")]}) if "repeated" in one]
