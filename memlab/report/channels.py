"""What each channel of a fused search brings back alone, and at what cost."""

from collections.abc import Sequence

from memlab.dialogue import SCORED_CATEGORIES
from memlab.report.rows import Run, caption, labels, milliseconds, number, with_interval
from memlab.report.table import Table

NOTE = (
    "Each channel's own ranking within the same bounds, from the same search. Whole: share of questions all of whose "
    "evidence it would show alone; alone: those that no other channel of the system would; alone @c: of category c. "
    "Tokens: context of what it would show. Search: its own part of the search."
)


def channels(runs: Sequence[Run]) -> Table | None:
    """Return what each channel finds, a row each, or None when no run has a fused search."""
    names, rows = labels([manifest for manifest, _ in runs])
    every = [(row, name, of) for row, (_, s) in zip(rows, runs, strict=True) for name, of in s["channels"].items()]
    if not every:
        return None
    present = [c for c in SCORED_CATEGORIES if any(str(c) in of["alone"] for *_, of in every)]
    cells = tuple(
        (
            *row,
            name,
            with_interval(of["evidence_recall"].get("overall")),
            *(number(of[share].get("overall", {}).get("value")) for share in ("whole", "alone")),
            *(number(of["alone"].get(str(category), {}).get("value")) for category in present),
            number(of["context_tokens"], 0),
            *(milliseconds(of[f"search_p{share}_seconds"]) for share in (50, 95)),
        )
        for row, name, of in every
    )
    headings = (*names, "channel", "recall", "whole", "alone", *(f"alone\n@{c}" for c in present), "context\ntokens")
    fused = [run for run in runs if run[1]["channels"]]
    return Table(
        f"Channels: {caption(fused, 'evidence_recall')}",
        (*headings, "search\np50 ms", "search\np95 ms"),
        cells,
        (NOTE,),
    )
