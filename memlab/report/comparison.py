"""Runs side by side: one row a run, sanity rows included."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console

from memlab.dialogue import CATEGORIES, CATEGORY_NAMES
from memlab.records import Record, RecordError, RunFolder, write_whole
from memlab.report.alone import Shares, alone, alone_table, comparable
from memlab.report.channels import channels
from memlab.report.costs import costs
from memlab.report.folders import finished
from memlab.report.graph_statistics import graph_statistics
from memlab.report.judges import j_cells, j_headings, judge_notes
from memlab.report.operations import confusions, operations, states
from memlab.report.paired import Paired, paired, paired_tables
from memlab.report.paper import paper_tables
from memlab.report.rows import (
    INTERVALS,
    OF_SYSTEMS,
    Run,
    caption,
    labels,
    milliseconds,
    number,
    value_of,
    with_interval,
)
from memlab.report.scores import scores_looked_at
from memlab.report.table import Table
from memlab.score.answer_scores import FUNNEL
from memlab.spelling import did_you_mean

QUALITY = {"F1": "f1", "BLEU-1": "bleu1", "LoCoMo F1": "locomo_f1"}
EVIDENCE = {
    "shown": "evidence_recall",
    "@10": "evidence_recall@10",
    "512 t": "evidence_recall@512t",
    "1,764 t": "evidence_recall@1764t",
    "3,616 t": "evidence_recall@3616t",
}
COVERAGE = {"shown": "evidence_coverage", "1,764 t": "evidence_coverage@1764t"}
EVIDENCE_NOTE = (
    "Recall: share of a question's evidence turns behind the memories that were shown, behind the first 10, and within "
    "budgets of context tokens. Coverage: the same, each turn counted by the share of its content words that those "
    "memories still say; splitting and merging cannot raise it. Search: with vectors at hand."
)
FUNNEL_NOTE = (
    "Share of a question's evidence turns that were in a window, behind a candidate, behind a live memory at the end, "
    "behind a memory that was shown, and behind a memory that the answer rests on."
)
SCHEMES_NOTE = "Category number, LoCoMo's name, (the Mem0 paper's name). Category 5 is in no overall value."


def quality(runs: Sequence[Run]) -> Table:
    """Return how good the answers of some runs are, a row each."""
    names, rows = labels([manifest for manifest, _ in runs])
    rubrics = list(dict.fromkeys(rubric for _, summary in runs for rubric in summary["judges"]))
    cells = tuple(
        (
            *row,
            *(with_interval(summary["metrics"].get(metric, {}).get("overall")) for metric in QUALITY.values()),
            *(cell for rubric in rubrics for cell in j_cells(runs, summary, rubric)),
            number(summary["tokens"]["context_tokens"], 0),
            str(summary["questions"]["failed"]),
        )
        for row, (_, summary) in zip(rows, runs, strict=True)
    )
    judged = [name for rubric in rubrics for name in j_headings(runs, rubric)]
    headings = (*names, *QUALITY, *judged, "context\ntokens", "failed")
    notes = (*warnings(runs), *judge_notes(runs))
    return Table(f"Answers: {caption(runs, 'f1')}", headings, cells, notes)


def evidence(runs: Sequence[Run]) -> Table:
    """Return how much of the evidence comes back in some runs, and how fast, a row each."""
    names, rows = labels([manifest for manifest, _ in runs])
    cells = []
    for row, (_, summary) in zip(rows, runs, strict=True):
        latency = summary["latency"]
        cells.append(
            (
                *row,
                *(number(value_of(summary, metric)) for metric in (*EVIDENCE.values(), *COVERAGE.values())),
                number(summary["ingest"]["memories"], 0),
                *(milliseconds(latency[f"search_p{share}_seconds"]) for share in (50, 95)),
            )
        )
    headings = (*names, *(f"recall\n{name}" for name in EVIDENCE), *(f"coverage\n{name}" for name in COVERAGE))
    headings += ("memories", "search\np50 ms", "search\np95 ms")
    return Table(f"Evidence: {caption(runs, 'evidence_recall')}", headings, tuple(cells), (EVIDENCE_NOTE,))


def funnel(runs: Sequence[Run]) -> Table:
    """Return what is left of the evidence after each stage of some runs' pipelines, a row each."""
    names, rows = labels([manifest for manifest, _ in runs])
    cells = tuple(
        (*row, *(number(value_of(summary, f"evidence_{stage}")) for stage in FUNNEL))
        for row, (_, summary) in zip(rows, runs, strict=True)
    )
    return Table(f"Loss funnel: {caption(runs, 'evidence_recall')}", (*names, *FUNNEL), cells, (FUNNEL_NOTE,))


def warnings(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return how to read the numbers, and what is wrong with them: failures, runs on different data."""
    lines = ["Tokens: context alone, cl100k_base, mean per question.", intervals(runs)]
    if len(runs) == 1:
        choices = runs[0][0]["choices"]
        lines.append("Parts: " + ", ".join(f"{group}={choices[group]}" for group in OF_SYSTEMS if group in choices))
    for manifest, summary in runs:
        empty = summary["questions"].get("nothing_shown", 0)
        if empty and manifest["choices"].get("retriever") != "none":
            lines.append(
                f"Warning: {manifest['choices'].get('system')} showed nothing for {empty} questions: no memory was "
                "found, or the best one does not fit max_tokens."
            )
    data = ("sha256", "conversations", "questions")
    if len({tuple(manifest["dataset"][name] for name in data) for manifest, _ in runs}) > 1:
        lines.append("Warning: these runs are on different data.")
    totals = [summary["ingest"] for _, summary in runs]
    expected, done = (sum(total[name] for total in totals) for name in ("expected_windows", "windows"))
    if lacking := expected - done + sum(total["failed_windows"] for total in totals):
        lines.append(f"Warning: {lacking} of {expected} windows were not ingested; the same command tries them again.")
    if unasked := sum(summary["questions"]["not_asked"] for _, summary in runs):
        lines.append(f"Warning: {unasked} questions were not asked: a window of their conversation failed.")
    if failed := sum(summary["questions"]["failed"] for _, summary in runs):
        lines.append(f"Warning: {failed} answers failed and are in no value; the same command asks them again.")
    if waiting := {config["concurrency"] for m, _ in runs if (config := m["config"])["concurrency"] > 1}:
        lines.append(f"Latencies hold the waiting for other conversations (concurrency {max(waiting)}).")
    return tuple(lines)


def intervals(runs: Sequence[Run]) -> str:
    """Return what the intervals are, or why there are none."""
    if all(manifest["dataset"]["conversations"] > 1 for manifest, _ in runs):
        return INTERVALS
    return "No intervals for one conversation: they resample conversations."


def per_category(runs: Sequence[Run], metric: str) -> Table:
    """Return one metric per category number, both naming schemes in the headings."""
    names, rows = labels([manifest for manifest, _ in runs])
    present = [c for c in CATEGORIES if any(str(c) in summary["metrics"].get(metric, {}) for _, summary in runs)]
    headings = [
        f"{c} {CATEGORY_NAMES['locomo'][c - 1]}\n({CATEGORY_NAMES['paper'][c - 1]})\nn={most(runs, metric, c)}"
        for c in present
    ]
    cells = tuple(
        (*row, *(with_interval(summary["metrics"].get(metric, {}).get(str(c))) for c in present))
        for row, (_, summary) in zip(rows, runs, strict=True)
    )
    return Table(f"{metric} per category: {caption(runs, metric)}", (*names, *headings), cells, (SCHEMES_NOTE,))


def most(runs: Sequence[Run], metric: str, category: int) -> int:
    """Return over how many questions of a category a metric is, at most."""
    return max(int(summary["metrics"].get(metric, {}).get(str(category), {}).get("n", 0)) for _, summary in runs)


PAIRED_SEED = 0
"""Of the resampling of conversations: whatever the runs' own, the same for all."""
PAPER = "paper"
"""The experiment whose runs are set beside the paper's rows."""
PER_CATEGORY = ("f1", "evidence_recall")
"""The metrics that are shown per category unless others are named."""


def tables(folders: Sequence[Path], metrics: Sequence[str] = PER_CATEGORY) -> list[Table]:
    """Return the tables of some runs: answers, evidence, ..., and one per category for each of some metrics.

    Raises RecordError, with the metrics that there are, when a metric is not of these runs.
    """
    return reported(folders, metrics).tables


@dataclass(frozen=True, slots=True)
class Reported:
    """Some runs with their tables, and what these rest on: the records of scores.jsonl take long to read."""

    folders: Sequence[Path]
    runs: list[Run]
    tables: list[Table]
    scores: list[list[Record]]
    questions: "Questions"


def reported(folders: Sequence[Path], metrics: Sequence[str] = PER_CATEGORY) -> Reported:
    """Return some runs with their tables; raises RecordError as `tables` does."""
    runs = [finished(folder) for folder in folders]
    scores = [scores_looked_at(RunFolder(folder)) for folder in folders]
    found = question_by_question(scores, runs)
    return Reported(folders, runs, every_table(runs, found, metrics), scores, found)


@dataclass(frozen=True, slots=True)
class Questions:
    """What runs can be compared by question by question: shares by place, and differences from the first place."""

    alone: list[tuple[int, Shares]]
    paired: dict[int, Paired]
    first: int | None


def question_by_question(every: Sequence[Sequence[Record]], runs: Sequence[Run]) -> Questions:
    """Return the comparison of the runs that are on the same data, and what each shows alone if systems differ."""
    showing = {place: every[place] for place in comparable(runs)}
    one_data = len(runs) > 1 and len({manifest["dataset"]["sha256"] for manifest, _ in runs}) == 1
    scores = dict(enumerate(every)) if one_data else {}
    return Questions(alone(showing), paired(scores, seed=PAIRED_SEED), next(iter(scores), None))


def every_table(runs: Sequence[Run], found: Questions, metrics: Sequence[str]) -> list[Table]:
    """Return all tables of some runs; those that say nothing of them are left out."""
    known = list(dict.fromkeys(metric for _, summary in runs for metric in summary["metrics"]))
    for metric in metrics:
        if known and metric not in known:
            raise RecordError(f"no metric '{metric}'{did_you_mean(metric, known)} (metrics: {', '.join(known)})")
    paid = [costs(runs)] if any(summary["phases"]["total"]["calls"] for _, summary in runs) else []
    more = (
        channels(runs),
        alone_table(runs, found.alone),
        graph_statistics(runs),
        *confusions(runs),
    )
    categories = [per_category(runs, metric) for metric in metrics]
    pairs = paired_tables(runs, found.paired, found.first)
    chosen = filter(None, (operations(runs), states(runs)))
    first = (quality(runs), evidence(runs), *chosen)
    of_paper = any(manifest["choices"].get("experiment") == PAPER for manifest, _ in runs)
    beside = paper_tables(runs) if of_paper else []
    return [*first, *beside, *pairs, funnel(runs), *filter(None, more), *paid, *categories]


COMPARED = (
    "status", "questions", "metrics", "channels", "judges", "tokens", "latency", "ingest", "graph", "operations",
    "phases",
)  # fmt: skip
"""What comparison.json holds of each run's summary."""


def write_comparison(folders: Sequence[Path], console: Console) -> None:
    """Write comparison.json and comparison.md into the study's folder, and show answers and evidence."""
    study = folders[0].parent
    found = reported(folders)
    shares = {place: asdict(own) for place, own in found.questions.alone}
    rows = [
        {
            "key": s["key"],
            "choices": m["choices"],
            **{k: s[k] for k in COMPARED},
            "alone": shares.get(place),
            "paired": found.questions.paired.get(place),
        }
        for place, (m, s) in enumerate(found.runs)
    ]
    write_whole(
        study / "comparison.json", json.dumps({"schema": 1, "study": study.name, "runs": rows}, indent=2) + "\n"
    )
    every = found.tables
    write_whole(study / "comparison.md", "\n".join(table.markdown() for table in every))
    write_page(study / "report.html", study.name, found)
    for table in every[: every.index(funnel(found.runs))]:  # the others are in comparison.md
        table.show(console)
    console.print(f"comparison: {study / 'comparison.md'}\nreport: {study / 'report.html'}", highlight=False)


def write_page(file: Path, title: str, found: Reported) -> None:
    """Write the page of some runs: tables, figures, every question, every memory."""
    # Templates and figures take a second to import, which the tables need not wait for.
    from memlab.report.page.page import page

    write_whole(file, page(title, found.folders, found.runs, found.tables, found.scores))
