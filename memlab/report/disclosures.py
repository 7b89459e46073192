"""What readers of a number must know of how it was made: the settings that the paper leaves open, and the set-up."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from memlab.conf_files import conf_folder
from memlab.records import Record
from memlab.report.rows import Run, flat
from memlab.report.table import Table

MARK = "not stated in the paper"
SHORT = 12
"""Characters of a hash that are shown."""
OPEN_NOTE = "Settings that arXiv 2504.19413 leaves open, as these runs had them. Parts that a run has not are left out."


def disclosures(runs: Sequence[Run]) -> list[Table]:
    """Return what the paper leaves open and what each run had there, then the set-up; alike runs share a row."""
    manifests = [manifest for manifest, _ in runs]
    return [
        listed("Left open by the paper", [dict(open_settings(manifest)) for manifest in manifests], OPEN_NOTE),
        listed(
            "Set-up",
            [dict(setup(manifest, summary)) for manifest, summary in runs],
            "Tokens: context alone, cl100k_base. A failed answer is in no value; only attempt 1 and its like of every "
            "question are scored, none is asked again for being wrong.",
        ),
    ]


def listed(caption: str, found: Sequence[Mapping[str, str]], note: str) -> Table:
    """Return a row a setting: its value, or its values with the number of runs that had each."""
    keys = dict.fromkeys(key for one in found for key in one)
    rows = []
    for key in keys:
        counts: dict[str, int] = {}
        for one in found:
            if key in one:
                counts[one[key]] = counts.get(one[key], 0) + 1
        alone = len(counts) == 1
        values = [value if alone else f"{value} ({count} of {len(found)} runs)" for value, count in counts.items()]
        rows.append((key, "; ".join(values)))
    return Table(caption, ("setting", "value"), tuple(rows), (note,))


@cache
def open_keys() -> frozenset[tuple[str, str]]:
    """Return the settings that conf/ marks as not stated in the paper: the class of their part, and their name."""
    found = set()
    for file in sorted(conf_folder().rglob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        names = [match[1] for line in text.splitlines() if MARK in line and (match := re.match(r"\s*([\w.]+):", line))]
        target = re.search(r"^\s*_target_: *(\S+)", text, re.MULTILINE)
        found |= {(target[1] if target else "", name) for name in names}
    return frozenset(found)


def open_settings(manifest: Record) -> Iterator[tuple[str, str]]:
    """Yield the settings of a run that the paper leaves open, with their values."""
    yield from within(manifest["config"], "", "")


def within(node: Mapping[str, Any], target: str, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the open settings of a part and of the parts inside it."""
    for name, value in node.items():
        if (target, name) in open_keys() and not isinstance(value, dict):
            yield f"{prefix}{name}", str(value)
        if isinstance(value, dict):
            yield from within(value, value.get("_target_", target), f"{prefix}{name}.")


def setup(manifest: Record, summary: Record) -> Iterator[tuple[str, str]]:
    """Yield what a run was made of and on, and what went wrong."""
    dataset, environment = manifest["dataset"], manifest["environment"]
    config = manifest["config"]
    yield "dataset", f"{dataset['name']}, {dataset['conversations']} conversations, {dataset['questions']:,} questions"
    yield "dataset sha256", dataset["sha256"][:SHORT]
    for note in dataset.get("notes", []):
        yield "dataset, mended", note
    yield "embedder", manifest["choices"].get("embedder", "-")
    phases = summary["phases"]
    models = {phase: found["model"] for phase, found in phases.items() if found.get("model") and found.get("calls")}
    yield "models", ", ".join(f"{phase}: {model}" for phase, model in models.items()) or "none"
    yield "judge", manifest["choices"].get("judge", "none")
    for name, value in flat(manifest.get("judge") or {}).items():
        if not isinstance(value, (list, dict)):
            yield f"judge's card: {name}", str(value)
    for name, sha256 in (manifest.get("prompts") or {}).items():
        yield f"prompt {name}", str(sha256)[:SHORT]
    yield "seed", str(config.get("seed"))
    yield "attempts at every question", str(config.get("repeats"))
    yield "answers replayed from a cache", f"{summary['latency'].get('replayed', 0):,}"
    yield (
        "questions: asked, answered, failed, not asked",
        ", ".join(f"{summary['questions'].get(name, 0):,}" for name in ("asked", "answered", "failed", "not_asked")),
    )
    ingest = summary["ingest"]
    yield "windows ingested", f"{ingest['windows']:,} of {ingest['expected_windows']:,}"
    for name, value in flat(environment).items():
        yield name, value if isinstance(value, str) else json.dumps(value)
    yield "command", " ".join(map(str, manifest.get("command", [])[1:]))
