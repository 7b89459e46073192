"""One job of a study: from a config to a finished run folder."""

import asyncio
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hydra.utils import get_object
from omegaconf import DictConfig
from rich.console import Console

from memlab.config import build, check, nodes, settings
from memlab.datasets.dataset import Corpus
from memlab.job import Job, recorded
from memlab.llm.chat import ChatModel
from memlab.part import PartFailed
from memlab.parts import Parts
from memlab.perspective import owners
from memlab.progress import Stages
from memlab.records import LINES, Record, RunFolder, RunWriter
from memlab.run import run_conversations
from memlab.run_key import environment, model_files, prompts_of, run_key
from memlab.settings import ConfigError, Settings
from memlab.signature import parameters, part_type
from memlab.summary.summary import summarise
from memlab.verdicts import wanted
from memlab.windows import windows

ADHOC = "adhoc"
"""The study of a run that belongs to no experiment."""
INCOMPLETE = 3
"""The exit code after runs of which something failed; the same command tries that again."""
VARIABLE = re.compile(r"oc\.env: *['\"]?(\w+)")


def run_job(config: DictConfig, choices: dict[str, str], console: Console) -> Path:
    """Run one config, or go on with it, or do nothing when it is complete; return its folder.

    Raises ConfigError before anything is loaded, DatasetError when the data cannot be read, RecordError when the
    folder cannot be written.
    """
    check(config)
    parts, chosen = build(config), settings(config)
    if chosen.preview:
        raise ConfigError(["preview=true records nothing; it is shown by memlab.preview.show_previews"])
    corpus = parts.dataset.read()
    folder = RunFolder(run_folder(config, choices, corpus))
    study, key = folder.path.parent.name, folder.path.name
    with folder.opened() as writer:
        past = folder.read_json("manifest")
        if past is None or not is_complete(folder, past):
            manifest = {
                "status": "running",
                "key": key,
                "study": study,
                **described(config, choices, corpus),
                "judge": parts.judge.card(),
            }
            writer.write_json("manifest", manifest)
            console.print(f"run {folder.path}{' (resumed)' if past else ''}", highlight=False)
            totals = work(corpus, parts, chosen)
            try:
                with Stages(console, totals) as stages:
                    job = Job(parts, chosen, writer, stages, recorded(folder, writer))
                    asyncio.run(run_conversations(corpus.conversations, job))
            except BaseException as error:
                writer.write_json("manifest", {**manifest, "status": "stopped", "reason": reason(error)})
                raise
            finish(writer, manifest, corpus, chosen, expected=totals)
        else:
            console.print(f"run {folder.path} (complete already)", highlight=False)
        try:
            if shown := parts.tracker.publish(folder.path, study=study):
                console.print(f"published: {shown}", highlight=False)
        except PartFailed as failure:
            console.print(f"not published, but recorded: {failure}", highlight=False)
    return folder.path


def leave_incomplete(folders: Iterable[Path]) -> None:
    """Exit with INCOMPLETE, naming the runs of which something failed, when there are any."""
    manifests = [(folder, RunFolder(folder).read_json("manifest") or {}) for folder in folders]
    if failed := [str(folder) for folder, manifest in manifests if manifest.get("status") == "incomplete"]:
        print(f"incomplete: {', '.join(failed)}; the same command tries again what failed", file=sys.stderr)
        raise SystemExit(INCOMPLETE)


def work(corpus: Corpus, parts: Parts, chosen: Settings) -> dict[str, int]:
    """Return how much there is to do in each stage."""
    size = parts.extractor.messages_per_window
    questions = [question for c in corpus.conversations for question in c.questions]
    totals = {
        "ingest": sum(
            len(owners(c, chosen.perspective)) * len(windows(c, size=size, m=0)) for c in corpus.conversations
        ),
        "answer": chosen.repeats * len(questions),
    }
    if parts.judge.rubrics:
        totals["judge"] = chosen.repeats * sum(len(wanted(parts.judge, question, 1)) for question in questions)
    return totals


def reason(error: BaseException) -> str:
    """Return why a run stopped; of several reasons, the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


def is_complete(folder: RunFolder, manifest: Record) -> bool:
    """Return whether all that a finished run leaves is there: no file was lost since."""
    counts = manifest.get("counts", {})
    return (
        manifest.get("status") == "complete"
        and folder.read_json("summary") is not None
        and all(folder.count(name) == counts.get(name, 0) for name in LINES)
    )


def run_folder(config: DictConfig, choices: dict[str, str], corpus: Corpus) -> Path:
    """Return where the run of a config on its dataset goes: runs/<experiment or adhoc>/<run key>."""
    key = run_key(nodes(config), settings(config), corpus.sha256, model_files(nodes(config)))
    return Path(config.runs) / (choices.get("experiment") or ADHOC) / key


def described(config: DictConfig, choices: dict[str, str], corpus: Corpus) -> Record:
    """Return what a manifest says of a run: all that can change a number, and what it was run on."""
    chosen = settings(config)
    plain = {name: value for name, value in asdict(chosen).items() if name not in ("prices", "preview")}
    return {
        "choices": {group: option for group, option in choices.items() if not group.startswith("hydra/")},
        "config": {**plain, **without_secrets(nodes(config), nodes(config, resolve=False))},
        "command": sys.argv,
        "dataset": {
            "name": corpus.name,
            "sha256": corpus.sha256,
            "conversations": len(corpus.conversations),
            "turns": sum(len(conversation.turns) for conversation in corpus.conversations),
            "questions": sum(len(conversation.questions) for conversation in corpus.conversations),
            "notes": list(corpus.notes),
        },
        "prompts": prompts_of(nodes(config)),
        "model_files": model_files(nodes(config)),
        "prices": {"date": chosen.prices.date, "models": {name: asdict(p) for name, p in chosen.prices.models.items()}},
        "environment": environment(),
    }


def without_secrets(resolved: Any, written: Any) -> Any:
    """Return a config tree with what came from the environment as it was written, `${oc.env:KEY}`, not as its value."""
    return masked(resolved, written, {name: value for name in named(written) if (value := os.environ.get(name))})


def masked(resolved: Any, written: Any, secrets: Mapping[str, str]) -> Any:
    """Return a config tree without the values of these variables, however they came to where they are."""
    if isinstance(resolved, dict):
        inner = written if isinstance(written, dict) else dict.fromkeys(resolved, written)
        return {key: masked(value, inner[key], secrets) for key, value in resolved.items()}
    if isinstance(resolved, list):
        items = written if isinstance(written, list) else [written] * len(resolved)
        return [masked(value, item, secrets) for value, item in zip(resolved, items, strict=True)]
    if not (isinstance(written, str) and "${" in written):
        return resolved
    if "oc.env" in written:
        return written
    text = str(resolved)
    for name, value in secrets.items():
        text = text.replace(value, f"${{oc.env:{name}}}")
    return resolved if text == str(resolved) else text


def named(written: Any) -> set[str]:
    """Return the names of the environment variables that a config tree refers to."""
    if isinstance(written, dict | list):
        return {name for inner in (written.values() if isinstance(written, dict) else written) for name in named(inner)}
    return set(VARIABLE.findall(written)) if isinstance(written, str) else set()


def finish(
    writer: RunWriter, manifest: Record, corpus: Corpus, chosen: Settings, *, expected: Mapping[str, int]
) -> None:
    """Put the records in the dataset's order, write the summary, and mark the run as complete when nothing failed."""
    found = {name: writer.folder.read(name) for name in LINES}
    place = {conversation.id: number for number, conversation in enumerate(corpus.conversations)}
    speakers = {c.id: {name: number for number, name in enumerate((None, *c.speakers))} for c in corpus.conversations}
    asked = {question.id: number for c in corpus.conversations for number, question in enumerate(c.questions)}
    order: dict[str, Callable[[Record], Any]] = {
        "summaries": lambda r: r["window"],
        "ingest": lambda r: (speakers[r["conversation"]][r["perspective"]], r["window"]),
        "answers": lambda r: (r["attempt"], asked[r["id"]]),
        "verdicts": lambda r: (r["probe"] or "", r["attempt"], asked[r["id"]], r["rubric"], r["sample"]),
    }
    for name, key in order.items():
        records = sorted(found[name], key=lambda record: (place[record["conversation"]], key(record)))
        if records != found[name]:
            writer.replace(name, records)
            found[name] = records
    summed_up(writer, manifest, found, chosen, expected=expected)


def summed_up(
    writer: RunWriter,
    manifest: Record,
    found: Mapping[str, list[Record]],
    chosen: Settings,
    *,
    expected: Mapping[str, int],
) -> None:
    """Write the summary of a run's records by file, and the manifest with the status that follows from it."""
    summary = summarise(
        found,
        prices=chosen.prices,
        seed=chosen.seed,
        expected=expected,
        llms=models(manifest),
        card=manifest.get("judge"),
    )
    writer.write_json("summary", {"study": manifest["study"], "key": manifest["key"], **summary})
    counts = {name: len(records) for name, records in found.items()}
    writer.write_json("manifest", {**manifest, "status": summary["status"], "counts": counts})


def models(manifest: Record) -> dict[str, str | None]:
    """Return the name of the model behind each phase of a run, `a and b` where its parts have different ones.

    Such a pair has no price: what it takes of each model is not counted apart.
    """
    config = manifest["config"]
    shared = config["llm"].get("model")
    phases = {
        "summary": ("summary",),
        "extract": ("extractor",),
        "update": ("updater",),
        "answer": ("retriever", "answerer"),
        "judge": ("judge",),
    }
    found = {
        phase: {model for part in parts for model in models_in(config[part], shared)} for phase, parts in phases.items()
    }
    return {phase: " and ".join(sorted(names)) or None for phase, names in found.items()}


def models_in(node: Mapping[str, Any], shared: str | None) -> Iterator[str]:
    """Yield the models of a part and of those inside it; `shared` is that of a part without one of its own."""
    own = node.get("llm")
    try:
        wanted = [part_type(parameter.annotation) for parameter in parameters(get_object(node["_target_"])).values()]
    except Exception:
        # An old run's class may be gone, and importing it may raise anything.
        wanted = [ChatModel]
    if any(kind is not None and issubclass(kind, ChatModel) for kind in wanted):
        model = own.get("model") if isinstance(own, Mapping) else shared
        yield from filter(None, [model])
    for name, inner in node.items():
        if name != "llm" and isinstance(inner, Mapping) and "_target_" in inner:
            yield from models_in(inner, shared)
