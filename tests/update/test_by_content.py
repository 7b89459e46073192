from collections.abc import Sequence
from typing import ClassVar

import pytest

from memlab.llm.scripted import Scripted
from memlab.memory import Add, Decision, Noop
from memlab.part import PartFailed
from memlab.testing import candidate, check_updater
from memlab.update.append import Append
from memlab.update.by_content import ByContent
from memlab.update.resolve_local import ResolveLocal
from memlab.update.threshold import Threshold
from memlab.update.updater import Proposal, Updater
from tests.update.asked import joint
from tests.update.edges import said

FACT, TRIPLE = Proposal(candidate("Ada lives in Oslo."), ()), Proposal(said("lives_in", "Oslo"), ())


class Named(Updater):
    """Answers with its name as a flaw, and keeps what it was asked."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked: list[Proposal] = []

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        self.asked += proposals
        return [Decision((Noop(),), (self.name,)) for _ in proposals]


class Failing(Updater):
    needs_related: ClassVar[bool] = False

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        raise PartFailed("no answer")


async def test_it_keeps_the_contract_of_updaters() -> None:
    threshold = Threshold(equivalent=0.95, near=0.9, merge="join")
    await check_updater(ByContent(facts=threshold, triples=ResolveLocal(equivalent=None)))


async def test_each_proposal_goes_to_the_updater_of_its_type_and_decisions_keep_their_order() -> None:
    facts, triples = Named("facts"), Named("triples")
    decided = await ByContent(facts=facts, triples=triples).decide([TRIPLE, FACT, TRIPLE])
    assert [one.flaws for one in decided] == [("triples",), ("facts",), ("triples",)]
    assert (facts.asked, triples.asked) == ([FACT], [TRIPLE, TRIPLE])


async def test_an_updater_without_work_is_not_asked() -> None:
    decided = await ByContent(facts=Append(), triples=Failing()).decide([FACT])
    assert decided == [Decision((Add(FACT.candidate),))]
    assert await ByContent(facts=Failing(), triples=Failing()).decide([]) == []


async def test_a_failure_is_passed_on() -> None:
    with pytest.raises(PartFailed, match="no answer"):
        await ByContent(facts=Append(), triples=Failing()).decide([FACT, TRIPLE])


@pytest.mark.parametrize("name", ["facts", "triples"])
def test_an_updater_that_decides_for_all_at_once_is_refused_by_name(name: str) -> None:
    parts: dict[str, Updater] = {"facts": Append(), "triples": Append(), name: joint(Scripted([]))}
    with pytest.raises(ValueError, match=f"{name}: JointJson decides for all candidates"):
        ByContent(**parts)


def test_related_memories_of_the_same_source_are_wanted_and_candidates_come_one_at_a_time() -> None:
    assert (ByContent.joint, ByContent.needs_related, ByContent.needs_same_source) == (False, True, True)
