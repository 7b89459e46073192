"""`python -m memlab compare` as a user meets it."""

import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from memlab.__main__ import main
from tests.compare.sources import file_of, run_of

SHORT, THOUGHT = "audit_fullcontext_gpt-4o-mini-memos.json", "audit_fullcontext_gpt-4o-mini-cot.json"


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """The command; returns what it printed, after asserting its exit code."""

    def call(*arguments: object, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["memlab", "compare", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert ended.value.code == code, printed.err
        return printed.err if code else printed.out

    return call


def verdicts(file: Path) -> dict[tuple[str, int], tuple[str, float]]:
    """Conversation and share of verdicts by question, read without memlab."""
    rows = json.loads(file.read_text())["detailed_results"]
    found = {}
    for conversation, own in rows.items():
        for number, one in enumerate(own):
            assert one["category"] in (1, 2, 3, 4, "1", "2", "3", "4")
            given = [float(verdict) for verdict in one["llm_judgments"].values()]
            found[one["question_id"], number] = conversation, sum(given) / len(given)
    return found


def test_two_published_files_differ_as_an_independent_computation_says(compare: Any, shared_data: Path) -> None:
    files = [shared_data / "predictions" / name for name in (SHORT, THOUGHT)]
    found = json.loads(compare(*files, "--format", "json", "--metric", "J"))
    cell = found["families"][0]["pairs"][0]["cells"][0]

    first, other = map(verdicts, files)
    assert first.keys() == other.keys()
    apart = [(conversation, other[key][1] - value) for key, (conversation, value) in first.items()]
    names = sorted({conversation for conversation, _ in apart})
    totals = [sum(value for name, value in apart if name == own) for own in names]
    sizes = [sum(name == own for name, _ in apart) for own in names]

    def p_at(difference: float) -> float:
        moved = [total - difference * size for total, size in zip(totals, sizes, strict=True)]
        signed = [
            abs(sum(a * b for a, b in zip(signs, moved, strict=True))) for signs in product((1, -1), repeat=len(names))
        ]
        return sum(value >= abs(sum(moved)) - 1e-9 for value in signed) / len(signed)

    assert (cell["n"], cell["conversations"], len(names)) == (1109, 7, 7)
    assert cell["value"] == pytest.approx(sum(totals) / 1109, abs=1e-12)
    assert cell["p"] == pytest.approx(p_at(0))
    low, high = cell["interval"]
    # The interval's ends are where the test begins to reject; breaking ties moves them by less than 0.0001.
    assert p_at(low + 1e-4) > 0.05 >= p_at(low - 1e-4)
    assert p_at(high - 1e-4) > 0.05 >= p_at(high + 1e-4)
    assert sum(value > 1e-9 for _, value in apart) == cell["wins"]


def test_published_files_say_plainly_what_seven_conversations_can_tell(compare: Any, shared_data: Path) -> None:
    printed = " ".join(compare(*(shared_data / "predictions" / name for name in (SHORT, THOUGHT))).split())
    assert (
        "the smallest p that this test can give is 0.016, 0.078 after Holm: no cell of this table can pass" in printed
    )
    assert "these data cannot tell" in printed
    assert "J may come from different judges" in printed
    assert "Furthest apart by J" in printed


def test_files_cut_to_other_conversations_are_compared_on_what_both_have(compare: Any, tmp_path: Path) -> None:
    rows = {str(place): [("When?", "May", "May", 1), ("Why?", "fun", "fun", 0)] for place in range(8)}
    whole = file_of(tmp_path / "whole.json", rows)
    part = file_of(tmp_path / "part.json", {place: own for place, own in rows.items() if place not in "01"})
    printed = compare(whole, part, "--format", "markdown")
    assert "WARNING: partial overlap: 4 of 16 questions of whole are not in part: conv-26 (2), conv-30 (2)." in printed
    assert "Compared on the 12 that both have." in printed


def test_a_run_is_compared_with_a_file_and_names_its_judge(compare: Any, tmp_path: Path) -> None:
    ids = [f"conv-{number}/q{place}" for number in (26, 30, 41, 42, 43, 44, 47, 48) for place in range(2)]
    values = {id_: {"f1": 0.5, "judge_generous": 1.0} for id_ in ids}
    values["conv-26/q1"] = {"f1": None, "judge_generous": None}  # type: ignore[dict-item]
    run = run_of(tmp_path / "study" / "run", values, judges=["generous"])
    asked = {str(place): [(f"What of {id_}?", "it", "it", 0) for id_ in ids[2 * place :][:2]] for place in range(8)}
    found = json.loads(compare(run, file_of(tmp_path / "file.json", asked), "--format", "json"))
    families = {family["metric"]: family["pairs"][0]["cells"][0] for family in found["families"]}
    assert (families["f1"]["n"], families["f1"]["value"], families["J"]["value"]) == (15, 0.5, -1.0)
    assert "Warning: 1 answers of mem0 failed and are in no value." in found["notes"]
    assert any("file does not name its; the runs': llm (a-model)" in note for note in found["notes"])
    assert found["questions"][0]["questions"][0]["first_answer"] == "mem0 on conv-26/q0"


def test_verdicts_without_a_language_model_are_not_set_beside_a_files(compare: Any, tmp_path: Path) -> None:
    ids = [f"conv-{number}/q0" for number in (26, 30, 41, 42, 43, 44, 47, 48)]
    run = run_of(
        tmp_path / "run", {id_: {"f1": 0.5, "judge_overlap": 1.0} for id_ in ids}, judges=["overlap"], card=True
    )
    asked = {str(place): [(f"What of {id_}?", "it", "it", 0)] for place, id_ in enumerate(ids)}
    found = json.loads(compare(run, file_of(tmp_path / "file.json", asked), "--format", "json"))
    assert [family["metric"] for family in found["families"]] == ["f1"]
    assert any(
        "J of file is compared with no verdicts of mem0: those are of overlap" in note for note in found["notes"]
    )


def test_answers_that_are_alike_are_not_said_to_hide_a_difference(compare: Any, tmp_path: Path) -> None:
    rows = {str(place): [("When?", "May", "May", 1)] for place in range(8)}
    one, other = (file_of(tmp_path / f"{name}.json", rows) for name in ("one", "other"))
    printed = compare(one, other, "--format", "markdown")
    assert "no question differs" in printed
    assert "a true difference of" not in printed


def test_a_study_is_compared_run_by_run_and_other_data_are_told(compare: Any, tmp_path: Path) -> None:
    values = {f"conv-{number}/q0": {"f1": 0.5} for number in range(8)}
    study = tmp_path / "study"
    for name, data in (("a", "d1"), ("b", "d2"), ("c", "d1")):
        run_of(study / name, values, system=name, data=data)
    printed = compare(study, "--all-pairs", "--category", "overall", "--format", "csv", "--questions", "0")
    assert [line[:6] for line in printed.splitlines() if line[:5] in ("2 - 1", "3 - 1", "3 - 2")] == [
        "2 - 1,",
        "3 - 1,",
        "3 - 2,",
    ]
    assert "runs are on different data" in compare(study, "--format", "markdown")


def test_mistakes_are_told_with_their_remedy(compare: Any, tmp_path: Path) -> None:
    one = file_of(tmp_path / "one.json", {"0": [("When?", "May", "May", 1)]})
    other = file_of(tmp_path / "other.json", {"1": [("When?", "May", "May", 1)]})
    assert "nothing to compare one with; give two" in compare(one, one, code=2)
    assert "no common questions" in compare(one, other, code=2)
    assert "did you mean 'f1'" in compare(one, file_of(tmp_path / "two.json", {"0": [("When?", "May", "x", 1)]}),
                                          "--metric", "f11", code=2)  # fmt: skip
    assert "no run at" in compare(one, tmp_path / "gone.json", code=2)
    unfinished = run_of(tmp_path / "runs" / "half", {"conv-26/q1": {"f1": 0.5}})
    (unfinished / "summary.json").unlink()
    assert "holds no finished run" in compare(one, unfinished, code=2)


def test_questions_with_wrong_golds_are_left_out(compare: Any, shared_data: Path) -> None:
    pytest.importorskip("memlab.audit.known_errors")
    files = [shared_data / "predictions" / name for name in (SHORT, "zep_grades.json")]
    errors = ("--errors", shared_data / "locomo7_audit_errors.json")
    found = json.loads(compare(*files, *errors, "--metric", "J", "--questions", "0", "--format", "json"))
    left = [source["questions"] for source in found["sources"]]
    assert left == [left[0], left[0]], "the file without ids lost others"
    assert 1109 - 72 <= left[0] < 1109
    assert f"{1109 - left[0]} questions of zep_grades with wrong golds are left out." in found["notes"]
