"""From scores of single answers to cells of a table: n, value, interval."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from memlab.dialogue import CATEGORIES, SCORED_CATEGORIES
from memlab.records import Record
from memlab.score.statistics import mean


def metrics(scores: Iterable[Record], *, seed: int) -> dict[str, Any]:
    """Return each metric overall (categories 1-4, over questions) and per category: n, value, interval, unscored."""
    rows: dict[str, list[Record]] = defaultdict(list)
    for score in scores:
        rows[score["metric"]].append(score)
    groups = {"overall": SCORED_CATEGORIES} | {str(category): (category,) for category in CATEGORIES}
    found: dict[str, Any] = {}
    for metric, of_metric in rows.items():
        cells = {
            name: cell(members, seed)
            for name, chosen in groups.items()
            if (members := [row for row in of_metric if row["category"] in chosen])
        }
        found[metric] = cells
    return found


def cell(rows: list[Record], seed: int) -> dict[str, Any]:
    """Return one cell of a table; attempts at the same question count as its mean."""
    attempts: dict[tuple[str, str], list[float]] = defaultdict(list)
    unscored: dict[str, str] = {}
    for row in rows:
        if row["value"] is None:
            unscored[row["id"]] = row["reason"]
        else:
            attempts[row["conversation"], row["id"]].append(row["value"])
    values = [sum(own) / len(own) for own in attempts.values()]
    result = mean(values, [conversation for conversation, _ in attempts], seed=seed)
    reasons = Counter(reason for id, reason in unscored.items() if id not in {id for _, id in attempts})
    return {
        "n": result.n,
        "value": result.value,
        "interval": list(result.interval) if result.interval else None,
        "unscored": dict(sorted(reasons.items())),
    }
