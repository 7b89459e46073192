"""Runs that are killed, interrupted, doubled or reordered: the same records, and no reply paid for twice."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memlab.records import RunFolder
from tests.llm.lying_server import Answer, Server, failing, quick, serving
from tests.small_llm import PARTS, honest, number_of, only_run, records, run, task_of
from tests.thorough import rest_thorough

ROOT = Path(__file__).parents[1]
# A killed process holds its requests this long, which is 30 s for users.
COMMAND = "import memlab.llm.cached as c; c.LEASE_SECONDS = 1.0; from memlab.__main__ import main; main()"
PERSPECTIVES = ("shared", "per_speaker")

Behaviour = Callable[[dict[str, Any]], Answer]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """An honest server, and a cache of the test's own."""
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "cache"))
    with serving() as server:
        server.behave = honest
        yield server


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[Any]]]:
    """The records of runs that nothing happens to, by perspective."""
    found = {}
    for perspective in PERSPECTIVES:
        folder = tmp_path_factory.mktemp("calm")
        with pytest.MonkeyPatch.context() as patch, serving() as server:
            patch.setenv("MEMLAB_CACHE", str(folder / "cache"))
            server.behave = honest
            found[perspective] = records(run(folder, server.url, f"perspective={perspective}"))
    return found


def started(runs: Path, url: str, *overrides: str, patient: bool = False) -> subprocess.Popen[str]:
    """A run in a process of its own; a patient one holds its requests as long as a user's does."""
    program = ("-m", "memlab") if patient else ("-c", COMMAND)
    command = [sys.executable, *program, *PARTS, f"llm.base_url={url}", f"runs={runs}", *overrides]
    variables = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def struck(process: subprocess.Popen[str], after: int, blow: signal.Signals, server: Server) -> Behaviour:
    """Behave honestly, but strike the process when it has made so many requests."""

    def behave(body: dict[str, Any]) -> Answer:
        if len(server.requests) == after:
            process.send_signal(blow)
        return honest(body, delay=0.005)

    return behave


def stored(cache: Path) -> set[int]:
    """The numbers of the requests whose replies are in the cache."""
    with sqlite3.connect(cache / "chat.sqlite3") as file:
        return {json.loads(reply)["usage"]["prompt_tokens"] for (reply,) in file.execute("SELECT reply FROM replies")}


def asked(server: Server) -> Counter[int]:
    return Counter(map(number_of, server.requests))


@pytest.mark.parametrize(
    ("after", "perspective"),
    rest_thorough([(50, "shared"), (20, "per_speaker"), (1, "shared"), (70, "per_speaker"), (85, "shared")], kept=2),
)
def test_a_run_killed_anywhere_resumes_to_the_same_records_and_pays_nothing_twice(
    server: Server, tmp_path: Path, calm: Any, after: int, perspective: str
) -> None:
    process = started(tmp_path, server.url, f"perspective={perspective}")
    server.behave = struck(process, after, signal.SIGKILL, server)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    paid = stored(tmp_path / "cache")
    assert set(asked(server)) >= paid
    before = len(server.requests)
    server.behave = honest
    resumed = run(tmp_path, server.url, f"perspective={perspective}")
    assert records(resumed) == calm[perspective]
    assert {number_of(body) for body in server.requests[before:]} & paid == set(), "a stored reply was paid for again"
    assert (resumed.read_json("manifest") or {})["status"] == "complete"


def test_a_run_killed_again_and_again_comes_to_the_same_records(server: Server, tmp_path: Path, calm: Any) -> None:
    for after in (10, 40, 75):
        process = started(tmp_path, server.url)
        server.behave = struck(process, after, signal.SIGKILL, server)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
    server.behave = honest
    assert records(run(tmp_path, server.url)) == calm["shared"]


@pytest.mark.parametrize("after", rest_thorough([20, 90]))
def test_an_interrupted_run_keeps_every_reply_that_was_paid_for(
    server: Server, tmp_path: Path, calm: Any, after: int
) -> None:
    process = started(tmp_path, server.url)
    server.behave = struck(process, after, signal.SIGINT, server)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on from here" in words
    assert "Traceback" not in words
    assert (only_run(tmp_path).read_json("manifest") or {})["status"] == "stopped"
    assert stored(tmp_path / "cache") == set(asked(server))
    server.behave = honest
    assert records(run(tmp_path, server.url)) == calm["shared"]
    assert set(asked(server).values()) == {1}, "a reply was paid for twice"


def test_two_processes_on_one_cache_file_pay_for_each_reply_once(server: Server, tmp_path: Path, calm: Any) -> None:
    server.behave = lambda body: honest(body, delay=0.02)
    processes = [started(tmp_path / name, server.url, "perspective=per_speaker", patient=True) for name in "ab"]
    for process in processes:
        _, words = process.communicate(timeout=120)
        assert process.returncode == 0, words
    assert set(asked(server).values()) == {1}
    for name in "ab":
        assert records(only_run(tmp_path / name)) == calm["per_speaker"]


def test_a_second_process_on_the_same_run_is_told_to_wait(server: Server, tmp_path: Path) -> None:
    held: list[subprocess.Popen[str]] = []

    def behave(body: dict[str, Any]) -> Answer:
        if not held:
            held.append(started(tmp_path, server.url))
            _, words = held[0].communicate(timeout=60)
            assert held[0].returncode == 2
            assert "another process is writing" in words
            assert "Traceback" not in words
        return honest(body)

    server.behave = behave
    run(tmp_path, server.url)
    assert held


@pytest.mark.parametrize("settings", [("concurrency=1", "look_ahead=1"), ("concurrency=16", "look_ahead=64")])
@pytest.mark.parametrize("perspective", PERSPECTIVES)
def test_order_of_work_changes_no_record(
    server: Server, tmp_path: Path, calm: Any, perspective: str, settings: tuple[str, ...]
) -> None:
    assert records(run(tmp_path, server.url, f"perspective={perspective}", *settings)) == calm[perspective]


def test_replies_in_any_order_change_no_record(server: Server, tmp_path: Path, calm: Any) -> None:
    server.behave = lambda body: honest(body, delay=number_of(body) % 50 / 1000)
    assert records(run(tmp_path, server.url, "perspective=per_speaker")) == calm["per_speaker"]


def test_the_same_bytes_are_sent_by_every_run(server: Server, tmp_path: Path) -> None:
    sent = []
    for name in "ab":
        server.requests.clear()
        run(tmp_path / name, server.url, "cache='off'", "perspective=per_speaker")
        sent.append(sorted(json.dumps(body) for body in server.requests))
    assert sent[0] == sent[1]


def test_a_second_run_makes_no_call(server: Server, tmp_path: Path, calm: Any) -> None:
    run(tmp_path / "a", server.url)
    server.requests.clear()
    again = run(tmp_path / "b", server.url, "cache=only")
    assert server.requests == []
    assert records(again) == calm["shared"]
    answers = again.read("answers")
    assert {record["replayed"] for record in answers} == {True}


def summary(folder: RunFolder) -> dict[str, Any]:
    return folder.read_json("summary") or {}


def test_a_failed_answer_is_asked_again_and_nothing_else(server: Server, tmp_path: Path, calm: Any) -> None:
    def refused(body: dict[str, Any]) -> bool:
        return task_of(body) == "answer" and body["messages"][1]["content"].startswith("What of 2?")

    server.behave = lambda body: failing(400, "filtered", "content_filter") if refused(body) else honest(body)
    first = run(tmp_path, server.url)
    assert summary(first)["questions"] == {**summary(first)["questions"], "asked": 10, "answered": 8, "failed": 2}
    for metric in ("f1", "judge_generous", "judge_strict"):
        assert summary(first)["metrics"][metric]["overall"]["unscored"] == {"the answer failed": 2}
    assert summary(first)["phases"]["answer"]["failed"] == 2
    assert summary(first)["failures"]["answers"] == 2
    server.requests.clear()
    server.behave = honest
    second = run(tmp_path, server.url)
    assert records(second) == calm["shared"]
    # two answers, and their verdicts by two rubrics twice, less those that are the same question, gold and answer
    assert Counter(map(task_of, server.requests))["answer"] == 2
    assert set(map(task_of, server.requests)) == {"answer", "judge"}
    assert len(server.requests) <= 10


def test_a_judge_that_is_out_leaves_answers_unscored_and_is_asked_again(
    server: Server, tmp_path: Path, calm: Any
) -> None:
    server.behave = lambda body: quick(503) if task_of(body) == "judge" else honest(body)
    first = run(tmp_path, server.url)
    assert (first.read_json("manifest") or {})["status"] == "incomplete"
    cell = summary(first)["metrics"]["judge_generous"]["overall"]
    assert (cell["n"], cell["value"], cell["unscored"]) == (0, None, {"the judge failed": 8})
    assert summary(first)["metrics"]["f1"]["overall"]["n"] == 8
    assert summary(first)["judges"]["generous"]["j"] == {}
    server.requests.clear()
    server.behave = honest
    assert records(run(tmp_path, server.url)) == calm["shared"]
    assert set(map(task_of, server.requests)) == {"judge"}


def test_a_verdict_that_could_not_be_read_is_not_asked_for_again(server: Server, tmp_path: Path) -> None:
    mumbled = {"choices": [{"message": {"role": "assistant", "content": "Hm."}, "finish_reason": "stop"}]}
    server.behave = lambda body: Answer(mumbled) if task_of(body) == "judge" else honest(body)
    first = run(tmp_path, server.url)
    assert (first.read_json("manifest") or {})["status"] == "complete"
    cell = summary(first)["metrics"]["judge_strict"]["overall"]
    assert (cell["n"], cell["unscored"]) == (0, {"the judge's reply could not be read": 8})
    assert summary(first)["phases"]["judge"]["flaws"]["unreadable"] == summary(first)["phases"]["judge"]["units"]
    server.requests.clear()
    run(tmp_path, server.url)
    assert server.requests == []


def test_category_5_is_answered_but_has_no_verdict(server: Server, tmp_path: Path) -> None:
    folder = run(tmp_path, server.url)
    assert Counter(record["category"] for record in folder.read("answers"))[5] == 2
    assert not any(record["category"] == 5 for record in folder.read("verdicts"))
    of_five = [score for score in folder.read("scores") if score["category"] == 5 and "judge" in score["metric"]]
    assert {score["reason"] for score in of_five} == {"no gold answer"}


def test_every_attempt_has_its_verdicts(server: Server, tmp_path: Path) -> None:
    folder = run(tmp_path, server.url, "repeats=3")
    assert folder.count("answers") == 3 * 10
    own = [record for record in folder.read("verdicts") if record["probe"] is None]
    assert len(own) == 3 * 8 * 2 * 2
    assert summary(folder)["judges"]["strict"]["j"]["overall"]["repeats"] == 6
    assert summary(folder)["metrics"]["judge_strict"]["overall"]["n"] == 8


def test_a_run_whose_judge_has_no_rubric_has_no_verdicts(server: Server, tmp_path: Path) -> None:
    folder = run(tmp_path, server.url, "judge.rubrics=[]")
    assert folder.count("verdicts") == 0
    assert not any(score["metric"].startswith("judge") for score in folder.read("scores"))
    assert "judge" not in summary(folder)["phases"]


def test_a_window_that_stops_a_run_is_told_in_words(server: Server, tmp_path: Path) -> None:
    server.behave = lambda body: (
        failing(400, "filtered", "content_filter") if task_of(body) == "update" else honest(body)
    )
    process = started(tmp_path, server.url)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "filtered" in words
    assert "the same command goes on from here" in words
    assert "Traceback" not in words


def test_counts_of_the_summary_are_what_the_server_did(server: Server, tmp_path: Path) -> None:
    folder = run(tmp_path, server.url, "perspective=per_speaker")
    seen = Counter(map(task_of, server.requests))
    phases = summary(folder)["phases"]
    names = {"summary": "summarise", "extract": "extract", "update": "update", "answer": "answer", "judge": "judge"}
    assert {phase: phases[phase]["calls"] - phases[phase]["replayed"] for phase in names} == {
        phase: seen[task] for phase, task in names.items()
    }
    assert phases["total"]["requests"] >= phases["total"]["calls"]
