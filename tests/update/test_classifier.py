"""How relations to several memories become one operation."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from memlab.memory import Add, Candidate, Decision, Delete, Fact, Hit, Memory, Noop, Update
from memlab.part import PartFailed
from memlab.testing import candidate, check_updater
from memlab.testing.samples import START
from memlab.update.classifier import Classifier
from memlab.update.relation import RELATIONS, Pair, PairModel, Probabilities, Relation
from memlab.update.updater import Proposal

SAID = candidate("Ada has left Oslo.", source="D2:1")


class Told(PairModel):
    """Gives the relations that a test says, and notes what it was asked."""

    def __init__(self, **relations: tuple[Relation, float]) -> None:
        self.relations = relations
        self.asked: list[list[Pair]] = []

    async def probabilities(self, pairs: Sequence[Pair]) -> Probabilities:
        self.asked.append(list(pairs))
        return np.array([self._row(pair) for pair in pairs], np.float32)

    def _row(self, pair: Pair) -> list[float]:
        relation, chance = self.relations.get(pair.memory.split()[0], ("unrelated", 1.0))
        return [chance if one == relation else (1 - chance) / 3 for one in RELATIONS]


def memory(text: str, id_: str, source: str = "D1:1") -> Memory:
    said = candidate(text, source=source)
    return Memory(id_, said.content, said.speaker, said.sources, START, START, START)


FIRST, SECOND, THIRD = memory("first thing", "m0"), memory("second thing", "m1"), memory("third thing", "m2")


def classifier(model: PairModel, **settings: Any) -> Classifier:
    chosen = {"gate": 0.3, "neighbours": 5, "unrelated": 0.5, "equivalent": 0.0, "contradicts": 0.0}
    chosen |= {"compares": "all", "unsaid": 1.0, "merge": "join", "on_delete": "retire"}
    return Classifier(model, **(chosen | settings))


def proposal(*hits: tuple[Memory, float], said: Candidate = SAID) -> Proposal:
    return Proposal(said, tuple(Hit(one, score) for one, score in hits))


async def decided(updater: Classifier, proposed: Proposal) -> Decision:
    [decision] = await updater.decide([proposed])
    return decision


async def test_a_model_that_gives_nan_is_refused() -> None:
    updater = classifier(Told(first=("contradicts", float("nan"))))
    with pytest.raises(PartFailed, match="Told gave NaN for a probability"):
        await decided(updater, proposal((FIRST, 0.9)))


async def test_it_keeps_the_contract_of_updaters() -> None:
    await check_updater(classifier(Told(Ada=("contradicts", 0.9), Ben=("augments", 0.8))))


@pytest.mark.parametrize(
    ("relation", "operations"),
    [
        ("unrelated", (Add(SAID),)),
        ("equivalent", (Noop("m0", SAID.sources),)),
        (
            "augments",
            (Update("m0", Candidate(Fact("first thing Ada has left Oslo."), "Ada", ("D2:1",), SAID.said_at)),),
        ),
        ("contradicts", (Delete("m0", SAID.said_at), Add(SAID))),
    ],
)
async def test_the_relation_to_the_only_memory_decides(relation: Relation, operations: tuple[Any, ...]) -> None:
    decision = await decided(classifier(Told(first=(relation, 0.9))), proposal((FIRST, 0.8)))
    assert decision == Decision(operations)


async def test_the_memory_that_is_least_likely_unrelated_decides_not_the_closest() -> None:
    model = Told(first=("unrelated", 0.6), second=("equivalent", 0.7), third=("contradicts", 0.95))
    decision = await decided(classifier(model), proposal((FIRST, 0.9), (SECOND, 0.8), (THIRD, 0.7)))
    assert decision.operations[0] == Delete("m2", SAID.said_at)


async def test_memories_below_the_gate_or_beyond_the_neighbours_are_not_asked_about() -> None:
    model = Told(second=("equivalent", 0.9), third=("equivalent", 0.9))
    updater = classifier(model, gate=0.5, neighbours=1)
    assert await decided(updater, proposal((FIRST, 0.9), (SECOND, 0.8), (THIRD, 0.1))) == Decision((Add(SAID),))
    assert model.asked == [[Pair("first thing", "Ada has left Oslo.")]]


async def test_without_a_close_memory_nothing_is_asked() -> None:
    model = Told()
    assert await decided(classifier(model), proposal((FIRST, 0.1))) == Decision((Add(SAID),))
    assert await decided(classifier(model), proposal()) == Decision((Add(SAID),))
    assert model.asked == []


async def test_the_chance_of_being_unrelated_from_which_a_fact_is_added_is_a_setting() -> None:
    model = Told(first=("equivalent", 0.4))  # unrelated: 0.2
    assert (await decided(classifier(model, unrelated=0.1), proposal((FIRST, 0.9)))).operations == (Add(SAID),)
    assert (await decided(classifier(model, unrelated=0.3), proposal((FIRST, 0.9)))).operations != (Add(SAID),)


@pytest.mark.parametrize("relation", ["equivalent", "contradicts"])
async def test_what_loses_words_is_done_only_from_a_chance_on(relation: Relation) -> None:
    model, other = Told(first=(relation, 0.8)), "contradicts" if relation == "equivalent" else "equivalent"
    unsure, sure = classifier(model, **{relation: 0.9}), classifier(model, **{relation: 0.8, other: 1.0})
    assert (await decided(unsure, proposal((FIRST, 0.9)))).operations == (Add(SAID),)
    assert isinstance((await decided(sure, proposal((FIRST, 0.9)))).operations[0], Noop | Delete)


async def test_a_repetition_is_believed_as_far_as_the_memory_has_its_words() -> None:
    said, model = candidate("Ada has left Oslo for Graz.", source="D2:1"), Told(Ada=("equivalent", 1.0))
    proposed = proposal((memory("Ada has left Oslo.", "m0"), 0.9), said=said)  # all but one of four
    assert (await decided(classifier(model, unsaid=0.2), proposed)).operations == (Add(said),)
    assert (await decided(classifier(model, unsaid=0.25), proposed)).operations == (Noop("m0", said.sources),)


async def test_talk_is_added_and_not_compared_where_only_plain_statements_are() -> None:
    model, talk = Told(first=("equivalent", 0.9), Wow=("equivalent", 1.0)), candidate("Ada loves it!", source="D2:1")
    updater = classifier(model, compares="plain", neighbours=1)
    assert (await decided(updater, proposal((FIRST, 0.9), said=talk))).operations == (Add(talk),)
    assert model.asked == []
    wow = memory("Wow Oslo!", "m1")
    assert (await decided(updater, proposal((wow, 0.95), (FIRST, 0.9)))).operations == (Noop("m0", SAID.sources),)
    assert (await decided(classifier(model), proposal((wow, 0.95)))).operations == (Noop("m1", SAID.sources),)


async def test_talk_that_a_memory_has_from_these_turns_is_not_added_again() -> None:
    talk = candidate("Ada loves it!", source="D2:1")
    proposed = proposal((memory("Ada loves it!", "m0", source="D2:1"), 1.0), said=talk)
    assert (await decided(classifier(Told(), compares="plain"), proposed)).operations == (Noop("m0", talk.sources),)


async def test_foreseeing_changes_no_decision_and_asks_once_for_all() -> None:
    proposals = [proposal((FIRST, 0.9), (SECOND, 0.5)), proposal((SECOND, 0.9), said=candidate("Ben rows."))]
    relations: dict[str, tuple[Relation, float]] = {"first": ("augments", 0.8), "second": ("equivalent", 0.7)}
    plain, foreseeing = Told(**relations), Told(**relations)
    without = [await decided(classifier(plain), one) for one in proposals]
    updater = classifier(foreseeing)
    await updater.foresee(proposals)
    assert [await decided(updater, one) for one in proposals] == without
    assert [len(pairs) for pairs in foreseeing.asked] == [3]


async def test_a_memory_that_was_merged_since_it_was_foreseen_is_asked_about_anew() -> None:
    model = Told(first=("equivalent", 0.9), merged=("contradicts", 0.9))
    updater = classifier(model)
    await updater.foresee([proposal((FIRST, 0.9)), proposal((SECOND, 0.4))])
    decision = await decided(updater, proposal((memory("merged thing", "m0"), 0.9)))
    assert decision.operations[0] == Delete("m0", SAID.said_at)
    assert model.asked[1] == [Pair("merged thing", "Ada has left Oslo.")]


async def test_a_memory_that_was_ended_since_it_was_foreseen_is_not_named() -> None:
    updater = classifier(Told(first=("contradicts", 0.9), second=("augments", 0.8)))
    await updater.foresee([proposal((FIRST, 0.9), (SECOND, 0.8))])
    decision = await decided(updater, proposal((SECOND, 0.8)))
    assert [type(one) for one in decision.operations] == [Update]
    assert all(one.id == "m1" for one in decision.operations if isinstance(one, Update))


async def test_what_a_memory_has_from_these_turns_is_known_whatever_the_model_says() -> None:
    again = memory("first thing Ada has left Oslo.", "m0", source="D2:1")
    decision = await decided(classifier(Told(first=("contradicts", 0.99))), proposal((again, 0.9)))
    assert decision == Decision((Noop("m0", SAID.sources),))


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ({"gate": 1.5}, "gate=1.5 is no cosine"),
        ({"neighbours": 0}, "neighbours=0"),
        ({"unrelated": 0.0}, "unrelated=0.0 is no probability"),
        ({"equivalent": -0.5}, "equivalent=-0.5 is no probability"),
        ({"contradicts": 1.5}, "contradicts=1.5 is no probability"),
        ({"unsaid": 1.5}, "unsaid=1.5 is no share"),
        ({"compares": "some"}, "compares='some'"),
        ({"merge": "glue"}, "merge='glue'"),
        ({"on_delete": "keep"}, "on_delete='keep'"),
    ],
)
def test_settings_out_of_range_are_named(setting: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        classifier(Told(), **setting)
