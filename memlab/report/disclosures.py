"""What readers of a number must know of how it was made: the settings that the paper leaves open, and the set-up."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from memlab.conf_files import conf_folder
from memlab.records import Record
from memlab.report.cell import NOTHING
from memlab.report.figures.series import named_series
from memlab.report.rows import OF_SYSTEMS, SAY_NOTHING, Run, as_written, flat
from memlab.report.table import Table

MARK = "not stated in the paper"
SETTING = re.compile(r"^([ ]*)([\w.]+):.*(?:\n[ ]+#.*)*", re.MULTILINE)
"""A setting in a file of conf/, with the lines of comment that go on below it."""
TARGET = re.compile(r"^([ ]*)_target_: *(\S+)", re.MULTILINE)
SHORT = 12
"""Characters of a hash that are shown."""
GROUPS = ("system", *OF_SYSTEMS, "summary", "embedder", "llm", "judge")
SETUP_NOTE = (
    "All attempts at a question count alike. The same command asks failed ones again, and those alone: none is asked "
    "again for being wrong. A failed answer is in no value."
)
OPEN_NOTE = "Settings that arXiv 2504.19413 leaves open, as these runs had them. Parts that a run has not are left out."


def disclosures(runs: Sequence[Run]) -> list[Table]:
    """Return what was run, what the paper leaves open and what each run had there, then the set-up."""
    names = [one.label for one in named_series(runs)[1]]
    left_open = [dict(open_settings(manifest)) for manifest, _ in runs]
    return [
        parts(names, runs),
        listed("Left open by the paper", names, left_open, OPEN_NOTE),
        listed("Set-up", names, [dict(setup(manifest, summary)) for manifest, summary in runs], SETUP_NOTE),
    ]


def parts(names: Sequence[str], runs: Sequence[Run]) -> Table:
    """Return which parts each run was made of, and its key; parts that all leave out are left out."""
    choices = [manifest["choices"] for manifest, _ in runs]
    groups = [group for group in GROUPS if any(own.get(group) not in (None, "none") for own in choices)]
    if list(names) == [own.get("system") for own in choices]:
        groups.remove("system")
    rows = [
        (name, *(str(own.get(group) or "-") for group in groups), manifest.get("key") or "-")
        for name, own, (manifest, _) in zip(names, choices, runs, strict=True)
    ]
    return Table(
        "What was run", ("run", *groups, "key"), tuple(rows), ("A run's records are in the folder of its key.",)
    )


def listed(caption: str, names: Sequence[str], found: Sequence[Mapping[str, str]], note: str) -> Table:
    """Return a row a setting: its value, or its values with the runs that had each; runs without it are left out."""
    rows = []
    for key in dict.fromkeys(key for one in found for key in one):
        having: dict[str, list[str]] = {}
        for name, one in zip(names, found, strict=True):
            if key in one:
                having.setdefault(one[key], []).append(name)
        everywhere = sum(map(len, having.values())) == len(found)
        if len(having) == 1 and everywhere:
            rows.append((key, next(iter(having))))
            continue
        most = max(having, key=lambda value: len(having[value])) if everywhere and len(found) > 3 else None
        told = [f"{value} ({'all others' if value == most else ', '.join(own)})" for value, own in having.items()]
        rows.append((key, "; ".join(told)))
    return Table(caption, ("setting", "value"), tuple(rows), (note,))


@cache
def open_keys() -> frozenset[tuple[str, str]]:
    """Return the settings that conf/ marks as not stated in the paper: the class of their part, and their name."""
    found = set()
    for file in sorted(conf_folder().rglob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        # The class of a setting stands beside it, not above or below it: at the same depth.
        targets = {match[1]: match[2] for match in TARGET.finditer(text)}
        for match in SETTING.finditer(text):
            if MARK in match[0].lower():
                found.add((targets.get(match[1], ""), match[2]))
    return frozenset(found)


def open_settings(manifest: Record) -> Iterator[tuple[str, str]]:
    """Yield the settings of a run that the paper leaves open, with their values."""
    yield from within(manifest["config"], "", "")


def within(node: Mapping[str, Any], target: str, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the open settings of a part and of the parts inside it."""
    for name, value in node.items():
        if (target, name) in open_keys() and not isinstance(value, dict):
            yield f"{prefix}{name}", as_written(value)
        if isinstance(value, dict):
            yield from within(value, value.get("_target_", target), f"{prefix}{name}.")


def setup(manifest: Record, summary: Record) -> Iterator[tuple[str, str]]:
    """Yield what a run was made of and on, and what went wrong; an older memlab did not record all of it."""
    dataset, environment, config = manifest["dataset"], manifest.get("environment") or {}, manifest["config"]
    yield "dataset", f"{dataset['name']}, {dataset['conversations']} conversations, {dataset['questions']:,} questions"
    yield "dataset sha256", dataset["sha256"]
    if dataset.get("notes"):
        yield "dataset, mended", "; ".join(dataset["notes"])
    yield "context bound", bound(config.get("retriever") or {})
    yield "recent turns m, similar memories s", f"{config.get('m', NOTHING)}, {config.get('s', NOTHING)}"
    yield "tokens", f"cl100k_base, tiktoken {environment.get('packages', {}).get('tiktoken', '-')}"
    yield "embedder", with_settings(manifest, "embedder")
    if config.get("llm"):
        yield "language model", with_settings(manifest, "llm")
    phases = summary["phases"]
    models = {phase: own["model"] for phase, own in phases.items() if own.get("model") and own.get("calls")}
    yield "models that were called", ", ".join(f"{phase}: {model}" for phase, model in models.items()) or "none"
    yield "judge", with_settings(manifest, "judge")
    card = manifest.get("judge") or {}
    for name in (name for name in OF_CARDS if name in card):
        yield f"judge's card: {name}", as_written(card[name])
    for name, sha256 in (manifest.get("prompts") or {}).items():
        yield f"prompt {name}, sha256", str(sha256)[:SHORT]
    yield "seed", str(config.get("seed"))
    yield from outcome(config, summary)
    for name, value in flat(environment).items():
        yield NAMES.get(name, name.removeprefix("packages.")), as_written(value)
    yield "command", " ".join(map(str, manifest.get("command", [])[1:])) or "-"


OF_CARDS = ("n", "labels", "agreement", "auc", "expected_calibration_error")
"""Of a judge's card, what says how far to believe it; manifest.json has all of it."""
NAMES = {"git": "git commit (null: not run from a checkout)"}


def outcome(config: Record, summary: Record) -> Iterator[tuple[str, str]]:
    """Yield how a run ended: attempts, failures, and what it did not pay for."""
    questions, ingest, total = summary["questions"], summary["ingest"], summary["phases"]["total"]
    repeats = config.get("repeats", 1)
    expected = questions["asked"] * repeats
    yield "attempts", f"{repeats} at every question, {questions.get('attempts', expected):,} of {expected:,} on record"
    counts = (f"{name.replace('_', ' ')} {questions.get(name, 0):,}" for name in ("answered", "failed", "not_asked"))
    yield "questions", f"asked {questions['asked']:,}; attempts: {', '.join(counts)}"
    yield "windows ingested", f"{ingest['windows'] - ingest['failed_windows']:,} of {ingest['expected_windows']:,}"
    yield "calls of models", f"{total['calls']:,}, of them replayed from a cache {total['replayed']:,}"
    yield "answers with replayed latency", f"{summary['latency'].get('replayed', 0):,}"
    failures = summary.get("failures") or {}
    if any(failures.values()):
        yield "failures", ", ".join(f"{name}: {count:,}" for name, count in failures.items())


def bound(retriever: Record) -> str:
    """Return how much a retriever shows at most."""
    tokens, memories = retriever.get("max_tokens"), retriever.get("top_k")
    told = [f"{tokens:,} tokens"] if tokens is not None else []
    told += [f"{memories:,} memories"] if memories is not None else []
    return " and ".join(told) or "none: all that it ranks"


def with_settings(manifest: Record, group: str) -> str:
    """Return the option that a run chose of a group, with its plain settings."""
    node = manifest["config"].get(group) or {}
    told = [f"{name} {as_written(value)}" for name, value in node.items() if is_told(name, value)]
    option = str(manifest["choices"].get(group) or "none")
    return f"{option} ({', '.join(told)})" if told else option


def is_told(name: str, value: Any) -> bool:
    """Return whether readers of a number want to know a setting: not how a server is reached, or what is not set."""
    return value is not None and not isinstance(value, dict) and not name.endswith(SAY_NOTHING)
