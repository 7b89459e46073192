"""Any updater on labelled pairs."""

from collections.abc import Sequence

from memlab.embed.hashed import Hashed
from memlab.memory import Add, Decision, Delete, Noop
from memlab.train.decided import decided
from memlab.train.pairs import LabelledPair
from memlab.update.append import Append
from memlab.update.updater import Proposal, Updater

PAIRS = [
    LabelledPair("Ann lives in Oslo.", "Ann lives in Oslo.", "equivalent", "a"),
    LabelledPair("Ann lives in Oslo.", "Ben likes tea.", "unrelated", "b"),
    LabelledPair("Ann lives in Oslo.", "Ann moved to Rome.", "contradicts", "c"),
]


class ByScore(Updater):
    """Takes the very same for known, what is near for a contradiction, and writes down what it was shown."""

    def __init__(self) -> None:
        self.scores: list[float] = []

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        (proposal,) = proposals
        ((memory, score),) = [(hit.memory, hit.score) for hit in proposal.related]
        self.scores.append(score)
        said = proposal.candidate.said_at
        assert said > memory.created_at
        if score > 0.99:
            return [Decision((Noop(memory.id, proposal.candidate.sources),))]
        if "moved" in proposal.candidate.content.text:
            return [Decision((Delete(memory.id, said), Add(proposal.candidate)), ("repaired: twice",))]
        return [Decision((Add(proposal.candidate),))]


async def test_each_pair_is_a_memory_a_later_fact_and_their_similarity() -> None:
    updater = ByScore()
    found = await decided(updater, Hashed(dimension=64), PAIRS)
    assert [(one.judged.gold, one.judged.chosen, one.judged.on_target) for one in found] == [
        ("NOOP", "NOOP", True),
        ("ADD", "ADD", None),
        ("DELETE", "DELETE", True),
    ]
    assert updater.scores[0] > 0.99 > updater.scores[1]
    assert [one.flaws for one in found] == [(), (), ("repaired: twice",)]
    assert [one.judged.group for one in found] == ["a", "b", "c"]


async def test_a_wrong_choice_is_no_miss_of_the_target() -> None:
    found = await decided(Append(), Hashed(dimension=64), PAIRS)
    assert [(one.judged.chosen, one.judged.on_target) for one in found] == [("ADD", None)] * 3


async def test_no_pairs_are_no_choices() -> None:
    assert await decided(Append(), Hashed(dimension=64), []) == []
