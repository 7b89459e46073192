"""Manifests and summaries of runs that never were, for tables and figures."""

from typing import Any

from memlab.report.rows import Run

STAGES = ("ingested", "extracted", "survived", "retrieved", "used")
BUDGETS = ("evidence_recall@512t", "evidence_recall@1764t", "evidence_recall@3616t")


def cell(value: float, n: int = 40) -> dict[str, Any]:
    return {"n": n, "value": value, "interval": [value - 0.05, value + 0.04], "unscored": {}}


def invented(system: str, quality: float, *, tokens: float = 100.0, judged: bool = False, **config: Any) -> Run:
    """Return a run whose F1 is `quality`, and whose other values follow from it."""
    groups = ("overall", "1", "2", "3", "4")
    metrics = {
        "f1": {group: cell(quality + 0.01 * place) for place, group in enumerate(groups)},
        "evidence_recall": {group: cell(quality / 2 + 0.01 * place) for place, group in enumerate(groups)},
        **{metric: {"overall": cell(quality * share)} for metric, share in zip(BUDGETS, (0.5, 0.7, 0.9), strict=True)},
        **{f"evidence_{stage}": {"overall": cell(1 - 0.1 * place)} for place, stage in enumerate(STAGES)},
    }
    if judged:
        metrics["judge_generous"] = {group: cell(quality + 0.1) for group in groups}
    manifest = {
        "choices": {"system": system},
        "config": {"seed": 0, **config},
        "dataset": {"name": "mini", "conversations": 3, "questions": 50, "sha256": "0" * 64},
    }
    summary = {
        "metrics": metrics,
        "judges": {"generous": {}} if judged else {},
        "tokens": {"context_tokens": tokens},
        "latency": {"total_p95_seconds": tokens / 1000},
        "operations": None,
        "questions": {"asked": 50},
    }
    return manifest, summary
