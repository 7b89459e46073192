"""The paper's system as a whole, by a model that answers as a good one would: repeatable, and nothing odd is sent."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import ClassVar

import pytest
from hydra import compose, initialize_config_dir
from rich.console import Console

from memlab.conf_files import conf_folder
from memlab.config import build
from memlab.context import day
from memlab.llm.chat import ChatFailed, ChatRequest, Reply
from memlab.prompts import load
from memlab.records import RunFolder
from memlab.settings import ConfigError
from memlab.study import run_job
from tests.realistic_model import Realistic
from tests.small_llm import records

SYSTEMS = ("mem0_paper", "mem0_oss_2025", "add_only")
MEMORY_ID = re.compile(r"\bm\d+\b")


class Noting(Realistic):
    """Notes what it is sent, and refuses what is to be refused."""

    sent: ClassVar[list[ChatRequest]] = []
    refused: ClassVar[list[str]] = []

    async def chat(self, request: ChatRequest) -> Reply:
        self.sent.append(request)
        if any(words in request.messages[-1].content for words in self.refused):
            raise ChatFailed("refused", "filtered")
        return await super().chat(request)


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "cache"))
    Noting.sent.clear()
    Noting.refused.clear()
    yield
    Noting.refused.clear()


def run(runs: Path, system: str, *overrides: str) -> RunFolder:
    parts = (
        "profile=server",
        f"system={system}",
        "embedder=hash",
        "~llm",
        f"+llm._target_={__name__}.Noting",
        "dataset.conversations=[mini-1]",
        "dataset.limit_questions=6",
        f"runs={runs}",
    )
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        config = compose("config", [*parts, *overrides])
    Realistic.conversations = build(config).dataset.read().conversations
    return RunFolder(run_job(config, {"system": system}, Console(quiet=True)))


def bodies() -> Counter[str]:
    return Counter(repr((request.messages, request.tools, request.schema, request.sample)) for request in Noting.sent)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_runs_to_its_end_and_order_of_work_changes_nothing(tmp_path: Path, system: str) -> None:
    first = run(tmp_path / "a", system)
    summary = first.read_json("summary") or {}
    assert summary["status"] == "complete"
    assert summary["ingest"]["completeness"] == 1
    assert summary["ingest"]["memories"] > 10
    assert summary["ingest"]["flaws"] == {}
    assert summary["phases"]["answer"]["calls"] == 6
    sent = bodies()
    Noting.sent.clear()
    again = run(tmp_path / "b", system, "cache=off", "concurrency=1", "look_ahead=1")
    assert records(again) == records(first)
    assert set(bodies()) == set(sent), "another run sends other prompts"


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_prompt_has_the_wall_clock_or_an_id_of_ours(tmp_path: Path, system: str) -> None:
    run(tmp_path, system)
    today = date.today()
    for request in Noting.sent:
        text = "\n".join(message.content for message in request.messages) + json.dumps(
            [tool.parameters for tool in request.tools], default=str
        )
        assert not any(
            form in text for form in (today.isoformat(), day(today), f"{today:%d/%m/%Y}", f"{today:%m/%d/%Y}")
        )
        assert not MEMORY_ID.search(text), "a memory id in a prompt"
        assert str(tmp_path) not in text


def test_a_refused_window_is_mended_by_the_next_run(tmp_path: Path) -> None:
    calm = records(run(tmp_path / "calm", "mem0_paper"))
    # One whose facts are missed; the order in which requests are sent is not always the same.
    missed = next(
        w for w in calm["ingest"] if w["window"] > 10 and w["operations"] and w["operations"][0][0]["type"] == "add"
    )
    [conversation] = Realistic.conversations
    text = next(turn.text for turn in conversation.turns if turn.id in missed["candidates"][0]["sources"])
    extractions = [r.messages[-1].content for r in Noting.sent if r.schema and r.schema.get("title") == "facts"]
    of_owner = [asked for asked in extractions if f"Facts that {missed['perspective']} tells" in asked]
    [refused] = [asked for asked in of_owner if text in asked.rpartition("New messages")[2]]
    Noting.refused.append(refused)
    evaluated = "on_failed_window=evaluate"
    hurt = run(tmp_path / "hurt", "mem0_paper", evaluated, "cache=off")
    assert (hurt.read_json("manifest") or {})["status"] == "incomplete"
    assert [w["reason"] for w in hurt.read("ingest") if w["status"] == "failed"] == ["filtered"]
    assert records(hurt)["memories"] != calm["memories"]
    Noting.refused.clear()
    mended = run(tmp_path / "hurt", "mem0_paper", evaluated)
    assert mended.path == hurt.path
    assert records(mended) == calm


def test_a_rubric_in_a_file_of_ones_own_is_scored_and_kept(tmp_path: Path) -> None:
    rubric = tmp_path / "harsh.txt"
    text = load("judge_strict").text
    rubric.write_text(text)
    settings = ("judge=llm", f"judge.rubrics=[generous,{rubric}]", "judge.probes=2")
    first = run(tmp_path, "mem0_paper", *settings)
    summary, manifest = first.read_json("summary") or {}, first.read_json("manifest") or {}
    assert set(summary["judges"]) == {"generous", "harsh"}
    assert summary["metrics"]["judge_harsh"]["overall"]["n"] > 0
    assert set(summary["judges"]["harsh"]["probes"]) == {"gold", "swapped", "vague"}
    assert manifest["prompts"][str(rubric)]["text"] == text
    rubric.write_text(text.replace("\n[user]", "\nBe harsh.\n[user]"))
    load.cache_clear()
    assert run(tmp_path, "mem0_paper", *settings).path != first.path, "another rubric, the same run"


def test_a_rubric_that_is_not_there_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no prompt 'judge_strikt'; did you mean 'judge_strict'"):
        run(tmp_path, "mem0_paper", "judge=llm", "judge.rubrics=[strikt]")
    assert Noting.sent == []
