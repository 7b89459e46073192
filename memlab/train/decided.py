"""What an updater decides for labelled pairs, one memory at a time: any way of choosing on other people's data."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memlab.embed.embedder import Embedder
from memlab.memory import Candidate, Fact, Hit, Memory
from memlab.score.decisions import named, verb
from memlab.score.operations import Judged
from memlab.train.pairs import LabelledPair
from memlab.update.relation import OPERATION_OF
from memlab.update.updater import Proposal, Updater

SPEAKER = "Ada"
FIRST, SECOND = "D1:1", "D2:1"
BEFORE = datetime(2023, 5, 8, 12)
LATER = timedelta(days=7)
AT_ONCE = 512
"""Proposals that an updater may compute in one batch."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A pair, the decision for it beside the right one, and what went wrong on the way."""

    pair: LabelledPair
    judged: Judged
    flaws: tuple[str, ...]


async def decided(updater: Updater, embedder: Embedder, pairs: Sequence[LabelledPair]) -> list[Choice]:
    """Return the decision for each pair: the candidate was said a week after the only memory that is there.

    Raises what the updater raises.
    """
    vectors = await embedder.embed([text for pair in pairs for text in (pair.memory, pair.candidate)])
    scores = (vectors[0::2] * vectors[1::2]).sum(axis=1).tolist() if pairs else []
    proposals = [proposal(pair, score) for pair, score in zip(pairs, scores, strict=True)]
    chosen: list[Choice] = []
    for start in range(0, len(pairs), AT_ONCE):
        batch = proposals[start : start + AT_ONCE]
        await updater.foresee(batch)
        for pair, one in zip(pairs[start:], batch, strict=False):
            (decision,) = await updater.decide([one])
            right, done = OPERATION_OF[pair.relation], verb(decision.operations)
            touched = [id_ for operation in decision.operations if (id_ := named(operation)) is not None]
            on_target = bool(touched) if right == done != "ADD" else None
            chosen.append(Choice(pair, Judged(right, done, on_target, pair.group), decision.flaws))
    return chosen


def proposal(pair: LabelledPair, score: float) -> Proposal:
    """Return the candidate of a pair with its memory as the one that is related."""
    fact = Fact(pair.memory)
    memory = Memory("m0", fact, SPEAKER, (FIRST,), BEFORE, BEFORE, BEFORE)
    return Proposal(Candidate(Fact(pair.candidate), SPEAKER, (SECOND,), BEFORE + LATER), (Hit(memory, score),))
