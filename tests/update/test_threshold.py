from datetime import timedelta

import pytest

from memlab.memory import Add, Candidate, Decision, Entity, Hit, Memory, Noop, Operation, Triple, Update
from memlab.store.store import Store
from memlab.testing import candidate, check_updater
from memlab.testing.samples import START
from memlab.update.merge import Merge
from memlab.update.threshold import Threshold
from memlab.update.updater import Proposal


def threshold(merge: Merge = "join", *, equivalent: float = 0.95, near: float = 0.9) -> Threshold:
    return Threshold(equivalent=equivalent, near=near, merge=merge)


def memory(text: str, *, id_: str = "m0", speaker: str = "Ada", source: str = "D1:1") -> Memory:
    said = candidate(text, speaker=speaker, source=source)
    return Memory(id_, said.content, speaker, said.sources, START, START, START)


async def decided(updater: Threshold, said: Candidate, *related: tuple[Memory, float]) -> Operation:
    hits = tuple(Hit(one, score) for one, score in related)
    (decision,) = await updater.decide([Proposal(said, hits)])
    assert decision == Decision(decision.operations), "flaws out of nowhere"
    (operation,) = decision.operations
    return operation


SAID = candidate("Ada moved to Oslo.", source="D2:1", at=START + timedelta(days=7))
OLD = memory("Ada lives in Oslo.")


@pytest.mark.parametrize("merge", ["join", "longer", "replace"])
async def test_it_keeps_the_contract_of_updaters(merge: Merge) -> None:
    await check_updater(threshold(merge))


async def test_without_related_memories_a_candidate_is_added() -> None:
    assert await decided(threshold(), SAID) == Add(SAID)


@pytest.mark.parametrize("score", [0.95, 1.0])
async def test_the_same_again_credits_its_turn_to_the_memory(score: float) -> None:
    assert await decided(threshold(), SAID, (OLD, score)) == Noop("m0", ("D2:1",))


@pytest.mark.parametrize("score", [0.9, 0.949])
async def test_nearly_the_same_is_merged(score: float) -> None:
    assert await decided(threshold("replace"), SAID, (OLD, score)) == Update("m0", SAID)


@pytest.mark.parametrize("score", [-0.3, 0.0, 0.899])
async def test_an_unrelated_memory_is_never_overwritten(score: float) -> None:
    assert await decided(threshold(), SAID, (OLD, score)) == Add(SAID)


@pytest.mark.parametrize("score", [0.92, 1.0])
async def test_another_speakers_memory_is_neither_overwritten_nor_a_duplicate(score: float) -> None:
    stranger = memory("Ben lives in Oslo.", speaker="Ben")
    assert await decided(threshold(), SAID, (stranger, score)) == Add(SAID)


async def test_behind_a_closer_stranger_the_speakers_own_memory_is_still_seen() -> None:
    stranger, own = memory("Same.", speaker="Ben"), memory("Ada lives in Oslo.", id_="m1")
    assert await decided(threshold(), SAID, (stranger, 1.0), (own, 0.96)) == Noop("m1", ("D2:1",))


async def test_only_the_closest_memory_counts() -> None:
    assert await decided(threshold(), SAID, (OLD, 0.97), (memory("Other.", id_="m1"), 0.96)) == Noop("m0", ("D2:1",))


async def test_joined_memories_keep_the_words_of_both() -> None:
    operation = await decided(threshold("join"), SAID, (OLD, 0.92))
    assert isinstance(operation, Update)
    assert operation.candidate.content.text == "Ada lives in Oslo. Ada moved to Oslo."
    assert (operation.candidate.sources, operation.candidate.said_at) == (SAID.sources, SAID.said_at)


async def test_joining_repeats_nothing_that_one_side_says_already() -> None:
    longer = memory("Ada moved to Oslo. She likes it.")
    assert await decided(threshold("join"), SAID, (longer, 0.92)) == Noop("m0", ("D2:1",))
    said = candidate("Ada lives in Oslo. She likes it.", source="D2:1")
    assert await decided(threshold("join"), said, (OLD, 0.92)) == Update("m0", said)


async def test_triples_are_not_joined() -> None:
    triple = Triple(Entity("Ada", "Person"), "lives_in", Entity("Oslo", "Location"))
    said = Candidate(triple, "Ada", ("D2:1",), START)
    assert await decided(threshold("join"), said, (OLD, 0.92)) == Add(said)
    assert await decided(threshold("replace"), said, (OLD, 0.92)) == Update("m0", said)


@pytest.mark.parametrize(
    ("text", "updates"),
    [("Ada moved to Oslo last week.", True), ("Ada is in Oslo.", False), ("In Oslo.", False)],
)
async def test_longer_keeps_the_text_with_more_words_and_the_old_one_on_a_tie(text: str, updates: bool) -> None:
    said = candidate(text, source="D2:1")
    expected = Update("m0", said) if updates else Noop("m0", ("D2:1",))
    assert await decided(threshold("longer"), said, (OLD, 0.92)) == expected


SAID_IN_ORDER = (
    candidate("Ada lives in Oslo.", source="D1:1"),
    candidate("Ada lives in Oslo now.", source="D1:3"),
    candidate("Ada lives in Rome.", source="D2:1"),
    candidate("Ada lives in Rome now, not in Oslo.", source="D2:2"),
)


@pytest.mark.parametrize("merge", ["join", "longer", "replace"])
@pytest.mark.parametrize("equivalent", [0.9, 1.0])
async def test_the_same_input_twice_leaves_the_store_as_it_was(
    merge: Merge, equivalent: float, new_store: Store
) -> None:
    updater = threshold(merge, equivalent=equivalent, near=0.2)
    for said in SAID_IN_ORDER:
        await fed(updater, new_store, said)
        before = (new_store.version, new_store.memories(retired=True))
        await fed(updater, new_store, said)
        assert (new_store.version, new_store.memories(retired=True)) == before


@pytest.mark.parametrize("merge", ["join", "longer", "replace"])
async def test_what_was_merged_long_ago_can_come_again_and_changes_nothing(merge: Merge, new_store: Store) -> None:
    updater = threshold(merge, equivalent=1.0, near=0.2)
    for said in SAID_IN_ORDER:
        await fed(updater, new_store, said)
    before = (new_store.version, new_store.memories(retired=True))
    assert len(before[1]) == 1
    for said in (*SAID_IN_ORDER, *reversed(SAID_IN_ORDER)):
        await fed(updater, new_store, said)
    assert (new_store.version, new_store.memories(retired=True)) == before


async def fed(updater: Threshold, store: Store, said: Candidate) -> None:
    related = tuple(await store.related(said.content, 10))
    for decision in await updater.decide([Proposal(said, related)]):
        for operation in decision.operations:
            await store.apply(operation)


@pytest.mark.parametrize(("near", "equivalent"), [(0.9, 0.8), (-0.1, 0.5), (0.5, 1.1), (float("nan"), 0.9)])
def test_bands_that_make_no_sense_are_refused(near: float, equivalent: float) -> None:
    with pytest.raises(ValueError, match=r"0 <= near <= equivalent <= 1 must hold"):
        threshold(near=near, equivalent=equivalent)


def test_an_unknown_merge_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="merge='joni' is none of join, longer, replace"):
        threshold("joni")  # type: ignore[arg-type]
