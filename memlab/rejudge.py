"""The saved answers of a run judged again: a new run folder, as if the run had had that judge from the start."""

import asyncio
import shutil
import sys
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, cast

from omegaconf import DictConfig

from memlab.bounded import bounded
from memlab.config import build_node, nodes, served, settings
from memlab.dialogue import Conversation, Question
from memlab.judge.judge import Judge
from memlab.llm.cached import CachedChat
from memlab.node_check import INTERFACES
from memlab.records import LINES, Record, RecordError, RunFolder, RunWriter
from memlab.run_key import environment, prompts_of, run_key
from memlab.settings import ConfigError, Settings
from memlab.study import check_judge, summed_up
from memlab.summary.summary import latest, latest_verdicts
from memlab.verdicts import NONE, asked, judge_answer, try_judge, verdict_scores, verdicts_by_answer

KEPT = ("summaries", "ingest", "memories", "graph", "answers")
"""What a judge has no part in: these files are the old run's own."""


def rejudged(folder: Path, composed: DictConfig, *, own_llm: bool) -> Path:
    """Judge the answers of a run by the judge of a checked config; return the folder of the run that has this judge.

    With `own_llm` the judge asks the model of the config, else that of the run. Neither dataset nor memories are
    needed. Raises RecordError when there is no run in the folder.
    """
    old = RunFolder(folder)
    manifest, summary = old.read_json("manifest"), old.read_json("summary")
    if manifest is None or summary is None:
        raise RecordError(f"{folder} holds no finished run: there is no manifest.json or no summary.json")
    if composed.preview:
        # In a preview stand-ins take the models' places, and what they say must never be taken for a verdict.
        raise ConfigError(
            ["preview=true: rejudge has no preview; limit it by budget.calls, budget.tokens or budget.usd"]
        )
    config = dict(manifest["config"])
    chosen, chosen_nodes = settings(composed), nodes(composed)
    judge_node = {**chosen_nodes["judge"], **({"llm": chosen_nodes["llm"]} if own_llm else {})}
    config["judge"] = judge_node
    parts = {group: config[group] for group in INTERFACES}
    key = run_key(parts, as_before(chosen, config), manifest["dataset"]["sha256"])
    caches: list[CachedChat] = []
    wrap = served(chosen, caches)
    around = {} if own_llm or not config["llm"] else {"llm": build_node(config["llm"], {}, wrap=wrap)}
    judge = cast(Judge, build_node(judge_node, around, wrap=wrap))
    target = RunFolder(folder.parent / key)
    new = {
        **manifest,
        "status": "running",
        "key": key,
        "config": config,
        "command": sys.argv,
        "prompts": prompts_of(config),
        "environment": environment(),
        "rejudged_from": manifest["key"],
        "judge": judge.card(),
    }
    with target.opened() as writer:
        check_judge(target.read_json("manifest"), new["judge"], target.path)
        writer.write_json("manifest", new)
        for name in (*KEPT, "scores"):
            if old.file(name).exists() and not target.file(name).exists():
                shutil.copyfile(old.file(name), target.file(name))
        try:
            asyncio.run(judge_all(judge, writer, chosen.concurrency, caches))
        except BaseException:
            writer.write_json("manifest", {**new, "status": "stopped"})
            raise
        write_results(writer, new, judge, chosen, expected=expected_of(summary))
    return target.path


def as_before(chosen: Settings, config: Mapping[str, Any]) -> Settings:
    """Return the settings of a run, as far as its records hold them."""
    kept = {field.name: config[field.name] for field in fields(Settings) if field.name in config}
    return Settings(**{**{field.name: getattr(chosen, field.name) for field in fields(Settings)}, **kept})


def expected_of(summary: Record) -> dict[str, int]:
    """Return how much a run was to do, from its summary."""
    questions = summary["questions"]
    return {"ingest": summary["ingest"]["expected_windows"], "answer": questions["attempts"] + questions["not_asked"]}


def question_of(record: Record) -> Question:
    """Return the question of a recorded answer; its evidence is not recorded."""
    return Question(record["id"], record["question"], record["gold"], record["category"], ())


async def judge_all(judge: Judge, writer: RunWriter, concurrency: int, caches: list[CachedChat]) -> None:
    """Get every verdict that is not recorded yet."""
    answers = latest(writer.folder.read("answers"))
    past = latest_verdicts(writer.folder.read("verdicts"))
    by_answer = verdicts_by_answer(past)
    places = asyncio.Semaphore(concurrency)
    try:
        await bounded(
            (
                judge_answer(judge, question_of(r), r, by_answer.get((r["id"], r["attempt"]), []), writer)
                for r in answers
            ),
            places,
        )
        tried = {asked(verdict) for verdict in past if verdict["status"] != NONE}
        await try_judge(judge, conversations_of(answers), tried, writer, places)
    finally:
        for cache in caches:
            await cache.settle()


def conversations_of(answers: list[Record]) -> list[Conversation]:
    """Return the questions of recorded answers as conversations without turns, in order."""
    questions: dict[str, dict[str, Question]] = {}
    for record in answers:
        questions.setdefault(record["conversation"], {})[record["id"]] = question_of(record)
    return [Conversation(id_, ("", ""), (), tuple(own.values())) for id_, own in questions.items()]


def write_results(
    writer: RunWriter, manifest: Record, judge: Judge, chosen: Settings, *, expected: Mapping[str, int]
) -> None:
    """Write scores, summary and the finished manifest."""
    found = {name: writer.folder.read(name) for name in LINES}
    verdicts = latest_verdicts(found["verdicts"])
    place = {(record["id"], record["attempt"]): number for number, record in enumerate(found["answers"])}
    found["verdicts"] = sorted(
        verdicts, key=lambda v: (v["probe"] or "", place[v["id"], v["attempt"]], v["rubric"], v["sample"])
    )
    by_answer = verdicts_by_answer(verdicts)
    scores = [score for score in found["scores"] if not score["metric"].startswith("judge_")]
    for record in latest(found["answers"]):
        own = by_answer.get((record["id"], record["attempt"]), [])
        scores += [
            {key: record[key] for key in ("id", "attempt", "conversation", "category")} | asdict(score)
            for score in verdict_scores(question_of(record), record, own, judge.rubrics)
        ]
    found["scores"] = scores
    for name in ("verdicts", "scores"):
        writer.replace(name, found[name])
    summed_up(writer, manifest, found, chosen, expected=expected)
