"""`python -m memlab audit` and `score --errors`, as they are called."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memlab.audit.findings import AuditError
from memlab.commands import audit, score
from memlab.score.prediction_files import PredictionFileError


def test_paper_prints_the_two_proofs(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main(["paper", "--strict"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "single-hop = 1, multi-hop = 3, open-domain = 4, temporal = 2 reproduces 6 of 6 rows" in printed
    assert "The other 23 reproduce none" in printed
    assert "off by up to 1.06 points" in printed
    assert "24 of 24" in printed
    assert "58.1053 +0.0053 58.1039" in printed
    assert "0 findings" in printed


@pytest.mark.parametrize("form", ["markdown", "csv", "latex", "json"])
def test_every_form_is_whole(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    audit.main(["paper", "--format", form])
    printed = capsys.readouterr().out
    if form == "json":
        assert json.loads(printed)["map"] == {"single-hop": 1, "multi-hop": 3, "open-domain": 4, "temporal": 2}
    elif form == "csv":
        assert len(list(csv.reader(io.StringIO(printed)))) > 24 + 6 + 24
    else:
        assert "66.8792" in printed


def test_strict_fails_on_findings_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.csv"
    file.write_text("method,a,b,c,d,overall\nx,10,20,30,40,99.9\n")
    assert audit.main([str(file)]) == 0
    assert audit.main([str(file), "--strict"]) == 1
    assert "no map reproduces" in capsys.readouterr().out


def test_scores_are_printed_raw_and_corrected(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, errors = shared_data / "predictions" / "zep_grades.json", shared_data / "locomo7_audit_errors.json"
    score.main([str(file), "--errors", str(errors), "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["overall"]["n"], found["without_wrong_golds"]["overall"]["n"]) == (1109, 1037)
    score.main([str(file), "--errors", str(errors)])
    assert "0.9351" in capsys.readouterr().out


@pytest.mark.parametrize("command", [audit.main, score.main])
def test_a_cutoff_of_files_that_have_none_is_refused(
    command: Callable[[list[str]], int | None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "answers.json"
    file.write_text('{"0": [{"question": "Who?", "answer": "Ana", "response": "Ana", "category": 4}]}')
    with pytest.raises(SystemExit):
        command([str(file), "--cutoff", "top_50"])
    assert "--cutoff top_50: no file here answers at several" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("deep.json", "[" * 100_000, "not JSON: maximum recursion"),
        ("rows.json", '{"rows":' + "[" * 100_000, "not JSON: maximum recursion"),
        ("lists.json", "[" * 480 + "]" * 480, "expected an object"),
        ("table.txt", "method,a\nx,1\n", "known by their ending, .csv, .toml or .json"),
    ],
)
def test_files_that_cannot_be_read_are_told(name: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises((AuditError, PredictionFileError), match=words):
        audit.main([str(tmp_path / name)])


def test_absent_files_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        audit.main(["gone.json"])
    assert "no file at gone.json" in capsys.readouterr().err
