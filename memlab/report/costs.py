"""What runs took from language models: calls, tokens, money, seconds, flaws."""

from collections.abc import Sequence

from memlab.records import Record
from memlab.report.rows import Run, labels, milliseconds, number
from memlab.report.table import Table

BUILD = ("summary", "extract", "update")
NOTE = (
    "Build: summaries, extraction and updates of all conversations. Tokens in and out as the server counts them, "
    "replayed calls included: what the run costs anew. Times: of a question (search; search and answer) and of a "
    "window from its messages to its last memory; of replayed calls the original ones, waits for retries left out. "
    "Questions of category 5 are in all tokens and in no times. Flaws: replies that had to be repaired, could not be "
    "read, or were used in part (summary.json counts each kind). Replayed: calls answered from the cache."
)


def costs(runs: Sequence[Run]) -> Table:
    """Return what some runs took, a row each."""
    names, rows = labels([manifest for manifest, _ in runs])
    cells = tuple((*row, *cost_cells(summary)) for row, (_, summary) in zip(rows, runs, strict=True))
    headings: tuple[str, ...] = ("build\ncalls", "build\ntokens", "answer\ntokens", "judge\ntokens", "USD")
    headings += ("search\np50 ms", "search\np95 ms", "total\np50 s", "total\np95 s", "write\np95 s")
    headings += ("flaws", "replayed")
    notes = (NOTE, *price_notes(runs))
    asked = dict.fromkeys(f"{summary['questions']['attempts']:,}" for _, summary in runs)
    return Table(f"Costs of the whole runs, {' and '.join(asked)} answers", (*names, *headings), cells, notes)


def cost_cells(summary: Record) -> tuple[str, ...]:
    """Return the cells of one run."""
    phases, latency = summary["phases"], summary["latency"]
    build = [phases[phase] for phase in BUILD if phase in phases]
    rows = [row for name, row in phases.items() if name != "total"]
    seconds = [latency[f"total_p{share}_seconds"] for share in (50, 95)]
    return (
        number(sum(row["calls"] for row in build), 0),
        number(sum(tokens(row) for row in build), 0),
        *(number(tokens(phases[phase]) if phase in phases else 0, 0) for phase in ("answer", "judge")),
        number(phases["total"]["usd"], 4),
        *(milliseconds(latency[f"search_p{share}_seconds"]) for share in (50, 95)),
        *(number(value, 3) for value in (*seconds, summary["ingest"]["write_p95_seconds"])),
        number(sum(count for row in rows for count in row["flaws"].values()), 0),
        number(phases["total"]["replayed"], 0),
    )


def tokens(row: Record) -> int:
    """Return the tokens of a phase, in and out."""
    return int(row["prompt_tokens"] + row["completion_tokens"])


def price_notes(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return where the prices are from, and which model has none."""
    dates = dict.fromkeys(manifest["prices"]["date"] for manifest, _ in runs)
    rows = [row for _, summary in runs for name, row in summary["phases"].items() if name != "total"]
    unpriced = dict.fromkeys(row["model"] for row in rows if row["usd"] is None)
    lacking = f"; no price is known for {', '.join(map(str, unpriced))}" if unpriced else ""
    return (f"Prices as of {', '.join(dates)}{lacking}.",)
