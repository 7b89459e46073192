"""How well operations are chosen, where the right ones are known."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memlab.gold import OPERATIONS, Verb
from memlab.score.statistics import interval, mean

RESAMPLES = 2_000
Counts = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision beside the right one; `group` is what cannot be resampled apart, a conversation or a user."""

    gold: Verb
    chosen: Verb
    on_target: bool | None
    group: str


def operation_scores(judged: Sequence[Judged], *, seed: int) -> dict[str, Any]:
    """Return the confusion matrix and what follows from it: precision, recall and F1 by operation, macro-F1, accuracy.

    `confusion` counts by the right operation, then by the chosen one. Macro-F1 is the mean over the operations that
    were right or chosen anywhere. `target` is the share of rightly chosen operations that are on a memory which tells
    what the operation is about. Intervals: 95 %, groups resampled; None for a single group.
    """
    groups = list(dict.fromkeys(one.group for one in judged))
    matrices: dict[str, Counts] = defaultdict(lambda: np.zeros((4, 4), np.int64))
    for one in judged:
        matrices[one.group][OPERATIONS.index(one.gold), OPERATIONS.index(one.chosen)] += 1
    each = np.stack([matrices[group] for group in groups]) if groups else np.zeros((0, 4, 4), np.int64)
    total: Counts = each.sum(axis=0)
    aimed = [one for one in judged if one.on_target is not None]
    own = [one.group for one in judged]
    return {
        "confusion": {
            gold: {chosen: int(total[row, column]) for column, chosen in enumerate(OPERATIONS)}
            for row, gold in enumerate(OPERATIONS)
        },
        "operations": by_operation(total),
        "macro_f1": {"n": len(judged), "value": macro_f1(total), "interval": resampled(each, seed)},
        "accuracy": cell([one.gold == one.chosen for one in judged], own, seed),
        "target": cell([bool(one.on_target) for one in aimed], [one.group for one in aimed], seed),
    }


def by_operation(total: Counts) -> dict[str, Any]:
    """Return n, precision, recall and F1 of each operation; None where nothing was right, or nothing chosen."""
    found: dict[str, Any] = {}
    for place, (name, f1) in enumerate(zip(OPERATIONS, f1_scores(total), strict=True)):
        hits, right, chosen = (int(n) for n in (total[place, place], total[place].sum(), total[:, place].sum()))
        found[name] = {
            "n": right,
            "precision": hits / chosen if chosen else None,
            "recall": hits / right if right else None,
            "f1": f1,
        }
    return found


def f1_scores(total: Counts) -> list[float | None]:
    """Return the F1 of each class of a confusion matrix (right, chosen); None for one that is nowhere."""
    seen = total.sum(axis=0) + total.sum(axis=1)
    hits = total.diagonal()
    return [2 * int(hit) / int(both) if both else None for hit, both in zip(hits, seen, strict=True)]


def macro_f1(total: Counts) -> float | None:
    """Return the mean F1 of the classes that were right or chosen anywhere; None when none was."""
    present = [value for value in f1_scores(total) if value is not None]
    return sum(present) / len(present) if present else None


def resampled(each: Counts, seed: int) -> list[float] | None:
    """Return the 95 % bootstrap interval of macro-F1 over groups, from a matrix (4, 4) of each."""
    if len(each) < 2:
        return None
    drawn = np.random.default_rng(seed).integers(len(each), size=(RESAMPLES, len(each)))
    values = [macro_f1(each[places].sum(axis=0)) for places in drawn]
    present = [value for value in values if value is not None]
    return list(interval(present, len(each)))


def cell(values: Sequence[bool], groups: Sequence[str], seed: int) -> dict[str, Any]:
    """Return a share with its interval."""
    found = mean([float(value) for value in values], groups, seed=seed)
    return {"n": found.n, "value": found.value, "interval": list(found.interval) if found.interval else None}


def state_scores(states: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return precision and recall of the memory against the truth at the end, and after each session.

    Precision: the share of propositions told by live memories, one for each memory that tells it, that are true and not
    told by another memory already. Recall: the share of true propositions that some live memory tells. Over all stores.
    """
    last = {(state["conversation"], state["perspective"]): state for state in states}
    sessions: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for state in states:
        sessions[state["session"]].append(state)
    return {
        **state_cell(list(last.values())),
        "sessions": [{"session": number, **state_cell(own)} for number, own in sorted(sessions.items())],
    }


def state_cell(states: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sums over some states, with precision and recall."""
    total = {
        name: sum(state[name] for state in states)
        for name in ("statements", "memories", "true", "told", "right", "stale", "repeated", "unfounded")
    }
    return {
        "stores": len(states),
        **total,
        "precision": total["right"] / total["told"] if total["told"] else None,
        "recall": total["right"] / total["true"] if total["true"] else None,
    }
