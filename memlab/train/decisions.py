"""What a classifier would decide, step by step on the oracle's way, and how often that is right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from memlab.gold import OPERATIONS, Verb
from memlab.memory import Add, Delete, Noop, Operation, Update
from memlab.score.operations import f1_scores, macro_f1
from memlab.train.measure import confusion
from memlab.train.walk import Step
from memlab.update.classifier import Classifier
from memlab.update.plain import Compares
from memlab.update.relation import Pair, PairModel, Probabilities


@dataclass(frozen=True, kw_only=True)
class Choosing:
    """The settings of updater=classifier and updater=frozen_head that decide what is changed."""

    gate: float
    neighbours: int
    compares: Compares
    unrelated: float
    equivalent: float
    contradicts: float
    unsaid: float


class Known(PairModel):
    """Probabilities that were computed before."""

    def __init__(self, rows: Mapping[Pair, Probabilities]) -> None:
        self._rows = rows

    async def probabilities(self, pairs: Sequence[Pair]) -> Probabilities:
        """Return the rows of these pairs; raises KeyError for another."""
        return np.array([self._rows[pair] for pair in pairs])


def pairs_of(steps: Sequence[Step]) -> list[Pair]:
    """Return every pair that could be asked for in these steps, once."""
    shown = ((hit.memory.text, step.proposal.candidate.content.text) for step in steps for hit in step.proposal.related)
    return [Pair(*texts) for texts in dict.fromkeys(shown)]


async def decision_quality(
    steps: Sequence[Step], rows: Mapping[Pair, Probabilities], choosing: Choosing
) -> dict[str, Any]:
    """Return macro-F1 over the four operations, the F1 of each, target accuracy and the confusion matrix.

    Target accuracy: of the decisions that change or credit a memory where one is to be, those that name the right one.
    """
    classifier = Classifier(Known(rows), **vars(choosing), merge="join", on_delete="retire")
    decided = await classifier.decide([step.proposal for step in steps])
    chosen = [verb_and_target(one.operations) for one in decided]
    aimed = [
        target in right_targets(step)
        for step, (verb, target) in zip(steps, chosen, strict=True)
        if step.possible != "ADD" and verb != "ADD"
    ]
    place = {verb: number for number, verb in enumerate(OPERATIONS)}
    table = confusion(
        np.array([place[verb] for verb, _ in chosen], np.intp),
        np.array([place[step.verb] for step in steps], np.intp),
    )
    return {
        "decisions": len(steps),
        "macro_f1": macro_f1(table) or 0.0,
        "f1": dict(zip(OPERATIONS, f1_scores(table), strict=True)),
        "target_accuracy": float(np.mean(aimed)) if aimed else None,
        "confusion": table.tolist(),
    }


def right_targets(step: Step) -> set[str]:
    """Return the ids of the memories that the right operation is about."""
    shown = zip(step.proposal.related, step.relations, strict=True)
    return {hit.memory.id for hit, relation in shown if relation != "unrelated"}


def verb_and_target(operations: Sequence[Operation]) -> tuple[Verb, str | None]:
    """Return the operation that a decision is in the words of the gold, and the memory it is about."""
    for operation in operations:
        match operation:
            case Delete(id=id_):
                return "DELETE", id_
            case Update(id=id_):
                return "UPDATE", id_
            case Noop(duplicate_of=id_):
                return "NOOP", id_
            case Add():
                continue
    return "ADD", None
