"""What each phase of a run took from language models: calls, tokens, money, time, and what went wrong."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memlab.llm.budget import Prices
from memlab.records import Record
from memlab.score.statistics import percentile

PHASES = ("summary", "extract", "update", "answer", "judge")

Models = Mapping[str, str | None]
"""The model behind each phase."""


@dataclass(slots=True)
class Unit:
    """One unit of work of a phase: what it took, its seconds, and its flaws."""

    spent: Mapping[str, Any]
    seconds: float
    flaws: Iterable[str] = field(default_factory=tuple)


def units(found: Mapping[str, list[Record]]) -> dict[str, list[Unit]]:
    """Return the units of work of each phase, from the records of a run."""
    windows = found["ingest"]
    updates = [(w, [flaw for flaws in w["flaws"] for flaw in flaws]) for w in windows]
    return {
        "summary": [Unit(r["spent"], r["seconds"], r["flaws"]) for r in found["summaries"]],
        "extract": [Unit(w["extract"], w["extract_seconds"], w["extract_flaws"]) for w in windows],
        "update": [Unit(w["update"], w["update_seconds"], flaws) for w, flaws in updates],
        "answer": [Unit(r["spent"], r["total_seconds"], r["flaws"]) for r in found["answers"]],
        "judge": [Unit(r["spent"], r["seconds"], r["flaws"]) for r in found["verdicts"]],
    }


def phases(found: Mapping[str, list[Record]], prices: Prices, models: Models) -> dict[str, Any]:
    """Return the totals of each phase that called a model or had a flaw, and of all together.

    Tokens, dollars and calls are what the run took in all, replayed calls included: what it would cost anew. What was
    extracted ahead of the window which ended its conversation (on_failed_window=skip) is not in it: that is in no
    record. Its replies are in the cache, for the run that mends that window.
    """
    rows = {phase: phase_row(of_phase, prices, models.get(phase)) for phase, of_phase in units(found).items()}
    used = {phase: row for phase, row in rows.items() if row["calls"] or row["flaws"]}
    money = [row["usd"] for row in used.values()]
    total: dict[str, Any] = {
        name: sum(row[name] for row in used.values())
        for name in ("calls", "prompt_tokens", "completion_tokens", "requests", "replayed", "failed")
    }
    total["usd"] = None if None in money else sum(money)
    return {**used, "total": total}


def phase_row(of_phase: list[Unit], prices: Prices, model: str | None) -> dict[str, Any]:
    """Return the totals of one phase; dollars only where the model has a price."""

    def total(name: str) -> Any:
        return sum(unit.spent[name] for unit in of_phase)

    price = prices.models.get(model or "")
    tokens_in, tokens_out = total("prompt_tokens"), total("completion_tokens")
    seconds = [unit.seconds for unit in of_phase]
    return {
        "model": model,
        "units": len(of_phase),
        "calls": total("calls"),
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "estimated": total("estimated"),
        "usd": price.usd(tokens_in, tokens_out) if price else None if total("calls") else 0.0,
        "p50_seconds": percentile(seconds, 0.50),
        "p95_seconds": percentile(seconds, 0.95),
        "retry_seconds": total("retry_seconds"),
        "requests": total("requests"),
        "replayed": total("replayed"),
        "failed": total("failed"),
        "flaws": kinds(flaw for unit in of_phase for flaw in unit.flaws),
    }


def kinds(flaws: Iterable[str]) -> dict[str, int]:
    """Return how many flaws there are of each kind, the word before the colon."""
    return dict(sorted(Counter(flaw.split(":")[0] for flaw in flaws).items()))
