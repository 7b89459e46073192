"""The API key is in the environment and in the requests' headers, and nowhere else."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memlab.study import INCOMPLETE, without_secrets
from tests.llm.lying_server import Answer, Server, failing, serving
from tests.small_llm import PARTS, honest, only_run, run, task_of
from tests.test_resume import COMMAND, ROOT

KEY = "sk-proj-Zq8vX2mN4bT6yR1wE3uI5oP7aS9dF0gH2jK4"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def betraying(body: dict[str, Any]) -> Answer:
    """Repeat the key in the words of refusals, as some servers do."""
    asked = body["messages"][1]["content"]
    if task_of(body) == "answer" and asked.startswith("What of 1?"):
        return failing(400, f"key {KEY} may not ask that", "content_filter")
    if task_of(body) == "update" and asked.startswith("talk0: matter 16 "):
        return failing(400, f"key {KEY} may not decide that", "content_filter")
    return honest(body)


def files_with(text: str, *folders: Path) -> list[str]:
    found = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert len(found) > 2
    return [str(path) for path in found if text.encode() in path.read_bytes()]


def test_the_key_is_in_nothing_that_a_run_leaves_behind(server: Server, tmp_path: Path) -> None:
    server.behave = betraying
    environment = {
        **os.environ,
        "OPENAI_API_KEY": KEY,
        "MEMLAB_CACHE": str(tmp_path / "cache"),
        "HOME": str(tmp_path / "home"),
        "WANDB_DIR": str(tmp_path / "wandb"),
        "WANDB_CACHE_DIR": str(tmp_path / "wandb"),
        "OMP_NUM_THREADS": "1",
    }
    (tmp_path / "wandb").mkdir()
    settings = (
        "llm.api_key_env=OPENAI_API_KEY",
        f"llm.base_url={server.url}",
        f"runs={tmp_path / 'runs'}",
        "on_failed_window=evaluate",
        "tracker=wandb",
        "tracker.mode=offline",
    )
    command = [sys.executable, "-c", COMMAND, *PARTS, *settings]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == INCOMPLETE, done.stderr
    assert {header["authorization"] for header in server.headers} == {f"Bearer {KEY}"}
    folder = only_run(tmp_path / "runs")
    assert sum(record["status"] == "failed" for name in ("answers", "ingest") for record in folder.read(name)) == 3
    assert list((tmp_path / "runs").rglob("*.wandb")), "nothing was tracked"
    assert KEY not in done.stdout + done.stderr
    assert files_with(KEY, tmp_path) == []
    assert files_with("may not decide that", tmp_path), "the search finds nothing at all"


@pytest.mark.parametrize("status", [401, 403, 404, 400, 500])
def test_the_key_is_not_in_the_words_that_end_a_run(server: Server, tmp_path: Path, status: int) -> None:
    server.behave = lambda body: failing(status, f"what is {KEY}?")
    environment = {**os.environ, "OPENAI_API_KEY": KEY, "MEMLAB_CACHE": str(tmp_path / "cache")}
    settings = ("llm.api_key_env=OPENAI_API_KEY", f"llm.base_url={server.url}", f"runs={tmp_path / 'runs'}")
    command = [sys.executable, "-c", COMMAND, *PARTS, *settings]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert KEY not in done.stdout + done.stderr
    assert files_with(KEY, tmp_path) == []


def test_the_key_is_in_no_request_and_no_identity(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "cache"))
    server.behave = honest
    run(tmp_path / "runs", server.url, "llm.api_key_env=OPENAI_API_KEY")
    assert not any(KEY in str(body) for body in server.requests)


WRITTEN = {
    "key": "${oc.env:MY_SECRET}",
    "with_default": "${oc.env:MY_SECRET,none}",
    "copied": "${llm.key}",
    "inside": "https://host/${llm.key}/v1",
    "listed": ["plain", "${oc.env:MY_SECRET}", "${llm.key}"],
    "node": "${llm}",
    "plain": "sk-marker-of-the-test",
    "number": "${m}",
}


def test_what_came_from_the_environment_is_recorded_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "value-of-the-secret"
    monkeypatch.setenv("MY_SECRET", secret)
    resolved = {
        "key": secret,
        "with_default": secret,
        "copied": secret,
        "inside": f"https://host/{secret}/v1",
        "listed": ["plain", secret, secret],
        "node": {"key": secret, "deeper": [secret, 5]},
        "plain": "sk-marker-of-the-test",
        "number": 10,
    }
    found = without_secrets(resolved, WRITTEN)
    assert secret not in str(found)
    assert found["key"] == "${oc.env:MY_SECRET}"
    assert found["with_default"] == "${oc.env:MY_SECRET,none}"
    assert found["inside"] == "https://host/${oc.env:MY_SECRET}/v1"
    assert found["node"]["deeper"][1] == 5
    assert (found["plain"], found["number"]) == ("sk-marker-of-the-test", 10)
    assert found["listed"][0] == "plain"
