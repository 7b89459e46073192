"""The smallest LLM parts that use all of the spine, and a server for them whose replies depend on every word sent."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_dir
from omegaconf import DictConfig
from rich.console import Console

from memlab.answer.answerer import Answer, Answerer
from memlab.conf_files import conf_folder
from memlab.datasets.dataset import Corpus, Dataset
from memlab.dialogue import CATEGORIES, Conversation, Question, Turn
from memlab.extract.extractor import Extractor, Window
from memlab.extract.summary import Summariser
from memlab.judge.judge import Judge, Verdict
from memlab.llm.chat import ChatModel, ChatRequest, Message, Reply
from memlab.llm.meter import note_flaw
from memlab.llm.understood import Misunderstood, understood
from memlab.memory import Add, Candidate, Decision, Delete, Fact, Hit, Noop, Operation, Update
from memlab.records import LINES, RunFolder
from memlab.study import run_job
from memlab.update.updater import Proposal, Updater
from tests.llm.lying_server import Answer as ServerAnswer
from tests.llm.lying_server import completion

START = datetime(2023, 5, 8, 13, 56)

VARYING = {"replayed", "requests"}
"""What may differ between runs beside seconds: where a reply came from, and how often it was asked for."""


class Little(Dataset):
    """`size` short dialogues of two sessions, the first odd, and a question of each category about each."""

    def __init__(self, *, size: int) -> None:
        self._size = size

    def read(self) -> Corpus:
        return Corpus("little", "0" * 64, tuple(dialogue(f"talk{number}") for number in range(self._size)))


class PartlySilent(Little):
    """One more dialogue, in which nothing was ever said."""

    def read(self) -> Corpus:
        corpus = super().read()
        silent = replace(dialogue("silent"), turns=())
        return replace(corpus, conversations=(*corpus.conversations, silent))


def dialogue(name: str) -> Conversation:
    sessions = [(session, place) for session, length in ((1, 7), (2, 8)) for place in range(1, length + 1)]
    turns = tuple(
        Turn(
            f"D{session}:{place}",
            ("Ada", "Ben")[place % 2],
            f"{name}: matter {session * 10 + place} is {('settled', 'open', 'new')[place % 3]}.",
            START + timedelta(days=7 * session),
            session,
        )
        for session, place in sessions
    )
    questions = tuple(
        Question(f"{name}/q{category}", f"What of {category}?", None if category == 5 else "open", category, ("D1:2",))
        for category in CATEGORIES
    )
    return Conversation(name, ("Ada", "Ben"), turns, questions)


def request(task: str, *lines: str, sample: int = 0) -> ChatRequest:
    return ChatRequest((Message("system", task), Message("user", "\n".join(lines))), sample=sample)


def facts_of(reply: Reply) -> list[dict[str, str]]:
    try:
        return list(json.loads(reply.text))
    except ValueError as error:
        raise Misunderstood("it must be a JSON array.") from error


class Extracts(Extractor):
    """What the model makes of every new line of the window's owner."""

    reads_summary = True

    def __init__(self, *, llm: ChatModel) -> None:
        self._llm = llm

    async def extract(self, window: Window) -> list[Candidate]:
        own = [turn for turn in window.new if window.owner in (None, turn.speaker)]
        if not own:
            return []
        lines = [f"{turn.id} {turn.text}" for turn in own]
        asked = request("extract", window.summary, *(turn.text for turn in window.recent), "---", *lines)
        found = await understood(self._llm, asked, facts_of)
        for flaw in found.flaws:
            note_flaw(flaw)
        said = {turn.id: turn for turn in own}
        turns = [(said[fact["turn"]], fact["text"]) for fact in found.value or ()]
        return [Candidate(Fact(text), turn.speaker, (turn.id,), turn.said_at) for turn, text in turns]


class Summarises(Summariser):
    def __init__(self, *, llm: ChatModel, every: int, lag: int) -> None:
        self.every, self.lag = every, lag
        self._llm = llm

    async def summarise(self, previous: str, turns: Sequence[Turn]) -> str:
        return (await self._llm.chat(request("summarise", previous, *(turn.text for turn in turns)))).text


class Updates(Updater):
    def __init__(self, *, llm: ChatModel) -> None:
        self._llm = llm

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        return [Decision((await self._operation(proposal),)) for proposal in proposals]

    async def _operation(self, proposal: Proposal) -> Operation:
        shown = [hit.memory for hit in proposal.related]
        asked = request("update", proposal.candidate.content.text, *(memory.text for memory in shown))
        word = (await self._llm.chat(asked)).text
        if not shown or word == "add":
            return Add(proposal.candidate)
        operations: dict[str, Operation] = {
            "update": Update(shown[0].id, proposal.candidate),
            "delete": Delete(shown[0].id, proposal.candidate.said_at),
            "noop": Noop(shown[0].id, proposal.candidate.sources),
        }
        return operations[word]


class Answers(Answerer):
    def __init__(self, *, llm: ChatModel) -> None:
        self._llm = llm

    async def answer(self, question: Question, hits: Sequence[Hit]) -> Answer:
        reply = await self._llm.chat(request("answer", question.text, *(hit.memory.text for hit in hits)))
        return Answer(reply.text, reply=reply.text)


class Judges(Judge):
    def __init__(self, *, llm: ChatModel, rubrics: list[str], repeats: int, probes: int) -> None:
        self.rubrics, self.repeats, self.probes = tuple(rubrics), repeats, probes
        self._llm = llm

    async def judge(self, question: Question, answer: str, rubric: str, sample: int) -> Verdict:
        asked = request("judge", rubric, question.text, question.gold or "", answer, sample=sample)
        word = (await self._llm.chat(asked)).text
        if word not in ("CORRECT", "WRONG"):
            note_flaw("unreadable: no label")
            return Verdict(None, "no label", reply=word)
        return Verdict(word == "CORRECT", reply=word)


def number_of(body: Any) -> int:
    """A number that stands for a request."""
    return int(hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:7], 16)


def task_of(body: dict[str, Any]) -> str:
    """Which part asks."""
    return str(body["messages"][0]["content"])


def words(body: dict[str, Any]) -> str:
    """What a good model answers to one of these parts."""
    number = number_of(body)
    match task_of(body):
        case "extract":
            lines = body["messages"][1]["content"].rpartition("---\n")[2].splitlines()
            facts = [line.partition(" ") for line in lines]
            return json.dumps([{"turn": turn, "text": f"{text} ({number % 997})"} for turn, _, text in facts])
        case "summarise":
            return f"summary {number}"
        case "update":
            return ("add", "add", "add", "update", "noop", "delete")[number % 6]
        case "answer":
            return f"answer {number % 5}"
        case _:
            return ("CORRECT", "WRONG")[number % 2]


def honest(body: dict[str, Any], **answer: Any) -> ServerAnswer:
    """A good reply; its prompt tokens are the request's number, so that a stored reply tells what it was to."""
    content = completion({"role": "assistant", "content": words(body)})
    content["usage"] = {"prompt_tokens": number_of(body), "completion_tokens": 3}
    return ServerAnswer(content, **answer)


PARTS = (
    "embedder=hash",
    "llm=server",
    "llm.model=small",
    "llm.requests_at_once=16",
    "llm.max_retries=0",
    "llm.seed=7",
    "extractor=verbatim",
    f"extractor._target_={__name__}.Extracts",
    f"summary._target_={__name__}.Summarises",
    "+summary.every=3",
    "+summary.lag=2",
    "updater=append",
    f"updater._target_={__name__}.Updates",
    "answerer=echo",
    f"answerer._target_={__name__}.Answers",
    "judge=none",
    f"judge._target_={__name__}.Judges",
    "+judge.rubrics=[generous,strict]",
    "+judge.repeats=2",
    "+judge.probes=2",
    "~dataset",
    f"+dataset._target_={__name__}.Little",
    "+dataset.size=2",
    "max_tokens=256",
    "m=2",
    "s=3",
    "concurrency=16",
    "look_ahead=8",
)


@cache
def composed() -> DictConfig:
    """The config of these parts; composing it takes longer than running it."""
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        return compose("config", list(PARTS))


def run(runs: Path, url: str, *overrides: str) -> RunFolder:
    """Run these parts in this process."""
    config = composed().copy()
    config.merge_with_dotlist([f"llm.base_url={url}", f"runs={runs}", *overrides])
    return RunFolder(run_job(config, {"system": "x"}, Console(quiet=True)))


def only_run(runs: Path) -> RunFolder:
    """The one run in a folder of runs."""
    [manifest] = runs.glob("adhoc/*/manifest.json")
    return RunFolder(manifest.parent)


def lasting(record: Any) -> Any:
    """A record without what may differ between runs."""
    if isinstance(record, dict):
        kept = {key: value for key, value in record.items() if not key.endswith("seconds") and key not in VARYING}
        return {key: lasting(value) for key, value in kept.items()}
    return record


def records(folder: RunFolder) -> dict[str, list[Any]]:
    return {name: [lasting(record) for record in folder.read(name)] for name in LINES}
