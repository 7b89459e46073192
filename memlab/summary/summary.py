"""From the records of a run to its numbers: overall and per category, with intervals, latency and costs."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from memlab.dialogue import CATEGORIES, SCORED_CATEGORIES
from memlab.judge.card import Card
from memlab.llm.budget import Prices
from memlab.records import Record
from memlab.score.statistics import percentile
from memlab.summary.cells import metrics
from memlab.summary.channels import channels
from memlab.summary.graph import graph
from memlab.summary.ingestion import ingest_totals
from memlab.summary.judges import judges
from memlab.summary.operations import operations
from memlab.summary.phases import Models, phases


def summarise(
    found: Mapping[str, list[Record]],
    *,
    prices: Prices,
    seed: int,
    expected: Mapping[str, int],
    llms: Models,
    card: Card | None,
) -> Record:
    """Return the summary of a run's records by file; `card` tells the errors of its judge.

    Values that are times have names that end in `_seconds`.
    """
    found = dict(found) | {"answers": latest(found["answers"]), "verdicts": latest_verdicts(found["verdicts"])}
    answers = found["answers"]
    scored = [r for r in answers if r["category"] in SCORED_CATEGORIES and r["status"] == "answered"]
    questions = question_counts(answers, expected["answer"])
    ingestion = ingest_totals(found["ingest"], found["memories"], expected=expected["ingest"])
    judged = judges(found["verdicts"], card, seed=seed)
    cells = metrics(found["scores"], seed=seed)
    failures = {
        "windows": ingestion["failed_windows"],
        "answers": questions["failed"],
        "verdicts": sum(verdict["status"] == "failed" for verdict in found["verdicts"]),
    }
    return {
        "status": "incomplete" if any(failures.values()) or questions["not_asked"] else "complete",
        "failures": failures,
        "questions": questions,
        "metrics": cells,
        "channels": channels(scored, found["scores"], cells, seed=seed),
        "judges": judged,
        "tokens": token_means(scored),
        "latency": latency(scored),
        "ingest": ingestion,
        "graph": graph(found.get("graph", []), found["memories"]),
        "operations": operations(found, seed=seed),
        "phases": phases(found, prices, llms),
    }


def latest(answers: Iterable[Record]) -> list[Record]:
    """Return one record per question and attempt: the last, for a question that failed may have been asked again."""
    return list({(record["id"], record["attempt"]): record for record in answers}.values())


def latest_verdicts(verdicts: Iterable[Record]) -> list[Record]:
    """Return one record per verdict: the last, for one that failed may have been asked for again."""
    names = ("id", "attempt", "rubric", "sample", "probe")
    return list({tuple(record[name] for name in names): record for record in verdicts}.values())


def question_counts(answers: list[Record], expected: int) -> dict[str, Any]:
    """Return how many questions there are, in all and by category, and how many attempts were answered and failed."""
    status = Counter(record["status"] for record in answers)
    categories = Counter({record["id"]: record["category"] for record in answers}.values())
    return {
        "asked": categories.total(),
        "attempts": len(answers),
        "not_asked": expected - len(answers),
        "answered": status["answered"],
        "failed": status["failed"],
        "nothing_shown": len({record["id"] for record in answers if not record["shown"]}),
        "by_category": {str(category): categories[category] for category in CATEGORIES if categories[category]},
    }


def token_means(answers: list[Record]) -> dict[str, float | None]:
    """Return mean tokens an answer: context (cl100k_base), answer prompt and completion."""
    names = ("context_tokens", "prompt_tokens", "completion_tokens")
    return {name: sum(record[name] for record in answers) / len(answers) if answers else None for name in names}


def latency(answers: list[Record]) -> dict[str, float | int | None]:
    """Return p50 and p95 of search and total seconds, and how many of the answers were replayed."""
    seconds: dict[str, float | int | None] = {}
    for kind in ("search", "total"):
        values = [record[f"{kind}_seconds"] for record in answers]
        seconds |= {f"{kind}_p{share}_seconds": percentile(values, share / 100) for share in (50, 95)}
    return seconds | {"replayed": sum(record["replayed"] for record in answers)}
