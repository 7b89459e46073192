"""What judges found, how much they differ between repeats, and how far they can be trusted."""

from collections import Counter, defaultdict
from statistics import fmean, stdev
from typing import Any

from memlab.dialogue import CATEGORIES, SCORED_CATEGORIES
from memlab.judge.card import Card
from memlab.judge.judge import rubric_name
from memlab.records import Record
from memlab.score.corrected import corrected


def judges(verdicts: list[Record], card: Card | None, *, seed: int) -> dict[str, Any]:
    """Return for each rubric J overall and per category, and its pass rates on answers made to try it.

    J is in percent, as in the paper: the mean over repeats of the share of correct answers, and the standard deviation
    between repeats (None for one repeat). A verdict that failed or could not be read is in no share. With the card of
    a judge whose errors were measured: `corrected`, J without them, and `card`, how large they are.
    """
    by_rubric: dict[str, list[Record]] = defaultdict(list)
    for verdict in verdicts:
        by_rubric[rubric_name(verdict["rubric"])].append(verdict)
    return {
        rubric: {**rubric_row(own), **({} if card is None else measured(own, card, seed=seed))}
        for rubric, own in sorted(by_rubric.items())
    }


def measured(verdicts: list[Record], card: Card, *, seed: int) -> dict[str, Any]:
    """Return J corrected for the errors of the judge, overall and by category, in percent, and the errors."""
    by_answer: dict[tuple[str, str, int], list[bool]] = defaultdict(list)
    for verdict in verdicts:
        if verdict["probe"] is None and verdict["correct"] is not None and verdict["category"] in SCORED_CATEGORIES:
            by_answer[verdict["id"], verdict["conversation"], verdict["category"]].append(verdict["correct"])
    shares = [(place, category, fmean(own)) for (_, place, category), own in by_answer.items()]
    groups = {"overall": SCORED_CATEGORIES} | {str(category): (category,) for category in SCORED_CATEGORIES}
    cells = {}
    for name, chosen in groups.items():
        if own := [one for one in shares if one[1] in chosen]:
            found = corrected(own, card, seed=seed)
            cells[name] = {
                "n": len(own),
                "value": None if found.value is None else 100 * found.value,
                "interval": None if found.interval is None else [100 * end for end in found.interval],
                "clipped": found.clipped,
                "reason": found.reason,
                "method": found.method,
            }
    told = {name: card[name] for name in ("labels", "n", "agreement", "auc", "expected_calibration_error")}
    return {"corrected": cells, "card": {**told, "by_category": card["by_category"]}}


def rubric_row(verdicts: list[Record]) -> dict[str, Any]:
    """Return the numbers of one rubric."""
    of_answers = [verdict for verdict in verdicts if verdict["probe"] is None]
    groups = {"overall": SCORED_CATEGORIES} | {str(category): (category,) for category in CATEGORIES}
    j = {
        name: share_over_repeats([verdict for verdict in of_answers if verdict["category"] in chosen])
        for name, chosen in groups.items()
    }
    kinds = sorted({verdict["probe"] for verdict in verdicts} - {None})
    return {
        "j": {name: cell for name, cell in j.items() if cell["n"]},
        "unscored": dict(Counter(v["status"] for v in of_answers if v["correct"] is None)),
        "probes": {kind: passed([verdict for verdict in verdicts if verdict["probe"] == kind]) for kind in kinds},
    }


def share_over_repeats(verdicts: list[Record]) -> dict[str, Any]:
    """Return the mean and standard deviation, over repeats, of the share of correct answers, in percent."""
    by_sample: dict[tuple[int, int], list[bool]] = defaultdict(list)
    for verdict in verdicts:
        if verdict["correct"] is not None:
            by_sample[verdict["attempt"], verdict["sample"]].append(verdict["correct"])
    shares = [100 * fmean(own) for own in by_sample.values()]
    return {
        "n": len({verdict["id"] for verdict in verdicts if verdict["correct"] is not None}),
        "value": fmean(shares) if shares else None,
        "deviation": stdev(shares) if len(shares) > 1 else None,
        "repeats": len(shares),
    }


def passed(verdicts: list[Record]) -> dict[str, Any]:
    """Return how many answers made to try a judge it calls correct."""
    given = [verdict["correct"] for verdict in verdicts if verdict["correct"] is not None]
    return {"n": len(given), "passed": sum(given), "share": fmean(given) if given else None}
