"""What tables of runs are made of: labels that tell runs apart, and numbers as words."""

import json
from collections.abc import Sequence
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
    """Return the settings that set some runs apart, beside their systems, and each run's values of them.

    A part's settings count only between runs of one system: those of different systems differ anyhow.
    """
    systems = [manifest["choices"].get("system") or "-" for manifest in manifests]
    configs = [flat(manifest["config"]) for manifest in manifests]
    by_system = {name: [c for c, system in zip(configs, systems, strict=True) if system == name] for name in systems}

    def differs(key: str) -> bool:
        groups = by_system.values() if key.split(".")[0] in OF_SYSTEMS else [configs]
        return any(len({json.dumps(config.get(key)) for config in group}) > 1 for group in groups)

    chosen = [group for group in OF_SYSTEMS if differs(f"{group}._target_")]
    keys = dict.fromkeys(key for config in configs for key in config)
    differing = [
        key
        for key in keys
        if key.split(".")[0] not in IN_NO_NUMBER
        and key not in IN_NO_NUMBER
        and not key.endswith(SAY_NOTHING)
        and differs(key)
    ]
    # Where runs differ in the part itself, its option's name says more than its settings.
    differing = [key for key in differing if key.split(".")[0] not in chosen]
    rows = [
        [
            system,
            *(str(manifest["choices"].get(group, "-")) for group in chosen),
            *(str(config.get(key, "-")) for key in differing),
        ]
        for system, config, manifest in zip(systems, configs, manifests, strict=True)
    ]
    return ["system", *chosen, *differing], rows


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
