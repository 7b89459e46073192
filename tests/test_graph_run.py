"""Whole runs of Mem0g with language models: killed, reordered, of two speakers, and with edges that are over."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig
from rich.console import Console

from memlab.conf_files import conf_folder
from memlab.datasets.dataset import Corpus, Dataset
from memlab.dialogue import Conversation, Question, Turn
from memlab.records import RunFolder
from memlab.study import run_job
from tests.llm.lying_server import Answer, Server, calls, good, serving
from tests.lying_model import CONTENT, Model, told_in
from tests.small_llm import number_of, records
from tests.test_resume import COMMAND, ROOT, asked, stored

PARTS = (
    "profile=server",
    "system=mem0g",
    "embedder=hash",
    "llm.max_retries=0",
    "dataset.conversations=[mini-1,mini-2]",
    "judge=none",
    "summary.every=3",
    "dataset.sessions=1",
    "dataset.limit_questions=3",
)


class Moves(Dataset):
    """Ada lives in Oslo, then in Rome."""

    def read(self) -> Corpus:
        said = [
            Turn("D1:1", "Ada", "I live in Oslo.", datetime(2023, 5, 8, 13), 1),
            Turn("D1:2", "Ben", "Ah, Oslo!", datetime(2023, 5, 8, 13), 1),
            Turn("D2:1", "Ada", "I live in Rome now.", datetime(2023, 6, 3, 13), 2),
            Turn("D2:2", "Ben", "Ah, Rome!", datetime(2023, 6, 3, 13), 2),
        ]
        question = Question("moves/q1", "Where did Ada live in May?", "Oslo", 2, ("D1:1",))
        return Corpus("moves", "0" * 64, (Conversation("moves", ("Ada", "Ben"), tuple(said), (question,)),))


MOVES = (*PARTS[:4], PARTS[5], "summary=none", "~dataset", f"+dataset._target_={__name__}.Moves")
PAST = ("retriever.second.first.past=true", "retriever.second.second.past=true")


@cache
def composed(*parts: str) -> DictConfig:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        return compose("config", list(parts))


def run(runs: Path, server: Server, *overrides: str, parts: tuple[str, ...] = PARTS) -> RunFolder:
    config = composed(*parts).copy()
    config.merge_with_dotlist([f"llm.base_url={server.url}", f"runs={runs}", *overrides])
    return RunFolder(run_job(config, {"system": "mem0g"}, Console(quiet=True)))


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "cache"))
    with serving() as server:
        server.behave = honest
        yield server


def honest(body: dict[str, Any]) -> Answer:
    """A good reply; its prompt tokens are the request's number, so that a stored reply tells what it was to."""
    answer = Model("a", ())(body)
    answer.content["usage"]["prompt_tokens"] = number_of(body)
    return answer


def test_a_run_killed_while_it_ingests_resumes_to_the_same_graphs_and_pays_nothing_twice(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = ("perspective=per_speaker", "look_ahead=2", "dataset.conversations=[mini-1]")

    def strike(body: dict[str, Any]) -> Answer:
        if len(server.requests) == 30:
            process.send_signal(signal.SIGKILL)
        return honest(body)

    server.behave = strike
    command = [sys.executable, "-c", COMMAND, *PARTS, *own, f"llm.base_url={server.url}", f"runs={tmp_path / 'a'}"]
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    [cut] = map(RunFolder, (tmp_path / "a" / "adhoc").iterdir())
    assert cut.count("ingest") > 0
    assert cut.count("graph") == cut.count("answers") == 0
    paid, before = stored(tmp_path / "cache"), len(server.requests)
    assert set(asked(server)) >= paid
    server.behave = honest
    resumed = run(tmp_path / "a", server, *own)
    assert {number_of(body) for body in server.requests[before:]} & paid == set(), "a stored reply was paid for again"
    assert resumed.path == cut.path
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "other_cache"))
    calm = run(tmp_path / "b", server, *own)
    assert records(resumed) == records(calm)
    assert len({line["perspective"] for line in calm.read("graph") if line["type"] == "edge"}) == 2


@pytest.mark.parametrize("perspective", ["shared", "per_speaker"])
def test_order_of_work_and_of_replies_changes_no_record(server: Server, tmp_path: Path, perspective: str) -> None:
    found = []
    for place, settings in enumerate((("concurrency=1", "look_ahead=1"), ("concurrency=8", "look_ahead=16"))):
        model = Model("a", CONTENT, tasks=("extract", "update"))

        def behave(body: dict[str, Any], model: Model = model, late: bool = place == 1) -> Answer:
            answer = model(body)
            # One of the two extractors of a window is done first, now this one, now that one.
            answer.delay = number_of(body) % 30 / 1000 if late else 0.0
            return answer

        server.behave = behave
        folder = run(tmp_path / str(place), server, f"perspective={perspective}", "cache='off'", *settings)
        windows = folder.read("ingest")
        assert any(len(window["extract_flaws"]) > 1 for window in windows)
        assert min(window["extract_seconds"] for window in windows) >= 0
        found.append(records(folder))
    assert found[0] == found[1]


def test_waiting_for_a_free_place_is_no_work(server: Server, tmp_path: Path) -> None:
    server.behave = lambda body: Answer(honest(body).content, delay=0.02)
    folder = run(tmp_path, server, "dataset.conversations=[mini-1]", "llm.requests_at_once=1")
    for window in folder.read("ingest"):
        assert window["extract"]["calls"] == 3
        assert 0.035 < window["extract_seconds"] <= window["extract"]["seconds"] + 0.1


# What is over


def of_moves(body: dict[str, Any]) -> Answer:
    """What a good model says of Ada's homes."""
    told = told_in(body)
    match told.form:
        case "entities":
            names = [name for name in ("Ada", "Ben", "Oslo", "Rome") if name in told.words.rpartition("Text:")[2]]
            kinds = [{"name": name, "type": "Person" if name in ("Ada", "Ben") else "Location"} for name in names]
            return said({"entities": kinds})
        case "relations":
            homes = [(n, city) for n in told.wanted for city in ("Oslo", "Rome") if f"in {city}" in told.numbered[n]]
            ends = {"source": "Ada", "relation": "lives_in", "when": ""}
            return said({"relations": [{"message": int(n), **ends, "destination": city} for n, city in homes]})
        case "resolution":
            return calls({"name": "invalidate", "arguments": '{"ids": [1]}'})
        case "facts":
            return said({"facts": []})
        case _:
            return good("Oslo")


def said(value: Any) -> Answer:
    return good(json.dumps(value))


def contexts(server: Server) -> list[str]:
    """The memories that the answerer was shown, of each question."""
    asked = [body["messages"][-1]["content"] for body in server.requests if told_in(body).form == "answer"]
    return [words.partition("Memories:\n")[2].partition("\nQuestion:")[0].strip() for words in asked]


HEADING = "Memories of Ada:\n"
OVER = "8 May 2023\nAda lives in Oslo (from 8 May 2023, no longer true since 3 June 2023)\n"
NOW = "3 June 2023\nAda lives in Rome"


@pytest.mark.parametrize("perspective", ["perspective=shared", "perspective=per_speaker"])
@pytest.mark.parametrize(
    ("overrides", "shown"), [((), NOW), (PAST, OVER + NOW), (PAST[:1], OVER + NOW), (PAST[1:], OVER + NOW)]
)
def test_what_is_over_is_shown_with_its_interval_where_the_past_is_asked_for(
    server: Server, tmp_path: Path, perspective: str, overrides: tuple[str, ...], shown: str
) -> None:
    server.behave = of_moves
    folder = run(tmp_path, server, perspective, *overrides, parts=MOVES)
    edges = {memory["content"]["object"]["name"]: memory["retired_at"] for memory in folder.read("memories")}
    assert edges == {"Oslo": "2023-06-03T13:00:00", "Rome": None}
    assert contexts(server) == [HEADING + shown]
