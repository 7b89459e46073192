"""Runs as answers that can be compared."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean

from memlab.compare.answers import JUDGED, Answers, J, Row
from memlab.dialogue import SCORED_CATEGORIES
from memlab.records import Record, RunFolder

PAPER_RUBRIC = f"{JUDGED}generous"
"""The verdicts by the rubric that is closest to the one of the paper and of most published files."""


def read_run(folder: Path, manifest: Record, summary: Record, *, name: str) -> Answers:
    """Return the answers of a finished run, in the order of its questions' ids."""
    run = RunFolder(folder)
    values = means(run, metric_of_j(summary))
    first: dict[str, Record] = {}
    for record in run.read("answers"):
        known = first.get(record["id"])
        if record["category"] in SCORED_CATEGORIES and (known is None or known["status"] == "failed"):
            first[record["id"]] = record
    rows = tuple(
        Row(
            id_,
            record["conversation"],
            record["category"],
            record["question"],
            record["gold"] or "",
            None if record["status"] == "failed" else record["answer"],
            values.get(id_, {}),
        )
        for id_, record in sorted(first.items(), key=lambda pair: by_number(pair[0]))
    )
    return Answers(
        name,
        folder,
        "run",
        rows,
        data=manifest["dataset"]["sha256"],
        judge=judge_of(manifest, summary),
        notes=tuple(lacks(name, summary)),
    )


def lacks(name: str, summary: Record) -> Iterator[str]:
    """Yield what an incomplete run did not do."""
    ingest, questions = summary["ingest"], summary["questions"]
    if lost := ingest["expected_windows"] - ingest["windows"] + ingest["failed_windows"]:
        yield f"Warning: {lost} of {ingest['expected_windows']} windows of {name} were not ingested."
    if questions["not_asked"]:
        yield f"Warning: {questions['not_asked']} questions of {name} were not asked."


def means(run: RunFolder, j: str | None) -> Mapping[str, dict[str, float]]:
    """Return the value of each question by each metric: the mean of its attempts that have one; `j` is J, too."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in run.read("scores"):
        if score["value"] is not None:
            found[score["id"]][score["metric"]].append(score["value"])
    values = {id_: {metric: fmean(own) for metric, own in by.items()} for id_, by in found.items()}
    return {id_: own | {J: own[j]} if j in own else own for id_, own in values.items()}


def metric_of_j(summary: Record) -> str | None:
    """Return which of a run's verdicts stand beside a file's J: by the paper's rubric, or the only ones; or none.

    Those of a judge that has a card are no language model's: beside a model's they would compare the judges.
    """
    metrics = [f"{JUDGED}{rubric}" for rubric, found in summary["judges"].items() if "card" not in found]
    if PAPER_RUBRIC in metrics:
        return PAPER_RUBRIC
    return metrics[0] if len(metrics) == 1 else None


def judge_of(manifest: Record, summary: Record) -> str | None:
    """Return who judged a run: the judge's option, and its model where it asks one; None when nobody did."""
    if not summary["judges"]:
        return None
    model = summary["phases"].get("judge", {}).get("model")
    return f"{manifest['choices'].get('judge', '?')}" + (f" ({model})" if model else "")


def by_number(id_: str) -> list[tuple[int, str]]:
    """Return what sorts ids as people do: q2 before q10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", id_)]
