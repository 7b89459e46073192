"""Pairs from the synthetic conversations: every related memory and candidate on the oracle's way through them."""

from collections.abc import Iterable

from memlab.train.pairs import LabelledPair
from memlab.train.walk import Step


def pairs(steps: Iterable[Step]) -> list[LabelledPair]:
    """Return a pair for each memory shown with a candidate, equal texts of one relation once a conversation."""
    return list(
        dict.fromkeys(
            LabelledPair(hit.memory.text, step.proposal.candidate.content.text, relation, step.conversation)
            for step in steps
            for hit, relation in zip(step.proposal.related, step.relations, strict=True)
        )
    )
