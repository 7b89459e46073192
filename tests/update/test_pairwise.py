import json
from typing import Any

import pytest

from memlab.llm.chat import ChatFailed, Reply, Usage
from memlab.llm.scripted import Line, Scripted
from memlab.memory import Add, Candidate, Decision, Delete, Entity, Fact, Memory, Noop, Triple, Update
from memlab.testing import check_updater
from tests.update.asked import (
    LATER,
    TEXTS,
    UNRELATED,
    kinds,
    memories,
    pairwise,
    proposal,
    said,
    scripted,
    typically,
)

ROME = said("Ada moved to Rome.")


async def decided(
    *lines: Line, one: Candidate = ROME, related: list[Memory] | None = None, score: float = 0.8, **settings: Any
) -> Decision:
    llm = scripted(*lines)
    (decision,) = await pairwise(llm, **settings).decide([proposal(one, related, score)])
    assert len(llm.requests) == len(lines), "not all replies were asked for"
    return decision


@pytest.mark.parametrize("ask", ["word", "schema"])
async def test_it_keeps_the_contract_of_updaters(ask: str) -> None:
    await check_updater(pairwise(Scripted(typically), ask=ask, prompt=f"update_pairwise_{ask}"))


async def test_the_same_credits_its_turns_to_the_memory() -> None:
    assert await decided("same") == Decision((Noop("m0", ("D2:1",)),))


@pytest.mark.parametrize(
    ("merge", "text"), [("join", "Ada lives in Oslo. Ada moved to Rome."), ("replace", "Ada moved to Rome.")]
)
async def test_more_is_merged_into_the_memory(merge: str, text: str) -> None:
    update = Update("m0", Candidate(Fact(text), "Ada", ("D2:1",), LATER))
    assert await decided("more", merge=merge) == Decision((update,))


@pytest.mark.parametrize(
    ("on_delete", "operations"),
    [
        ("paper", (Delete("m0", LATER),)),
        ("replace", (Update("m0", ROME),)),
        ("retire", (Delete("m0", LATER), Add(ROME))),
    ],
)
async def test_changed_does_with_the_new_fact_what_the_policy_says(on_delete: str, operations: tuple[Any, ...]) -> None:
    assert await decided("changed", on_delete=on_delete) == Decision(operations)


async def test_a_fact_told_twice_does_not_delete_itself() -> None:
    decision = await decided("changed", one=said(TEXTS[0]))
    assert (decision.operations, kinds(decision)) == ((Noop("m0", ("D2:1",)),), ["conflict"])


async def test_other_goes_on_to_the_next_closest_memory() -> None:
    assert await decided("other", "same") == Decision((Noop("m1", ("D2:1",)),))


async def test_when_all_are_other_the_fact_is_added_and_unrelated_memories_stay() -> None:
    assert await decided("other", "other", "other", related=memories(UNRELATED)) == Decision((Add(ROME),))


async def test_no_more_than_so_many_neighbours_are_compared() -> None:
    assert await decided("other", neighbours=1) == Decision((Add(ROME),))


@pytest.mark.parametrize(("score", "lines"), [(0.599, ()), (0.6, ("other",))])
async def test_below_the_gate_nothing_is_asked(score: float, lines: tuple[str, ...]) -> None:
    assert await decided(*lines, score=score) == Decision((Add(ROME),))


async def test_another_speakers_memories_are_not_compared() -> None:
    assert await decided(related=memories(speaker="Ben")) == Decision((Add(ROME),))


async def test_what_is_recorded_from_the_same_turns_is_not_asked_about() -> None:
    assert await decided(one=said(TEXTS[2], "D1:3")) == Decision((Noop("m2", ("D1:3",)),))


@pytest.mark.parametrize(
    "text", ["SAME", " Same.", '{"relation": "same"}', "```\nsame\n```", "It is the same, not more.", "Answer: same"]
)
async def test_the_first_of_the_four_words_counts(text: str) -> None:
    assert await decided(text) == Decision((Noop("m0", ("D2:1",)),))


@pytest.mark.parametrize("text", ["", "yes", "anymore", '{"relation": "SIMILAR"}'])
async def test_a_reply_without_such_a_word_is_repaired_once(text: str) -> None:
    decision = await decided(text, "same")
    assert (decision.operations, kinds(decision)) == ((Noop("m0", ("D2:1",)),), ["repaired"])


@pytest.mark.parametrize(("fallback", "operations"), [("add", (Add(ROME),)), ("skip", ())])
async def test_after_a_repair_in_vain_the_fallback_decides(fallback: str, operations: tuple[Any, ...]) -> None:
    decision = await decided("other", "what?", "who?", fallback=fallback)
    assert (decision.operations, kinds(decision)) == (operations, ["unreadable", "fallback"])


async def test_a_reply_that_is_cut_off_is_repaired_and_a_refusal_is_raised() -> None:
    assert kinds(await decided(Reply("", (), "length", Usage(9, 9), 0.0), "same")) == ["repaired"]
    with pytest.raises(ChatFailed, match="declined"):
        await decided(Reply("", (), "content_filter", Usage(9, 0), 0.0))


async def test_triples_are_never_joined() -> None:
    one = Candidate(Triple(Entity("Ada", "Person"), "lives_in", Entity("Rome", "Place")), "Ada", ("D2:1",), LATER)
    assert await decided("more", one=one) == Decision((Add(one),))
    assert await decided("more", one=one, merge="replace") == Decision((Update("m0", one),))


async def test_each_memory_is_asked_about_alone() -> None:
    llm = scripted("other", '{"relation": "same"}')
    updater = pairwise(llm, ask="schema", prompt="update_pairwise_schema")
    await updater.decide([proposal(said("Ada moved\nto Rome."))])
    last = [request.messages[-1].content for request in llm.requests]
    assert last == [f"Memory: {text}\nNew fact: Ada moved to Rome." for text in TEXTS[:2]]
    assert (llm.requests[0].schema or {})["properties"]["relation"]["enum"] == ["same", "more", "changed", "other"]


async def test_by_word_no_schema_is_sent_and_what_is_typical_is_a_word() -> None:
    llm = scripted("same")
    await pairwise(llm).decide([proposal(ROME)])
    assert llm.requests[0].schema is None
    assert llm.requests[0].typical in ("same", "more", "other")
    by_schema = scripted("same")
    await pairwise(by_schema, ask="schema").decide([proposal(ROME)])
    assert isinstance(by_schema.requests[0].typical, str)
    assert set(json.loads(by_schema.requests[0].typical)) == {"relation"}


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("gate", 1.1, "gate=1.1 is no cosine"),
        ("gate", float("nan"), "gate=nan is no cosine"),
        ("neighbours", 0, "neighbours=0; it must be at least 1"),
        ("merge", "joni", "merge='joni' is none of join"),
        ("ask", "tools", "ask='tools' is none of schema, word"),
    ],
)
def test_settings_that_make_no_sense_are_refused(setting: str, value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        pairwise(scripted(), **{setting: value})
