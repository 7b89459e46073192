"""Runs: the same records however they were made, cut, resumed or ordered; failures kept apart."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console

from memlab.answer.answerer import Answer, Answerer
from memlab.conf_files import conf_folder
from memlab.dialogue import Question
from memlab.explain import explained
from memlab.extract.extractor import Extractor, Window
from memlab.memory import Candidate, Hit
from memlab.part import PartFailed
from memlab.records import LINES, RunFolder
from memlab.study import INCOMPLETE, leave_incomplete, run_job
from memlab.update.append import Append
from tests.thorough import rest_thorough

SMALL = ("embedder=hash", "dataset.conversations=[mini-1,mini-2]", "dataset.limit_questions=12")


def run(runs: Path, *overrides: str) -> RunFolder:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        config = compose("config", [*SMALL, f"runs={runs}", *overrides])
    return RunFolder(run_job(config, {"system": "x"}, Console(quiet=True)))


def untimed(record: Any) -> Any:
    """A record without its timings, which are all that may differ."""
    if isinstance(record, dict):
        return {key: untimed(value) for key, value in record.items() if not key.endswith("seconds")}
    return record


def records(folder: RunFolder) -> dict[str, list[Any]]:
    return {name: [untimed(record) for record in folder.read(name)] for name in LINES}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return run(tmp_path_factory.mktemp("runs"))


def test_a_run_records_every_window_question_and_metric(finished: RunFolder) -> None:
    counts = (finished.read_json("manifest") or {})["counts"]
    assert counts["answers"] == 12
    assert counts["scores"] == 12 * len({score["metric"] for score in finished.read("scores")})
    assert counts["ingest"] > 50
    assert counts["memories"] > 50


def test_the_same_command_twice_gives_the_same_summary_apart_from_timings(finished: RunFolder, tmp_path: Path) -> None:
    again = run(tmp_path)
    assert again.path.name == finished.path.name
    assert untimed(again.read_json("summary")) == untimed(finished.read_json("summary"))
    assert records(again) == records(finished)


def test_a_complete_run_is_not_run_again(finished: RunFolder) -> None:
    before = {file.name: file.read_bytes() for file in finished.path.glob("*.json*")}
    run(finished.path.parent.parent)
    assert {file.name: file.read_bytes() for file in finished.path.glob("*.json*")} == before


@pytest.mark.parametrize("setting", ["concurrency=1", "look_ahead=1"])
def test_order_of_work_changes_no_record_and_no_key(finished: RunFolder, tmp_path: Path, setting: str) -> None:
    other = run(tmp_path, setting)
    assert other.path.name == finished.path.name
    assert records(other) == records(finished)


@pytest.mark.parametrize("setting", ["m=0", "s=1", "seed=1", "updater.gate=0.1", "dataset.limit_questions=11"])
def test_another_setting_goes_to_another_folder(finished: RunFolder, tmp_path: Path, setting: str) -> None:
    assert run(tmp_path, setting).path.name != finished.path.name


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_a_run_cut_at_any_byte_resumes_to_the_same_records(
    cuts: tuple[float, ...], finished: RunFolder, tmp_path_factory: pytest.TempPathFactory
) -> None:
    runs = tmp_path_factory.mktemp("cut")
    cut = RunFolder(runs / "adhoc" / finished.path.name)
    manifest = finished.read_json("manifest") or {}
    with cut.opened() as writer:
        writer.write_json("manifest", {**manifest, "status": "running"})
    for name, share in zip(("ingest", "answers"), cuts, strict=True):
        whole = finished.file(name).read_bytes()
        cut.file(name).write_bytes(whole[: int(share * len(whole))])
    kept = {name: cut.file(name).read_bytes().rpartition(b"\n")[0].splitlines() for name in ("ingest", "answers")}
    resumed = run(runs)
    assert resumed.path == cut.path
    assert records(resumed) == records(finished)
    for name, lines in kept.items():
        assert set(lines) <= set(resumed.file(name).read_bytes().splitlines()), f"recorded {name} were done again"


@pytest.mark.parametrize("seconds", rest_thorough([0.5, 0.2, 1.0]))
def test_a_killed_run_resumes_to_the_same_records(finished: RunFolder, tmp_path: Path, seconds: float) -> None:
    command = [sys.executable, "-m", "memlab", *SMALL, f"runs={tmp_path}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    folder = tmp_path / "adhoc" / finished.path.name
    while process.poll() is None and not (folder / "ingest.jsonl").exists():
        time.sleep(0.01)
    time.sleep(seconds)
    if process.poll() is None:
        os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert records(run(tmp_path)) == records(finished)


class FailsAtFirst(Answerer):
    """Cannot answer the questions in `refused`, until it is emptied."""

    refused: list[str]

    def __init__(self) -> None: ...

    async def answer(self, question: Question, hits: Sequence[Hit]) -> Answer:
        if question.id in self.refused:
            raise PartFailed("the model refused")
        return Answer("fine")


def test_a_failed_answer_is_counted_apart_and_asked_again(finished: RunFolder, tmp_path: Path) -> None:
    answerer = ("answerer=echo", f"answerer._target_={__name__}.FailsAtFirst")
    FailsAtFirst.refused = [next(r["id"] for r in finished.read("answers") if r["category"] == 4)]
    first = run(tmp_path, *answerer)
    summary = first.read_json("summary") or {}
    assert summary["questions"]["failed"] == 1
    assert summary["metrics"]["f1"]["overall"]["unscored"] == {"the answer failed": 1}
    assert (first.read_json("manifest") or {})["status"] == "incomplete"
    FailsAtFirst.refused = []
    second = run(tmp_path, *answerer)
    assert second.path == first.path
    assert (second.read_json("summary") or {})["questions"]["failed"] == 0
    assert (second.read_json("manifest") or {})["status"] == "complete"
    assert (second.read_json("summary") or {})["metrics"]["f1"]["overall"]["unscored"] == {}


class ReadsTheGold(Answerer):
    """Answers with all that it is not supposed to see."""

    def __init__(self) -> None: ...

    async def answer(self, question: Question, hits: Sequence[Hit]) -> Answer:
        return Answer(f"{question.gold} {question.evidence} {question.category}")


def test_no_part_sees_gold_evidence_or_category(tmp_path: Path) -> None:
    answers = run(tmp_path, "answerer=echo", f"answerer._target_={__name__}.ReadsTheGold").read("answers")
    assert {record["answer"] for record in answers} == {"None () 0"}
    assert any(record["gold"] for record in answers)


def test_a_large_budget_is_filled(tmp_path: Path) -> None:
    folder = run(
        tmp_path, "system=verbatim_dense", "max_tokens=100000", "dataset.size=1", "dataset.conversations=[mini-1]"
    )
    assert {record["shown"] for record in folder.read("answers")} == {len(folder.read("memories"))}


class NoWindow(Extractor):
    """Cannot extract."""

    def __init__(self) -> None: ...

    async def extract(self, window: Window) -> list[Candidate]:
        raise PartFailed("the server is out of reach")


def test_a_window_that_fails_stops_the_run_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(BaseExceptionGroup) as caught:
        run(tmp_path, "extractor=verbatim", f"extractor._target_={__name__}.NoWindow")
    words = explained(caught.value, [])
    assert words is not None
    assert "the server is out of reach" in words
    assert "the same command goes on" in words


def test_no_record_contains_the_wall_clock(finished: RunFolder) -> None:
    today = time.strftime("%Y-%m-%d")
    for file in finished.path.glob("*.json*"):
        assert today not in file.read_text(), f"{file.name} holds today's date"


@pytest.mark.parametrize("lost", ["summary.json", "answers.jsonl", "ingest.jsonl", "scores.jsonl", "memories.jsonl"])
def test_a_finished_run_that_lost_a_file_gets_it_back(finished: RunFolder, tmp_path: Path, lost: str) -> None:
    shutil.copytree(finished.path, tmp_path / "adhoc" / finished.path.name)
    (tmp_path / "adhoc" / finished.path.name / lost).unlink()
    mended = run(tmp_path)
    assert records(mended) == records(finished)
    assert untimed(mended.read_json("summary")) == untimed(finished.read_json("summary"))


def test_a_run_that_lost_a_window_is_refused(finished: RunFolder, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "adhoc" / finished.path.name)
    shutil.copytree(finished.path, folder.path)
    lines = folder.file("ingest").read_bytes().splitlines(keepends=True)
    folder.file("ingest").write_bytes(b"".join(lines[:20] + lines[21:]))
    with pytest.raises(BaseExceptionGroup) as caught:
        run(tmp_path)
    assert "lacks window 20" in str(explained(caught.value, []))


class Keyed(Append):
    """Adds everything, with a key that it does not need."""

    def __init__(self, *, key: str) -> None:
        assert key == "sk-marker"


def test_what_came_from_the_environment_is_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "sk-marker")
    folder = run(tmp_path, "updater=append", f"updater._target_={__name__}.Keyed", "+updater.key=${oc.env:MY_SECRET}")
    assert (folder.read_json("manifest") or {})["config"]["updater"]["key"] == "${oc.env:MY_SECRET}"
    assert not any(b"sk-marker" in file.read_bytes() for file in folder.path.iterdir())


def test_runs_of_which_something_failed_end_with_a_code_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, hurt = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "hurt")
    for folder, status in ((whole, "complete"), (hurt, "incomplete")):
        with folder.opened() as writer:
            writer.write_json("manifest", {"status": status})
    leave_incomplete([whole.path])
    with pytest.raises(SystemExit) as left:
        leave_incomplete([whole.path, hurt.path])
    assert left.value.code == INCOMPLETE
    assert capsys.readouterr().err == f"incomplete: {hurt.path}; the same command tries again what failed\n"
