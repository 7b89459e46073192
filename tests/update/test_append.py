from memlab.memory import Add, Decision
from memlab.testing import candidate, check_updater
from memlab.update.append import Append
from memlab.update.updater import Proposal


async def test_it_keeps_the_contract_of_updaters() -> None:
    await check_updater(Append())


async def test_every_candidate_is_added_even_a_repeated_one() -> None:
    proposals = [Proposal(candidate("Same."), ()), Proposal(candidate("Same."), ())]
    assert await Append().decide(proposals) == [Decision((Add(candidate("Same.")),))] * 2


def test_no_search_is_asked_for() -> None:
    assert not Append.needs_related
