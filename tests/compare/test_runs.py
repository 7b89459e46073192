"""Runs as answers."""

import json
from pathlib import Path
from typing import Any

import pytest

from memlab.compare.answers import Answers
from memlab.compare.runs import read_run
from memlab.report.folders import finished
from tests.compare.sources import lines, run_of


def read(folder: Path) -> Answers:
    return read_run(folder, *finished(folder), name="run")


def test_questions_come_in_the_order_of_their_ids_with_the_mean_of_their_attempts(tmp_path: Path) -> None:
    folder = run_of(tmp_path / "run", {"conv-26/q10": {"f1": 0.5}, "conv-26/q2": {"f1": None}})
    again: dict[str, Any] = {"id": "conv-26/q10", "attempt": 2, "conversation": "conv-26", "category": 4}
    with (folder / "scores.jsonl").open("a") as file:
        file.write(lines([{**again, "metric": "f1", "value": 1.0}]))
    found = read(folder)
    assert [(row.id, row.answer, dict(row.values)) for row in found.rows] == [
        ("conv-26/q2", None, {}),
        ("conv-26/q10", "mem0 on conv-26/q10", {"f1": 0.75}),
    ]
    assert (found.failed, found.is_run, found.judge) == (1, True, None)


@pytest.mark.parametrize(
    ("rubrics", "j"), [(["generous", "strict"], 1.0), (["strict"], 0.0), (["strict", "own"], None), ([], None)]
)
def test_j_is_the_verdict_by_the_papers_rubric_or_by_the_only_one(
    tmp_path: Path, rubrics: list[str], j: float | None
) -> None:
    values = {f"judge_{rubric}": float(rubric == "generous") for rubric in rubrics}
    found = read(run_of(tmp_path / "run", {"conv-26/q1": {"f1": 0.5, **values}}, judges=rubrics))
    assert found.rows[0].values.get("J") == j
    assert found.judge == ("llm (a-model)" if rubrics else None)


def test_an_incomplete_run_says_what_it_lacks(tmp_path: Path) -> None:
    folder = run_of(tmp_path / "run", {"conv-26/q1": {"f1": 0.5}})
    summary = json.loads((folder / "summary.json").read_text())
    summary["ingest"] = {"windows": 8, "expected_windows": 10, "failed_windows": 1}
    summary["questions"] = {"not_asked": 4}
    (folder / "summary.json").write_text(json.dumps(summary))
    assert read(folder).notes == (
        "Warning: 3 of 10 windows of run were not ingested.",
        "Warning: 4 questions of run were not asked.",
    )
