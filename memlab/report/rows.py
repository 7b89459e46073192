"""What tables of runs are made of: labels that tell runs apart, and numbers as words."""

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from memlab.records import Record
from memlab.report.cell import NOTHING, Number

Run = tuple[Record, Record]
"""Manifest and summary of a run."""
INTERVALS = "Intervals: 95 %, conversations resampled (expanded percentiles)."

OF_SYSTEMS = ("extractor", "updater", "store", "retriever", "answerer")
"""The groups that a system chooses from."""
IN_NO_NUMBER = (
    *("runs", "concurrency", "look_ahead", "tracker", "dataset.path", "cache", "budget"),
    *("on_failed_window", "stop_after_empty"),
    *("max_tokens", "timestamps"),  # the parts that heed them have them as their own
)

SAY_NOTHING = ("_target_", "timeout_seconds", "max_retries", "requests_at_once", "api_key_env", "base_url", "known_as")
"""Last words of keys that tell readers of a table nothing: how a thing is reached, not what it is."""


def flat(node: Any, prefix: str = "") -> dict[str, Any]:
    """Return a config tree as dotted keys."""
    if not isinstance(node, dict):
        return {prefix: node}
    return {
        key: value for name, inner in node.items() for key, value in flat(inner, f"{prefix}.{name}".lstrip(".")).items()
    }


def labels(manifests: Sequence[Record]) -> tuple[list[str], list[list[str]]]:
    """Return the options and settings that set some runs apart, beside their systems, and each run's values of them.

    Settings of a part count only between runs of one option of it, and parts of a system between runs of one system:
    others differ anyhow.
    """
    runs = [(manifest["choices"], flat(manifest["config"])) for manifest in manifests]
    groups = dict.fromkeys(key.partition(".")[0] for _, config in runs for key in config if "." in key)

    def like(choices: Mapping[str, str], group: str, *, option: bool = True) -> tuple[str | None, ...]:
        """Return what runs have in common that are compared in a group."""
        return choices.get("system") if group in OF_SYSTEMS else None, choices.get(group) if option else None

    def differs(found: Iterable[tuple[Hashable, Any]]) -> bool:
        """Return whether values differ between those of one kind."""
        first: dict[Hashable, Any] = {}
        return any(first.setdefault(kind, value) != value for kind, value in found)

    chosen = [
        group
        for group in groups
        if group not in IN_NO_NUMBER
        and differs((like(choices, group, option=False), choices.get(group)) for choices, _ in runs)
    ]
    settings = [
        key
        for key in dict.fromkeys(key for _, config in runs for key in config)
        if (group := key.partition(".")[0]) not in IN_NO_NUMBER
        and key not in IN_NO_NUMBER
        and not key.endswith(SAY_NOTHING)
        and differs((like(choices, group), config.get(key)) for choices, config in runs)
    ]
    rows = [
        [
            choices.get("system") or NOTHING,
            *(str(choices.get(group) or NOTHING) for group in chosen),
            *(as_written(config.get(key, NOTHING)) for key in settings),
        ]
        for choices, config in runs
    ]
    return ["system", *chosen, *settings], rows


def as_written(value: Any) -> str:
    """Return a setting as a config has it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def number(value: float | None, digits: int = 3) -> Number:
    """Return a number for a table; `-` where there is none."""
    return Number(NOTHING if value is None else f"{value:,.{digits}f}", value)


def with_interval(cell: Record | None) -> Number:
    """Return `0.412 [0.38, 0.45]`, or the value alone where conversations were too few to resample."""
    if not cell or cell["value"] is None or not cell["interval"]:
        return number(cell["value"] if cell else None)
    low, high = cell["interval"]
    return Number(f"{cell['value']:.3f} [{low:.2f}, {high:.2f}]", cell["value"], low=low, high=high)


def value_of(summary: Record, metric: str) -> float | None:
    """Return a metric's overall value, or None where there is none."""
    value: float | None = summary["metrics"].get(metric, {}).get("overall", {}).get("value")
    return value


def milliseconds(seconds: float | None) -> Number:
    """Return seconds as milliseconds for a table."""
    return number(None if seconds is None else 1000 * seconds, 1)


def caption(runs: Sequence[tuple[Record, Record]], metric: str) -> str:
    """Return what a metric's numbers are over."""
    data = {
        f"{manifest['dataset']['name']}, {manifest['dataset']['conversations']} conversations, "
        f"n={summary['metrics'].get(metric, {}).get('overall', {}).get('n', 0):,} questions": None
        for manifest, summary in runs
    }
    return f"categories 1-4 on {' and on '.join(data)}"
