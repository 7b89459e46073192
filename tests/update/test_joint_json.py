import json
from typing import Any

import pytest

from memlab.llm.chat import ChatFailed, Reply, Usage
from memlab.llm.scripted import Line, Scripted
from memlab.memory import Add, Candidate, Decision, Delete, Entity, Fact, Noop, Triple, Update
from memlab.testing import check_updater
from tests.update.asked import (
    LATER,
    TEXTS,
    decisions,
    joint,
    kinds,
    memories,
    proposal,
    said,
    scripted,
    typically,
    verbs,
)

ROME, TEA = said("Ada moved to Rome."), said("Ada drinks tea.", "D2:2")
M = memories()


def entry(fact: Any, operation: Any, id_: Any = None, text: Any = None) -> dict[str, Any]:
    return {"fact": fact, "operation": operation, "id": id_, "text": text}


async def decided(*lines: Line, facts: tuple[Candidate, ...] = (ROME, TEA), **settings: Any) -> list[Decision]:
    return await joint(scripted(*lines), **settings).decide([proposal(fact) for fact in facts])


@pytest.mark.parametrize("reply", ["schema", "text"])
async def test_it_keeps_the_contract_of_updaters(reply: str) -> None:
    await check_updater(joint(Scripted(typically), reply=reply))


async def test_every_fact_gets_its_operation_with_its_own_turns_in_one_call() -> None:
    both = decisions(entry(2, "ADD"), entry(1, "UPDATE", 1, "Ada moved from Oslo to Rome."))
    update = Update("m0", Candidate(Fact("Ada moved from Oslo to Rome."), "Ada", ("D2:1",), LATER))
    assert await decided(both) == [Decision((update,)), Decision((Add(TEA),))]


async def test_all_related_memories_are_shown_once_and_facts_are_numbered() -> None:
    llm = scripted(decisions(entry(1, "ADD"), entry(2, "NOOP", 3)))
    found = await joint(llm).decide([proposal(ROME, [M[1], M[0]]), proposal(TEA, [M[0], M[2]])])
    assert found[1] == Decision((Noop("m2", ("D2:2",)),))
    (request,) = llm.requests
    assert request.messages[-1].content == (
        "Memories:\n1. (8 May 2023) Ada plays the violin.\n2. (8 May 2023) Ada lives in Oslo.\n"
        "3. (8 May 2023) Ada is allergic to peanuts.\n\n"
        "New facts:\n1. (15 May 2023) Ada moved to Rome.\n2. (15 May 2023) Ada drinks tea.\nDecide for the 2 new facts:"
    )
    assert (request.schema or {})["title"] == "decisions"
    assert request.tools == ()


async def test_by_text_no_schema_is_sent() -> None:
    llm = scripted("```json\n" + decisions(entry(1, "ADD"), entry(2, "ADD")) + "\n```")
    found = await joint(llm, reply="text").decide([proposal(ROME), proposal(TEA)])
    assert [verbs(one.operations) for one in found] == [[("ADD", None)]] * 2
    assert llm.requests[0].schema is None


@pytest.mark.parametrize(
    ("on_delete", "operations"),
    [
        ("paper", (Delete("m0", LATER),)),
        ("replace", (Update("m0", ROME),)),
        ("retire", (Delete("m0", LATER), Add(ROME))),
    ],
)
async def test_delete_does_with_the_new_fact_what_the_policy_says(on_delete: str, operations: tuple[Any, ...]) -> None:
    found = await decided(decisions(entry(1, "DELETE", 1), entry(2, "ADD")), on_delete=on_delete)
    assert found == [Decision(operations), Decision((Add(TEA),))]


async def test_a_fact_without_a_decision_is_asked_for_again_and_need_not_be_repeated() -> None:
    llm = scripted(decisions(entry(1, "DELETE", 1)), decisions(entry(2, "NOOP", 2)))
    found = await joint(llm).decide([proposal(ROME), proposal(TEA)])
    assert [verbs(one.operations) for one in found] == [[("DELETE", "m0")], [("NOOP", "m1")]]
    assert [kinds(one) for one in found] == [["repaired"], []]
    assert "fact 2 has no usable decision." in llm.requests[1].messages[-1].content


async def test_what_was_usable_survives_a_repair_in_vain_and_the_rest_falls_back() -> None:
    bad = decisions(entry(1, "DELETE", 1), entry(2, "UPDATE", 9, "x"))
    found = await decided(bad, bad)
    assert found[0].operations == (Delete("m0", LATER),)
    assert found[1].operations == (Add(TEA),)
    assert kinds(found[0]) == ["unknown_id", "unknown_id", "unreadable"]
    assert kinds(found[1]) == ["fallback"]


async def test_decisions_for_facts_that_are_not_there_make_the_whole_reply_doubtful() -> None:
    bad = decisions(*(entry(fact, "UPDATE", 1, text) for fact, text in enumerate(TEXTS, 1)))
    found = await decided(bad, bad)
    assert [one.operations for one in found] == [(Add(ROME),), (Add(TEA),)]
    assert kinds(found[0]) == ["unknown_fact", "unknown_fact", "unreadable", "fallback"]


async def test_skipping_stores_nothing_and_is_counted() -> None:
    found = await decided("no", "no", fallback="skip")
    assert [one.operations for one in found] == [(), ()]
    assert [kinds(one) for one in found] == [["unreadable", "fallback"], ["fallback"]]


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        (decisions(entry(1, "ADD"), entry(2, "DELETE", 9)), "unknown_id"),
        (decisions(entry(1, "ADD"), entry(2, "DELETE", "m1")), "wrong_type"),
        (decisions(entry(1, "ADD"), entry(2, "UPDATE", None, "x")), "wrong_type"),
        (decisions(entry(1, "ADD"), entry(2, "UPDATE", 1, ["x"])), "wrong_type"),
        (decisions(entry(1, "ADD"), entry(2, "ADD"), entry(2, "NOOP")), "conflict"),
        (decisions(entry(1, "ADD"), entry(3, "ADD")), "unknown_fact"),
        (decisions(entry(1, "ADD"), entry(None, "ADD")), "unknown_fact"),
        (json.dumps({"decisions": [entry(1, "ADD"), "ADD"]}), "unknown_fact"),
        (json.dumps({"decisions": "ADD"}), "wrong_type"),
    ],
)
async def test_a_decision_that_cannot_be_used_is_counted_and_repaired(bad: str, kind: str) -> None:
    found = await decided(bad, decisions(entry(1, "ADD"), entry(2, "ADD")))
    assert [one.operations for one in found] == [(Add(ROME),), (Add(TEA),)]
    assert kinds(found[0]) == [kind, "repaired"]


@pytest.mark.parametrize("bad", ["", "ADD", "{}", decisions(), decisions(entry(1, "MERGE"), entry(2, "ADD"))])
async def test_an_unreadable_reply_is_repaired(bad: str) -> None:
    found = await decided(bad, decisions(entry(1, "ADD"), entry(2, "ADD")))
    assert "repaired" in kinds(found[0])


@pytest.mark.parametrize(
    ("second", "operations", "flaws"),
    [
        (entry(2, "UPDATE", 1, "Two."), (Add(TEA),), ["conflict", "fallback"]),
        (entry(2, "DELETE", 1), (Add(TEA),), ["conflict", "fallback"]),
        (entry(2, "NOOP", 1), (Add(TEA),), ["conflict", "fallback"]),
    ],
)
@pytest.mark.parametrize("on_delete", ["paper", "replace", "retire"])
async def test_what_an_earlier_fact_has_deleted_is_there_no_more(
    second: dict[str, Any], operations: tuple[Any, ...], flaws: list[str], on_delete: str
) -> None:
    found = await decided(decisions(entry(1, "DELETE", 1), second), on_delete=on_delete)
    assert (found[1].operations, kinds(found[1])) == (operations, flaws)


async def test_a_memory_can_be_updated_for_two_facts_but_not_deleted_after() -> None:
    twice = await decided(decisions(entry(1, "UPDATE", 1, "One."), entry(2, "UPDATE", 1, "Two.")))
    assert [verbs(one.operations) for one in twice] == [[("UPDATE", "m0")]] * 2
    deleted = await decided(decisions(entry(1, "UPDATE", 1, "One."), entry(2, "DELETE", 1)))
    assert (deleted[1].operations, kinds(deleted[1])) == ((Add(TEA),), ["conflict", "fallback"])


async def test_a_fact_said_twice_in_an_exchange_is_decided_once_and_keeps_both_turns() -> None:
    again = said(ROME.content.text, "D2:3")
    llm = scripted(decisions(entry(1, "ADD"), entry(2, "ADD")))
    found = await joint(llm).decide([proposal(ROME), proposal(again), proposal(TEA)])
    assert found[0] == Decision((Add(Candidate(ROME.content, "Ada", ("D2:1", "D2:3"), LATER)),))
    assert found[1:] == [Decision((Noop(None, ("D2:3",)),)), Decision((Add(TEA),))]
    assert llm.requests[0].messages[-1].content.count("Ada moved to Rome.") == 1


async def test_what_is_recorded_from_the_same_turns_is_not_asked_about() -> None:
    again = said(TEXTS[0], "D1:1")
    assert await decided(facts=(again,)) == [Decision((Noop("m0", ("D1:1",)),))]


async def test_without_any_memories_all_facts_are_added_and_nothing_is_asked() -> None:
    found = await joint(scripted()).decide([proposal(ROME, []), proposal(TEA, [])])
    assert found == [Decision((Add(ROME),)), Decision((Add(TEA),))]
    assert await joint(scripted()).decide([]) == []


async def test_triples_are_replaced_and_never_joined() -> None:
    one = Candidate(Triple(Entity("Ada", "Person"), "lives_in", Entity("Rome", "Place")), "Ada", ("D2:1",), LATER)
    assert await decided(decisions(entry(1, "UPDATE", 1, "Both.")), facts=(one,)) == [Decision((Update("m0", one),))]


async def test_a_reply_cut_off_twice_falls_back_and_a_refusal_is_raised() -> None:
    cut = Reply("", (), "length", Usage(9, 9), 0.0)
    assert [kinds(one) for one in await decided(cut, cut)] == [["unreadable", "fallback"], ["fallback"]]
    with pytest.raises(ChatFailed, match="declined"):
        await decided(Reply("", (), "content_filter", Usage(9, 0), 0.0))


async def test_what_is_typical_reads_without_flaws() -> None:
    facts = [proposal(said(f"Fact number {n}.", f"D2:{n}"), M[n % 2 :]) for n in range(60)]
    found = await joint(Scripted(typically)).decide(facts)
    assert not any(one.flaws for one in found if "conflict" not in kinds(one))
    assert {verb for one in found for verb, _ in verbs(one.operations)} == {"ADD", "UPDATE", "NOOP"}
