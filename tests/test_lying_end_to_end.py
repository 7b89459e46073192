"""Whole runs against a server that lies: nothing crashes, nothing is lost unseen, and the books are right."""

import asyncio
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig
from rich.console import Console

from memlab.conf_files import conf_folder
from memlab.config import build
from memlab.explain import explained
from memlab.ingest import replay
from memlab.memory_json import memory_to_json, operation_from_json
from memlab.perspective import qualified
from memlab.records import Record, RunFolder
from memlab.stored import graph_records
from memlab.study import run_job
from tests.llm.lying_server import Answer, Server, good, serving
from tests.lying_model import CONTENT, LASTING, PASSING, RETRIES, TIMEOUT, Model, expected
from tests.small_llm import records
from tests.thorough import rest_thorough

SYSTEMS = ("mem0_paper", "mem0_oss_2025", "mem0_pairwise", "mem0g")
EVERY = (*CONTENT, *PASSING, *LASTING)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("memlab.llm.retry.FIRST_PAUSE", 0.001)
    with serving() as server:
        yield server


@cache
def composed(system: str) -> DictConfig:
    parts = (
        "profile=server",
        f"system={system}",
        "embedder=hash",
        "judge.rubrics=[generous,strict]",
        "dataset.conversations=[mini-1]",
        "dataset.sessions=3",
        "dataset.limit_questions=6",
        f"llm.max_retries={RETRIES}",
        f"llm.timeout_seconds={TIMEOUT}",
        # One memory each to compare with: then a fact is one question to the model, as elsewhere.
        *(["updater.neighbours=1", "updater.gate=0.1"] if system == "mem0_pairwise" else []),
        *(["summary.every=3"] if system != "mem0_oss_2025" else []),
    )
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        return compose("config", list(parts))


def config_of(system: str, *overrides: str) -> DictConfig:
    config = composed(system).copy()
    config.merge_with_dotlist(list(overrides))
    return config


def run(runs: Path, server: Server, system: str, *overrides: str) -> RunFolder:
    config = config_of(system, f"llm.base_url={server.url}", f"runs={runs}", *overrides)
    return RunFolder(run_job(config, {"system": system}, Console(quiet=True)))


def read(folder: RunFolder, name: str) -> Record:
    found = folder.read_json(name)
    assert found is not None
    return found


@pytest.mark.parametrize("system", rest_thorough(SYSTEMS))
def test_the_books_of_a_run_are_those_of_the_server_and_nothing_is_lost_unseen(
    server: Server, tmp_path: Path, system: str
) -> None:
    server.behave = model = Model("a", EVERY)
    folder = run(tmp_path, server, system, "on_failed_window=evaluate", "cache=off")
    assert [way for way in (*PASSING, *LASTING) if not model.told[way]] == [], "a lie that was never told"
    assert len(model.told) > 15
    told = expected(model)
    assert_books(folder, told)
    assert_failures(folder, told)
    for window in folder.read("ingest"):
        assert_accounted_for(window)
    asyncio.run(assert_stores(folder, config_of(system)))


def assert_books(folder: RunFolder, told: dict[str, dict[str, Any]]) -> None:
    """Requests, calls, failed calls, tokens and flaws of each phase are what the server counted."""
    phases = read(folder, "summary")["phases"]
    total = phases.pop("total")
    assert set(phases) == set(told)
    for name in ("requests", "calls", "failed", "prompt_tokens", "completion_tokens"):
        assert {phase: row[name] for phase, row in phases.items()} == {p: row[name] for p, row in told.items()}, name
        assert total[name] == sum(row[name] for row in told.values())
    assert {phase: row["flaws"] for phase, row in phases.items()} == {p: row["flaws"] for p, row in told.items()}
    assert sum(row["estimated"] + row["replayed"] for row in phases.values()) == 0


def assert_failures(folder: RunFolder, told: dict[str, dict[str, Any]]) -> None:
    """What failed is counted as failed: no answer without a reply is scored, no verdict without a label is wrong."""
    summary = read(folder, "summary")
    windows = folder.read("ingest")
    without_summary = sum(window["status"] == "failed" and window["calls"] == 0 for window in windows)
    failed = {
        "windows": told["extract"]["failed_units"] + told["update"]["failed_units"] + without_summary,
        "answers": told["answer"]["failed_units"] + told["answer"]["unread_units"],
        "verdicts": told["judge"]["failed_units"],
    }
    assert summary["failures"] == failed
    assert summary["status"] == "incomplete"
    assert bool(without_summary) <= bool(told.get("summary", {}).get("failed_units"))
    verdicts = folder.read("verdicts")
    assert sum(verdict["status"] == "unread" for verdict in verdicts) == told["judge"]["unread_units"]
    assert all((verdict["correct"] is None) == (verdict["status"] != "given") for verdict in verdicts)
    answered = {record["id"]: record["status"] == "answered" for record in folder.read("answers")}
    for score in folder.read("scores"):
        if score["metric"] in ("f1", "bleu1") and not answered[score["id"]]:
            assert score["value"] is None


def assert_accounted_for(window: Record) -> None:
    """Every candidate has a decision, and a decision that stores nothing says why, unless its window failed."""
    assert min(window["extract_seconds"], window["update_seconds"]) >= 0
    if window["status"] == "done":
        assert len(window["operations"]) == len(window["flaws"]) == len(window["candidates"])
        assert window["candidates"] or window["extract_flaws"] or not window["extract"]["calls"]
    for operations, flaws in zip(window["operations"], window["flaws"], strict=True):
        types = {operation["type"] for operation in operations}
        assert types & {"add", "update", "delete", "noop"} or flaws, f"a fact is lost unseen in {window['window']}"


async def assert_stores(folder: RunFolder, config: DictConfig) -> None:
    """The recorded operations make the recorded memories and graph, and each live one is found by its own text."""
    windows, recorded = folder.read("ingest"), folder.read("memories")
    [conversation] = build(config).dataset.read().conversations
    graph: list[Record] = []
    lost = 0
    for owner in {window["perspective"]: None for window in windows}:
        store = build(config).new_store()
        for window in (window for window in windows if window["perspective"] == owner):
            for chosen in window["operations"]:
                await replay([operation_from_json(operation) for operation in chosen], store)
                types = {operation["type"] for operation in chosen}
                lost += "delete" in types and not types & {"add", "update", "noop"}
        memories = store.memories(retired=True)
        graph += graph_records(conversation, {owner: store})
        own = [{k: v for k, v in m.items() if k != "schema"} for m in recorded if m["perspective"] == owner]
        assert own == [
            {"conversation": "mini-1", "perspective": owner, **memory_to_json(qualified(memory, owner))}
            for memory in memories
        ]
        for memory in store.memories():
            hits = await store.nearest(memory.text, len(memories))
            assert memory.id in {hit.memory.id for hit in hits if hit.score >= hits[0].score - 1e-5}
    assert [{k: v for k, v in line.items() if k != "schema"} for line in folder.read("graph")] == graph
    assert read(folder, "summary")["ingest"]["lost_facts"] == lost
    known = {memory["id"] for memory in recorded}
    assert {id_ for answer in folder.read("answers") for id_, _ in answer["hits"]} <= known


@pytest.mark.parametrize("system", rest_thorough(SYSTEMS))
def test_a_skipped_conversation_leaves_sound_stores_and_no_scores(server: Server, tmp_path: Path, system: str) -> None:
    server.behave = model = Model("a", [way for way in EVERY if way != "timeout"])
    folder = run(tmp_path, server, system, "on_failed_window=skip", "cache=off")
    windows, summary = folder.read("ingest"), read(folder, "summary")
    for owner in {window["perspective"] for window in windows}:
        own = [window["status"] for window in windows if window["perspective"] == owner]
        assert "failed" not in own[:-1], "the rest of a conversation was to be left out"
    for window in windows:
        assert_accounted_for(window)
    asyncio.run(assert_stores(folder, config_of(system)))
    assert summary["failures"]["windows"] == sum(window["status"] == "failed" for window in windows) > 0
    assert summary["questions"]["asked"] == 0
    # What ran ahead of the failed window was asked for, and is in no record.
    assert 0 < summary["phases"]["total"]["requests"] <= model.requests.total()


@pytest.mark.parametrize("system", rest_thorough(SYSTEMS))
def test_the_same_lies_twice_give_the_same_records(server: Server, tmp_path: Path, system: str) -> None:
    found = []
    for name in ("first", "second"):
        server.behave = Model("b", [way for way in EVERY if way != "timeout"])
        folder = run(tmp_path / name, server, system, "on_failed_window=evaluate", "cache=off")
        found.append(records(folder))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("system", "policy"),
    rest_thorough(
        [("mem0_paper", "evaluate"), ("mem0_oss_2025", "skip"), ("mem0_pairwise", "evaluate"), ("mem0g", "skip")],
        kept=2,
    ),
)
def test_a_run_that_failed_is_completed_by_an_honest_server(
    server: Server, tmp_path: Path, system: str, policy: str
) -> None:
    policy = f"on_failed_window={policy}"
    server.behave = Model("c", ())
    calm = run(tmp_path / "calm", server, system, policy, "cache=off")
    server.behave = Model("c", LASTING, share=15)
    hurt = run(tmp_path / "hurt", server, system, policy)
    assert read(hurt, "manifest")["status"] == "incomplete"
    assert read(hurt, "summary")["failures"]["windows"] > 0
    assert records(hurt) != records(calm)
    server.behave = Model("c", ())
    mended = run(tmp_path / "hurt", server, system, policy)
    assert mended.path == hurt.path
    assert read(mended, "manifest")["status"] == "complete"
    assert records(mended) == records(calm)


# Nothing but lies


def only(task: str, *answers: Answer) -> Model:
    """A model that is honest but for one task, to which it gives these answers in turn."""

    class Partly(Model):
        def __call__(self, body: dict[str, Any]) -> Answer:
            answer = super().__call__(body)
            if self.replies[-1].task != task:
                return answer
            self.told[task] += 1
            return answers[self.told[task] % len(answers)]

    return Partly("d", ())


@pytest.mark.parametrize(
    ("answer", "words"),
    [(good('{"facts": []}'), "gave no candidate."), (good("I cannot do that."), "flaws, the last: unreadable: ")],
)
def test_a_server_that_never_gives_a_fact_stops_the_run(
    server: Server, tmp_path: Path, answer: Answer, words: str
) -> None:
    server.behave = only("extract", answer)
    with pytest.raises(BaseException) as caught:  # noqa: PT011  (a group of them; the words are checked)
        run(tmp_path, server, "mem0_paper", "stop_after_empty=8")
    told = explained(caught.value, []) or ""
    assert "8 windows in a row of mini-1 gave no candidate" in told
    assert words in told
    assert "python -m memlab doctor" in told
    [manifest] = tmp_path.glob("adhoc/*/manifest.json")
    assert read(RunFolder(manifest.parent), "manifest")["status"] == "stopped"


def test_answers_that_can_never_be_read_are_failed_and_no_zeros(server: Server, tmp_path: Path) -> None:
    server.behave = only("answer", good(""), good("..."), good('{"answer": ['))
    summary = read(run(tmp_path, server, "mem0_oss_2025"), "summary")
    assert summary["questions"]["failed"] == summary["questions"]["asked"] == 6
    assert summary["phases"]["answer"]["flaws"] == {"unreadable": 6}
    assert summary["metrics"]["f1"]["overall"]["value"] is None
    assert summary["metrics"]["judge_strict"]["overall"]["value"] is None
    assert summary["judges"] == {}


def test_verdicts_that_can_never_be_read_leave_answers_unscored(server: Server, tmp_path: Path) -> None:
    server.behave = only("judge", good("Maybe."), good("It is not CORRECT, but WRONG it is not."), good(""))
    folder = run(tmp_path, server, "mem0_oss_2025")
    summary = read(folder, "summary")
    assert {verdict["status"] for verdict in folder.read("verdicts")} == {"unread"}
    for rubric in ("generous", "strict"):
        cell = summary["metrics"][f"judge_{rubric}"]["overall"]
        assert (cell["n"], cell["value"]) == (0, None)
        assert set(cell["unscored"]) == {"the judge's reply could not be read"}
        assert summary["judges"][rubric]["j"] == {}
        assert summary["judges"][rubric]["unscored"] == {"unread": len(folder.read("verdicts")) // 2}
