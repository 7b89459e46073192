"""What a run's operations were worth, where the dataset knows the right ones."""

from collections.abc import Mapping, Sequence
from typing import Any

from memlab.records import Record
from memlab.score.operations import Judged, operation_scores, state_scores
from memlab.summary.cells import cell

KINDS = ("now", "before")
"""Of questions about what has changed, by the end of their id: its present value, and the one before."""


def operations(found: Mapping[str, Sequence[Record]], *, seed: int) -> dict[str, Any] | None:
    """Return the scores of a run's decisions and of what they left in the stores; None without gold.

    `lost`, `overwritten` and `deleted` count true propositions: new ones that no memory tells after the decision, and
    those that an UPDATE or a DELETE took away.
    `changed` holds the F1 of questions about what has changed.
    """
    decisions, states, windows = found.get("decisions", ()), found.get("states", ()), found["ingest"]
    if not states:
        return None
    judged = [
        Judged(one["gold"], one["chosen"], one["on_target"], one["conversation"]) for one in decisions if one["gold"]
    ]
    stated = state_scores(states)
    seconds = sum(window["update_seconds"] for window in windows)
    return {
        "decisions": len(judged),
        "without_statement": len(decisions) - len(judged),
        "not_extracted": stated["statements"]
        - len({(d["conversation"], d["perspective"], d["statement"]) for d in decisions if d["gold"]}),
        **operation_scores(judged, seed=seed),
        **{name: sum(len(one[name]) for one in decisions) for name in ("lost", "overwritten", "deleted")},
        "state": stated,
        "changed": {kind: cell(of_kind(found["scores"], kind), seed) for kind in KINDS},
        "tokens_per_decision": per_decision(
            sum(window["update"]["prompt_tokens"] + window["update"]["completion_tokens"] for window in windows),
            decisions,
        ),
        "decision_seconds": per_decision(seconds, decisions),
    }


def per_decision(total: float, decisions: Sequence[Record]) -> float | None:
    """Return the mean over all decisions."""
    return total / len(decisions) if decisions else None


def of_kind(scores: Sequence[Record], kind: str) -> list[Record]:
    """Return the F1 scores of the questions of a kind."""
    return [score for score in scores if score["metric"] == "f1" and score["id"].endswith(f":{kind}")]
