"""Which operations some runs chose, which were right, and what that left in their memories."""

from collections.abc import Sequence

from memlab.gold import OPERATIONS
from memlab.records import Record
from memlab.report.rows import INTERVALS, Run, flat, labels, number, value_of, with_interval
from memlab.report.table import Table
from memlab.summary.operations import KINDS

NOTE = (
    "Against the dataset's gold. Macro-F1: mean over the operations. Target: of rightly chosen operations that have "
    "one, those on a memory that tells what the operation is about. Lost: new facts that no memory tells after the "
    "decision; overwritten, deleted: true facts that an UPDATE or DELETE took away; all in facts. "
    f"{INTERVALS}"
)
REPLACES_NOTE = (
    "With on_delete=replace a DELETE is carried out, recorded and counted as an UPDATE; on_delete=retire tells them "
    "apart."
)
STATE_NOTE = (
    "At the end, over all stores. Precision: of the facts that live memories tell, those that are true and not told "
    "by another memory already. Recall: of the facts that are true, those that a live memory tells. Stale: told, no "
    "longer true. Repeated: told by a memory more than needed. F1 and evidence: of the questions; now, before: of "
    "those about what has changed, the present value and the one before."
)


def measured(runs: Sequence[Run]) -> tuple[list[str], list[tuple[list[str], Record, Record]]]:
    """Return the headings of labels, and for each run with gold its labels, its operations and its summary."""
    names, rows = labels([manifest for manifest, _ in runs])
    found = [(row, s["operations"], s) for row, (_, s) in zip(rows, runs, strict=True) if s["operations"]]
    return names, found


def operations(runs: Sequence[Run]) -> Table | None:
    """Return how well operations were chosen in some runs, a row each; None without gold."""
    names, found = measured(runs)
    if not found:
        return None
    cells = tuple(
        (
            *row,
            with_interval(own["macro_f1"]),
            *(number(own["operations"][name]["f1"]) for name in OPERATIONS),
            number(own["accuracy"]["value"]),
            number(own["target"]["value"]),
            *(str(own[name]) for name in ("lost", "overwritten", "deleted")),
            number(1000 * own["decision_seconds"], 2) if own["decision_seconds"] is not None else "-",
            number(own["tokens_per_decision"], 0),
        )
        for row, own, _ in found
    )
    notes = (NOTE, REPLACES_NOTE) if any(replaces(manifest) for manifest, s in runs if s["operations"]) else (NOTE,)
    headings = (
        *names, "macro-F1", *(f"F1\n{name}" for name in OPERATIONS), "accuracy", "target",
        "lost", "over-\nwritten", "deleted", "ms per\ndecision", "tokens per\ndecision",
    )  # fmt: skip
    counts = sorted({own["decisions"] for _, own, _ in found})
    return Table(f"Operations: n={' or '.join(f'{n:,}' for n in counts)} decisions", headings, cells, notes)


def replaces(manifest: Record) -> bool:
    """Return whether a contradicting fact took the memory's place in a run, for any part of its updater."""
    settings = flat(manifest["config"].get("updater", {}))
    return any(key.rpartition(".")[2] == "on_delete" and value == "replace" for key, value in settings.items())


def states(runs: Sequence[Run]) -> Table | None:
    """Return what the decisions of some runs left in their memories, beside their answers, a row each."""
    names, found = measured(runs)
    if not found:
        return None
    cells = tuple(
        (
            *row,
            *(number(own["state"][name]) for name in ("precision", "recall")),
            *(number(own["state"][name], 0) for name in ("true", "memories", "stale", "repeated")),
            number(value_of(summary, "evidence_recall")),
            with_interval(summary["metrics"].get("f1", {}).get("overall")),
            *(with_interval(own["changed"][kind]) for kind in KINDS),
        )
        for row, own, summary in found
    )
    headings = (*names, "precision", "recall", "true\nfacts", "memories", "stale", "repeated", "evidence\nrecall", "F1")
    headings += tuple(f"F1 {kind}\nn={max(own['changed'][kind]['n'] for _, own, _ in found)}" for kind in KINDS)
    stores = max(own["state"]["stores"] for _, own, _ in found)
    return Table(f"Memory against the truth: {stores} stores", headings, cells, (STATE_NOTE,))


def confusions(runs: Sequence[Run]) -> list[Table]:
    """Return one table: for each run and right operation, how often each operation was chosen."""
    names, found = measured(runs)
    cells = tuple(
        (*row, gold, *(number(own["confusion"][gold][chosen], 0) for chosen in OPERATIONS))
        for row, own, _ in found
        for gold in OPERATIONS
    )
    note = "A row a run and right operation; columns: the chosen one, in decisions."
    return [Table("Confusion of operations", (*names, "right", *OPERATIONS), cells, (note,))] if found else []
