"""A cost preview: close to what a run takes, for nothing, and with nothing left behind."""

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig
from rich.console import Console

from memlab.conf_files import conf_folder
from memlab.config import build
from memlab.llm.stand_in import Asked
from memlab.preview import Phases, preview, show_previews
from memlab.records import RunFolder
from memlab.settings import ConfigError
from memlab.study import run_job
from tests.realistic_model import Realistic
from tests.thorough import rest_thorough

ROOT = Path(__file__).parents[1]
SMALL = ("dataset.conversations=[mini-1]", "dataset.limit_questions=8")
PAPER = ("system=mem0_paper", "summary=rolling", "judge=llm", "embedder=hash")
REALISTIC = f"+llm._target_={Realistic.__module__}.Realistic"
CLOSE = 0.15


def composed(*overrides: str) -> DictConfig:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        return compose("config", [*overrides])


def shown(*jobs: DictConfig) -> str:
    printed = StringIO()
    show_previews([(f"job {number}", job) for number, job in enumerate(jobs)], Console(width=1000, file=printed))
    return printed.getvalue()


def tokens(phases: Phases) -> int:
    return phases["total"]["prompt_tokens"] + phases["total"]["completion_tokens"]


def both(runs: Path, *overrides: str) -> tuple[Phases, Phases]:
    """What a preview says of a run, and what the run then takes."""
    expected = preview(composed(*overrides, REALISTIC, "preview=true"), Asked(), Console(quiet=True))
    config = composed(*overrides, REALISTIC, f"runs={runs}", "cache=off")
    Realistic.conversations = build(config).dataset.read().conversations
    folder = RunFolder(run_job(config, {"system": "x"}, Console(quiet=True)))
    return expected, (folder.read_json("summary") or {})["phases"]


def test_tokens_are_close_to_those_of_a_run_on_mini(tmp_path: Path) -> None:
    expected, taken = both(tmp_path, *PAPER)
    assert tokens(expected) == pytest.approx(tokens(taken), rel=CLOSE)
    assert list(expected) == list(taken) == ["summary", "extract", "update", "answer", "judge", "total"]
    for phase in ("summary", "extract", "answer", "judge"):
        assert expected[phase]["calls"] == taken[phase]["calls"]
    assert expected["update"]["calls"] == pytest.approx(taken["update"]["calls"], rel=2 * CLOSE)
    assert sum(sum(row["flaws"].values()) for name, row in expected.items() if name != "total") == 0


def test_calls_and_tokens_of_both_extractors_and_updaters_are_close_to_those_of_a_run(tmp_path: Path) -> None:
    graph = ("system=mem0g", "profile=server", "~llm", "embedder=hash", "dataset.conversations=[mini-1,mini-2]")
    expected, taken = both(tmp_path, *graph, "dataset.sessions=6")
    assert tokens(expected) == pytest.approx(tokens(taken), rel=CLOSE)
    assert list(expected) == list(taken) == ["summary", "extract", "update", "answer", "judge", "total"]
    for phase in ("summary", "extract", "answer", "judge"):
        assert expected[phase]["calls"] == taken[phase]["calls"]
    assert expected["extract"]["calls"] == 3 * expected["extract"]["units"]
    assert expected["total"]["calls"] == pytest.approx(taken["total"]["calls"], rel=CLOSE)
    assert {name: row["flaws"] for name, row in expected.items() if name != "total" and row["flaws"]} == {}


@pytest.mark.thorough
def test_tokens_are_close_to_those_of_a_run_on_a_locomo_conversation(shared_data: Path, tmp_path: Path) -> None:
    data = shared_data / "locomo7.json"
    if not data.is_file():
        pytest.skip(f"no {data}")
    whole = ("dataset=locomo", f"dataset.path={data}", "dataset.conversations=[conv-26]")
    expected, taken = both(tmp_path, *PAPER, *whole)
    assert tokens(expected) == pytest.approx(tokens(taken), rel=CLOSE)


@pytest.mark.parametrize(
    "parts",
    [
        ("updater=tool_call", "updater.ask=schema", "extractor.reply=text"),
        ("updater=joint_json", "updater.reply=text", "answerer.reply=schema"),
        ("updater=pairwise", "answerer=reasoned", "judge.reply=text", "judge.rubrics=[generous,strict]"),
        ("updater=append", "judge.repeats=2", "judge.probes=3", "timestamps=both"),
        ("system=mem0g", "extractor.triples.reply=listed", "updater.triples.ask=schema", "retriever.top_k=5"),
        ("system=mem0g_graph_only", "extractor.reply=text", "extractor.entities.reply=text", "extractor.messages=4"),
    ],
)
def test_every_part_says_a_typical_reply_that_it_understands(parts: tuple[str, ...]) -> None:
    config = composed("system=mem0", "profile=openai", *parts, *SMALL, "preview=true")
    found = preview(config, Asked(), Console(quiet=True))
    assert {name: row["flaws"] for name, row in found.items() if name != "total" and row["flaws"]} == {}
    assert found["total"]["failed"] == 0


def test_a_preview_needs_no_key_and_says_what_a_run_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    text = shown(composed("profile=openai", *SMALL, "preview=true"))
    assert "Lacking before it can run: the chat model gpt-4o-mini needs OPENAI_API_KEY" in text
    assert "as of 20" in text
    assert "gpt-4o-mini 0.15 in, 0.6 out" in text
    for words in ("reply cache", "Embeddings", "retries", "cl100k_base", "stand-ins"):
        assert words in text


def test_other_faults_are_told_instead() -> None:
    with pytest.raises(ConfigError, match="no prompt 'nowhere'"):
        shown(composed("profile=openai", "extractor.prompt=nowhere", *SMALL, "preview=true"))


def test_without_a_price_there_are_no_dollars_but_the_way_to_give_one() -> None:
    server = ("profile=server", "llm.model=tiny:1b", "embedder=hash", *SMALL, "preview=true")
    text = shown(composed(*server))
    assert text.count("no price") == 6
    assert "tiny:1b has none, give it by '+prices.models={tiny\\:1b:{input:0.15,output:0.60}}'" in text
    assert "no price" not in shown(composed(*server, "+prices.models={tiny\\:1b:{input:1,output:2}}"))


def test_a_phase_of_two_models_names_both_and_has_no_price() -> None:
    own = "+llm@extractor.triples.llm=server"
    job = composed("system=mem0g", "profile=openai", own, "extractor.triples.llm.model=tiny", *SMALL, "preview=true")
    found = preview(job, Asked(), Console(quiet=True))
    assert (found["extract"]["model"], found["extract"]["usd"]) == ("gpt-4o-mini and tiny", None)
    assert {found[phase]["model"] for phase in ("summary", "update", "answer", "judge")} == {"gpt-4o-mini"}
    assert found["total"]["usd"] is None


def test_a_budget_that_is_too_small_is_named() -> None:
    text = shown(composed("profile=openai", "budget.calls=20", "budget.tokens=100000000", *SMALL, "preview=true"))
    assert "budget.calls=20 would stop it before the end." in text
    assert "budget.tokens" not in text


def test_requests_that_jobs_share_are_told_apart() -> None:
    job = composed("profile=openai", *SMALL, "preview=true")
    text = shown(job, composed("profile=openai", *SMALL, "s=3", "preview=true"))
    assert "preview of job 0" in text
    rows = {name: text.split(f" {name} ")[-1].split() for name in ("total", "sum", "equal requests once")}
    calls = {name: int(words[0].replace(",", "")) for name, words in rows.items()}
    assert calls["total"] < calls["equal requests once"] < calls["sum"]


def test_the_default_costs_nothing_and_says_so() -> None:
    text = shown(composed("preview=true"))
    assert "preview of job 0: no part of it asks a language model, so nothing is paid." in text
    assert "calls" not in text


class Untypical(Realistic):
    """Not asked in a preview: a stand-in takes its place."""

    async def chat(self, request: object) -> object:  # type: ignore[override]
        raise AssertionError("a preview asked the model")


def test_nothing_is_asked_whoever_builds_the_parts() -> None:
    config = composed(*PAPER, f"+llm._target_={__name__}.Untypical", *SMALL, "preview=true")
    assert preview(config, Asked(), Console(quiet=True))["total"]["calls"] > 50
    assert not build(config).caches


def call(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name != "OPENAI_API_KEY"}
    environment = {**kept, "MEMLAB_CACHE": str(folder / "cache"), "TMPDIR": str(folder), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "memlab", f"runs={folder / 'runs'}", *SMALL, *arguments, "preview=true"]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)


@pytest.mark.parametrize(("arguments", "tables"), rest_thorough([(("-m", "s=3,10"), 3), ((), 1)]))
def test_the_command_leaves_nothing_behind(arguments: tuple[str, ...], tables: int, tmp_path: Path) -> None:
    done = call(*arguments, "profile=openai", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("preview of") == tables
    assert "dataset.conversations=[mini-1]" in done.stdout or tables == 1
    assert done.stderr == ""
    assert not list(tmp_path.iterdir())
