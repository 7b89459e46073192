"""One job of a study: from a config to a finished run folder."""

import asyncio
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from omegaconf import DictConfig
from rich.console import Console

from memlab.config import build, check, nodes, settings
from memlab.datasets.dataset import Corpus
from memlab.part import PartFailed
from memlab.progress import Stages
from memlab.records import LINES, Record, RunFolder, RunWriter
from memlab.run import Job, by_conversation, run_conversations
from memlab.run_key import environment, run_key
from memlab.summary import summarise
from memlab.windows import windows

ADHOC = "adhoc"
"""The study of a run that belongs to no experiment."""


def run_job(config: DictConfig, choices: dict[str, str], console: Console) -> Path:
    """Run one config, or go on with it, or do nothing when it is complete; return its folder.

    Raises ConfigError before anything is loaded, DatasetError when the data cannot be read, RecordError when the
    folder cannot be written.
    """
    check(config)
    parts, chosen = build(config), settings(config)
    corpus = parts.dataset.read()
    folder = RunFolder(run_folder(config, choices, corpus))
    study, key = folder.path.parent.name, folder.path.name
    with folder.opened() as writer:
        past = folder.read_json("manifest")
        if past is None or not is_complete(folder, past):
            manifest = {"status": "running", "key": key, "study": study, **described(config, choices, corpus)}
            writer.write_json("manifest", manifest)
            console.print(f"run {folder.path}{' (resumed)' if past else ''}", highlight=False)
            total = {
                "ingest": sum(
                    len(windows(c, size=parts.extractor.messages_per_window, m=0)) for c in corpus.conversations
                ),
                "answer": chosen.repeats * sum(len(c.questions) for c in corpus.conversations),
            }
            with Stages(console, total) as stages:
                job = Job(
                    parts,
                    chosen,
                    writer,
                    stages,
                    ingested=by_conversation(folder.read("ingest")),
                    answered=by_conversation(folder.read("answers")),
                )
                asyncio.run(run_conversations(corpus.conversations, job))
            finish(writer, manifest, corpus, chosen.seed)
        else:
            console.print(f"run {folder.path} (complete already)", highlight=False)
        try:
            if shown := parts.tracker.publish(folder.path, study=study):
                console.print(f"published: {shown}", highlight=False)
        except PartFailed as failure:
            console.print(f"not published, but recorded: {failure}", highlight=False)
    return folder.path


def is_complete(folder: RunFolder, manifest: Record) -> bool:
    """Return whether all that a finished run leaves is there: no file was lost since."""
    counts = manifest.get("counts", {})
    return (
        manifest.get("status") == "complete"
        and folder.read_json("summary") is not None
        and all(folder.count(name) == counts.get(name) for name in LINES)
    )


def run_folder(config: DictConfig, choices: dict[str, str], corpus: Corpus) -> Path:
    """Return where the run of a config on its dataset goes: runs/<experiment or adhoc>/<run key>."""
    key = run_key(nodes(config), settings(config), corpus.sha256)
    return Path(config.runs) / (choices.get("experiment") or ADHOC) / key


def described(config: DictConfig, choices: dict[str, str], corpus: Corpus) -> Record:
    """Return what a manifest says of a run: all that can change a number, and what it was run on."""
    return {
        "choices": {group: option for group, option in choices.items() if not group.startswith("hydra/")},
        "config": {**asdict(settings(config)), **without_secrets(nodes(config), nodes(config, resolve=False))},
        "command": sys.argv,
        "dataset": {
            "name": corpus.name,
            "sha256": corpus.sha256,
            "conversations": len(corpus.conversations),
            "turns": sum(len(conversation.turns) for conversation in corpus.conversations),
            "questions": sum(len(conversation.questions) for conversation in corpus.conversations),
            "notes": list(corpus.notes),
        },
        "prompts": {},
        "environment": environment(),
    }


def without_secrets(resolved: Any, written: Any) -> Any:
    """Return a config tree with what came from the environment as it was written, `${oc.env:KEY}`, not as its value."""
    if isinstance(resolved, dict):
        return {key: without_secrets(value, written[key]) for key, value in resolved.items()}
    return written if isinstance(written, str) and "oc.env" in written else resolved


def finish(writer: RunWriter, manifest: Record, corpus: Corpus, seed: int) -> None:
    """Put the records in the dataset's order, write the summary, and mark the run as complete when nothing failed."""
    found = {name: writer.folder.read(name) for name in LINES}
    place = {conversation.id: number for number, conversation in enumerate(corpus.conversations)}
    asked = {question.id: number for c in corpus.conversations for number, question in enumerate(c.questions)}
    ordered = {
        "ingest": sorted(found["ingest"], key=lambda r: (place[r["conversation"]], r["window"])),
        "answers": sorted(found["answers"], key=lambda r: (place[r["conversation"]], r["attempt"], asked[r["id"]])),
    }
    for name, records in ordered.items():
        if records != found[name]:
            writer.replace(name, records)
    summary = summarise(**(found | ordered), seed=seed)
    writer.write_json("summary", {"study": manifest["study"], "key": manifest["key"], **summary})
    counts = {name: len(records) for name, records in found.items()}
    failed = summary["questions"]["failed"]
    writer.write_json("manifest", {**manifest, "status": "incomplete" if failed else "complete", "counts": counts})
