"""What ingestion did, whether it is whole, and what state it left the stores in."""

from collections import Counter
from typing import Any

from memlab.memory_json import content_from_json
from memlab.records import Record
from memlab.score.statistics import percentile
from memlab.summary.phases import kinds
from memlab.tokens import count_tokens


def ingest_totals(windows: list[Record], memories: list[Record], *, expected: int) -> dict[str, Any]:
    """Return windows, candidates, operations by kind, flaws, memories, hygiene, and what it cost.

    `completeness` is the share of all windows that were ingested without failing. `write_*_seconds` is what a window
    takes from its messages to its last memory, waits for other windows left out.
    """
    done = sum(window["status"] == "done" for window in windows)
    operations = Counter(
        operation["type"] for window in windows for chosen in window["operations"] for operation in chosen
    )
    seconds = [window["seconds"] for window in windows]
    return {
        "windows": len(windows),
        "expected_windows": expected,
        "failed_windows": len(windows) - done,
        "completeness": done / expected if expected else 1.0,
        "candidates": sum(len(window["candidates"]) for window in windows),
        "operations": dict(sorted(operations.items())),
        "lost_facts": sum(lost(chosen) for window in windows for chosen in window["operations"]),
        "flaws": kinds(
            flaw for window in windows for found in (window["extract_flaws"], *window["flaws"]) for flaw in found
        ),
        **hygiene(memories, operations),
        "calls": sum(window["calls"] for window in windows),
        "tokens": sum(window["tokens"] for window in windows),
        "work_seconds": sum(seconds),
        "write_p50_seconds": percentile(seconds, 0.50),
        "write_p95_seconds": percentile(seconds, 0.95),
    }


def lost(operations: list[Record]) -> bool:
    """Return whether a decision retired a memory for a new fact that is stored nowhere."""
    types = {operation["type"] for operation in operations}
    known = any(operation.get("duplicate_of") is not None for operation in operations)
    return "delete" in types and not types & {"add", "update"} and not known


def hygiene(memories: list[Record], operations: Counter[str]) -> dict[str, Any]:
    """Return the state of the stores: how many memories, retired, said twice, how often changed, how long.

    `duplicate_rate`: the share of live memories that say word for word, case and spaces aside, what an older live one
    of the same store says. `churn`: changes (UPDATE, DELETE) for each memory ever added.
    """
    live = [memory for memory in memories if memory["retired_at"] is None]
    texts = [content_from_json(memory["content"]).text for memory in live]
    stores = [(memory["conversation"], memory["perspective"]) for memory in live]
    distinct = {(store, " ".join(text.lower().split())) for store, text in zip(stores, texts, strict=True)}
    changes = operations["update"] + operations["delete"]
    return {
        "memories": len(live),
        "retired": len(memories) - len(live),
        "retired_share": (len(memories) - len(live)) / len(memories) if memories else None,
        "duplicate_rate": 1 - len(distinct) / len(live) if live else None,
        "churn": changes / len(memories) if memories else None,
        "mean_memory_tokens": sum(map(count_tokens, texts)) / len(texts) if texts else None,
    }
