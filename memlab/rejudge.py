"""The saved answers of a run judged again: a new run folder, as if the run had had that judge from the start."""

import asyncio
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, cast

from omegaconf import DictConfig
from rich.console import Console

from memlab.bounded import bounded
from memlab.config import build_node, nodes, served, settings
from memlab.dialogue import Conversation, Question
from memlab.judge.judge import Judge
from memlab.llm.cached import CachedChat
from memlab.node_check import INTERFACES, Node
from memlab.records import LINES, Record, RecordError, RunFolder, RunWriter
from memlab.run_key import environment, model_files, prompts_of, run_key
from memlab.settings import ConfigError, Settings
from memlab.study import is_complete, summed_up, without_secrets
from memlab.summary.summary import latest, latest_verdicts
from memlab.verdicts import NONE, asked, judge_answer, try_judge, verdict_scores, verdicts_by_answer

KEPT = tuple(name for name in LINES if name not in ("verdicts", "scores"))
"""What a judge has no part in: these files are the old run's own."""
NEEDED = ("key", "study", "choices", "command", "dataset")
"""What a manifest says of a run, beside its parts, that a run judged again says, too."""


def rejudged(
    folder: Path, composed: DictConfig, choices: Mapping[str, str], console: Console, *, own_llm: bool
) -> Path:
    """Judge the answers of a run by the judge of a checked config; return the folder of the run that has this judge.

    With `own_llm` the judge asks the model of the config, else that of the run. Neither dataset nor memories are
    needed. A run that has this judge already stays as it is. Raises RecordError when there is no run in the folder.
    """
    manifest, summary = judgeable(folder)
    if composed.preview:
        # In a preview stand-ins take the models' places, and what they say must never be taken for a verdict.
        raise ConfigError(
            ["preview=true: rejudge has no preview; limit it by budget.calls, budget.tokens or budget.usd"]
        )
    chosen, before = settings(composed), as_before(settings(composed), manifest["config"])
    judge_node, written = (judge_of(nodes(composed, resolve=resolve), own_llm=own_llm) for resolve in (True, False))
    config = {**manifest["config"], "judge": judge_node}
    caches: list[CachedChat] = []
    wrap = served(chosen, caches)
    around = {} if own_llm or not config["llm"] else {"llm": build_node(config["llm"], {}, wrap=wrap)}
    judge = cast(Judge, build_node(judge_node, around, wrap=wrap))
    files = files_with_judge(manifest.get("model_files", {}), judge_node)
    key = key_of(folder, config, before, manifest["dataset"]["sha256"], files)
    target = RunFolder(folder if key == manifest["key"] else folder.parent / key)
    if has_judge(target, of=manifest["key"]):
        console.print(f"nothing is judged: {target.path} has this very judge already", highlight=False)
        return target.path
    new = {
        **manifest,
        "status": "running",
        "key": key,
        "choices": with_judge(manifest["choices"], choices, own_llm=own_llm),
        "config": {**config, "judge": without_secrets(judge_node, written)},
        "prompts": prompts_of(config),
        "model_files": files,
        "environment": environment(),
        "rejudged_from": manifest["key"],
        "rejudged_by": sys.argv,
        "judge": judge.card(),
    }
    with target.opened() as writer:
        writer.write_json("manifest", new)
        copy_records(RunFolder(folder), target)
        try:
            asyncio.run(judge_all(judge, writer, chosen.concurrency, caches))
        except BaseException:
            writer.write_json("manifest", {**new, "status": "stopped"})
            raise
        write_results(writer, new, judge, before, expected=expected_of(summary))
    return target.path


def copy_records(old: RunFolder, new: RunFolder) -> None:
    """Copy the records that a run judged again begins with, those that are not there yet."""
    for name in (*KEPT, "scores"):
        if old.file(name).exists() and not new.file(name).exists():
            shutil.copyfile(old.file(name), new.file(name))


def judgeable(folder: Path) -> tuple[Record, Record]:
    """Return manifest and summary of a run whose answers can be judged again; raises RecordError when none can be."""
    run = RunFolder(folder)
    manifest, summary = run.read_json("manifest"), run.read_json("summary")
    if manifest is None or summary is None:
        raise RecordError(
            f"{folder} holds no finished run: there is no manifest.json or no summary.json; give the folder that a "
            "run printed"
        )
    lacking = [name for name in NEEDED if name not in manifest]
    lacking += [f"config.{group}" for group in INTERFACES if group not in manifest.get("config", {})]
    try:
        expected_of(summary)
    except KeyError as error:
        lacking.append(f"the summary's {error.args[0]}")
    if lacking:
        raise other_memlab(folder, f"its records lack {', '.join(lacking)}")
    if lost := [run.file(name).name for name, count in manifest.get("counts", {}).items() if run.count(name) != count]:
        raise RecordError(f"{folder} is damaged: lines of {', '.join(lost)} were lost; go on with that run first")
    return manifest, summary


def other_memlab(folder: Path, why: str) -> RecordError:
    """Return the error of a run that this memlab cannot go on with."""
    return RecordError(f"{folder} is a run of another memlab: {why}. Run it again by this one, with the judge you want")


def judge_of(parts: Mapping[str, Node], *, own_llm: bool) -> dict[str, Any]:
    """Return the node of the judge, with the model of the config where it is to ask that one."""
    return {**parts["judge"], **({"llm": parts["llm"]} if own_llm else {})}


def files_with_judge(old: Mapping[str, str], judge: Node) -> dict[str, str]:
    """Return the hashes of the models of a run, as they were then, with those of another judge."""
    kept = {place: sha256 for place, sha256 in old.items() if not place.startswith("judge.")}
    return kept | model_files({"judge": judge})


def key_of(folder: Path, config: Mapping[str, Any], before: Settings, sha256: str, files: Mapping[str, str]) -> str:
    """Return the key of the run with this config; raises RecordError when a class that it names is gone."""
    try:
        return run_key({group: config[group] for group in INTERFACES}, before, sha256, files)
    except ImportError as error:
        raise other_memlab(folder, str(error).partition("\n")[0].rstrip(":")) from error


def has_judge(target: RunFolder, *, of: str) -> bool:
    """Return whether the run of this judge is there, finished; raises RecordError when another command is to finish it.

    `of` is the key of the run that is judged again: what an earlier rejudge of it left may be gone on with.
    """
    past = target.read_json("manifest")
    if past is None or is_complete(target, past):
        return past is not None
    if past.get("rejudged_from") == of:
        return False
    command = shlex.join((past.get("rejudged_by") or past["command"])[1:])
    raise RecordError(
        f"{target.path} is the run of this very judge, unfinished; go on with it: python -m memlab {command}"
    )


def with_judge(old: Mapping[str, str], new: Mapping[str, str], *, own_llm: bool) -> dict[str, str]:
    """Return the options that a run was made of, those of its judge from the new ones."""

    def is_judge(group: str) -> bool:
        return group == "judge" or "@judge." in group

    kept = {group: option for group, option in old.items() if not is_judge(group)}
    own = {group: option for group, option in new.items() if is_judge(group)}
    return {**kept, **own, **({"llm@judge.llm": new["llm"]} if own_llm else {})}


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
