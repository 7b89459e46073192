"""A run under a budget, as a user meets it: it stops, says why, goes on, and pays for nothing twice."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from memlab.config import build_node
from memlab.extract.extractor import Extractor, Window
from memlab.llm.budget import Bought, Budget, Budgeted
from memlab.llm.chat import ChatModel, ChatRequest, Message, Reply
from memlab.llm.scripted import reply_of
from memlab.memory import Add, Candidate, Decision, Fact, Noop
from memlab.part import Part
from memlab.records import LINES, RunFolder
from memlab.update.updater import Proposal, Updater
from tests.thorough import rest_thorough

ROOT = Path(__file__).parents[1]
LOG = "TEST_CALLS"
SMALL = ("embedder=hash", "dataset.conversations=[mini-1,mini-2]", "dataset.limit_questions=12", "concurrency=16")
PARTS = ("extractor=verbatim", "updater=append", "+llm._target_={0}.Logging", "extractor._target_={0}.Noted")
ONLY_IN_TIME = ("seconds", "replayed")


class Logging(ChatModel):
    """Says what it was shown; leaves a line for every call in a file."""

    at_once = 4

    def __init__(self) -> None:
        self.model = "logging"
        self.identity = {"model": "logging"}

    async def chat(self, request: ChatRequest) -> Reply:
        await asyncio.sleep(0.001)
        with Path(os.environ[LOG]).open("a") as log:
            log.write(f"{request.messages[0].content!r}\n")
        return reply_of(request, f"it is told that {request.messages[0].content}")


class Outer(Logging):
    """Asks another model."""

    def __init__(self, other: ChatModel) -> None:
        super().__init__()
        self.other = other

    async def chat(self, request: ChatRequest) -> Reply:
        return await self.other.chat(request)


async def told(llm: ChatModel, text: str) -> str:
    return (await llm.chat(ChatRequest((Message("user", text),), typical=text))).text


async def within(seconds: float, work: Awaitable[str]) -> str:
    async with asyncio.timeout(seconds):
        return await work


class Noted(Extractor):
    """A fact of every message, in the model's words."""

    def __init__(self, llm: ChatModel) -> None:
        self.llm = llm

    async def extract(self, window: Window) -> list[Candidate]:
        facts = [await told(self.llm, f"{turn.speaker} says {turn.text}") for turn in window.new]
        return [
            Candidate(Fact(fact), turn.speaker, (turn.id,), turn.said_at)
            for fact, turn in zip(facts, window.new, strict=True)
        ]


class Asking(Updater):
    """Adds a fact unless the model makes little of it."""

    def __init__(self, llm: ChatModel) -> None:
        self.llm = llm

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        [proposal] = proposals
        words = await told(self.llm, f"{len(proposal.related)} are close to {proposal.candidate.content.text}")
        operation = Add(proposal.candidate) if len(words) > 80 else Noop(None, proposal.candidate.sources)
        return [Decision((operation,))]


class Command:
    """`python -m memlab` in a folder of its own, with its own cache and log of calls."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "calls"
        self.log.touch()

    def __call__(self, *overrides: str) -> "subprocess.CompletedProcess[str]":
        kept = {"MEMLAB_CACHE": str(self.folder / "cache"), LOG: str(self.log), "PYTHONPATH": str(ROOT)}
        parts = [part.format(__name__) for part in (*PARTS, "updater._target_={0}.Asking")]
        command = [sys.executable, "-m", "memlab", f"runs={self.folder / 'runs'}", *SMALL, *parts, *overrides]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env={**os.environ, **kept})

    @property
    def calls(self) -> int:
        return len(self.log.read_text().splitlines())

    @property
    def run(self) -> RunFolder:
        [folder] = (self.folder / "runs" / "adhoc").iterdir()
        return RunFolder(folder)

    def records(self) -> dict[str, Any]:
        return {name: timeless(self.run.read(name)) for name in LINES}


def timeless(record: Any) -> Any:
    """A record without what a resumed run may have otherwise."""
    if isinstance(record, dict):
        return {key: timeless(value) for key, value in record.items() if not key.endswith(ONLY_IN_TIME)}
    return [timeless(one) for one in record] if isinstance(record, list) else record


@pytest.fixture(scope="module")
def unlimited(tmp_path_factory: pytest.TempPathFactory) -> Command:
    command = Command(tmp_path_factory.mktemp("unlimited"))
    done = command()
    assert done.returncode == 0, done.stderr
    return command


@pytest.mark.parametrize(("first", "named"), rest_thorough([("budget.calls=60", 60), ("budget.tokens=3000", None)]))
def test_a_run_stops_at_its_budget_and_goes_on_with_a_larger_one(
    first: str, named: int | None, unlimited: Command, tmp_path: Path
) -> None:
    command = Command(tmp_path)
    stopped = command(first)
    assert stopped.returncode == 2
    words, last = stopped.stderr.splitlines()
    assert words.startswith(f"stopped: {first} has no room for the next call")
    assert f"this command has paid for {command.calls} calls" in words
    assert "the same command goes on from here" in last
    assert named is None or command.calls == named
    manifest = command.run.read_json("manifest") or {}
    assert manifest["status"] == "stopped"
    assert first in manifest["reason"]

    before = command.calls
    again = command(first)
    assert again.returncode == 2
    assert command.calls > before, "the second command may spend as much again"

    done = command("budget.calls=100000")
    assert done.returncode == 0, done.stderr
    assert command.run.path.name == unlimited.run.path.name
    assert command.records() == unlimited.records()
    assert command.calls == unlimited.calls, "something was paid for twice, or not at all"
    assert len(set(command.log.read_text().splitlines())) == command.calls


def test_the_jobs_of_a_sweep_share_their_budget(unlimited: Command, tmp_path: Path) -> None:
    command = Command(tmp_path)
    stopped = command("-m", "s=5,10", f"budget.calls={unlimited.calls + 10}")
    assert stopped.returncode == 2, stopped.stdout
    assert "budget.calls" in stopped.stderr
    assert command.calls == unlimited.calls + 10


def test_a_model_within_a_model_does_not_wait_for_its_own_place_in_the_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LOG, str(tmp_path / "calls"))
    bought = Bought()

    def wrap(part: Part) -> Part:
        return (
            Budgeted(part, Budget(usd=None, tokens=None, calls=1), None, bought)
            if isinstance(part, ChatModel)
            else part
        )

    node = {"_target_": f"{__name__}.Outer", "other": {"_target_": f"{__name__}.Logging"}}
    model = cast(ChatModel, build_node(node, {}, wrap=wrap))
    assert "told that hello" in asyncio.run(within(5, told(model, "hello")))
    assert bought.cost.calls == 1
