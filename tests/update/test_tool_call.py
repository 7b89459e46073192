from typing import Any

import pytest

from memlab.llm.chat import ChatFailed, ChatRequest, Reply, ToolCall, Usage
from memlab.llm.scripted import Line, Scripted
from memlab.memory import Add, Candidate, Decision, Delete, Entity, Fact, Memory, Noop, Triple, Update
from memlab.testing import check_updater
from memlab.update.calls import TOOLS
from tests.update.asked import (
    LATER,
    TEXTS,
    UNRELATED,
    call,
    fed,
    filled,
    kinds,
    memories,
    proposal,
    said,
    scripted,
    tool_call,
    typically,
    verbs,
)

ROME = said("Ada moved to Rome.")
MERGED = "Ada lives in Oslo, in a red house."
CUT = Reply("", (), "length", Usage(9, 9), 0.0)
REFUSED = Reply("", (), "content_filter", Usage(9, 0), 0.0)


async def decided(
    *lines: Line, one: Candidate = ROME, related: list[Memory] | None = None, **settings: Any
) -> Decision:
    updater = tool_call(scripted(*lines), **settings)
    (decision,) = await updater.decide([proposal(one, related)])
    return decision


@pytest.mark.parametrize("ask", ["tools", "schema"])
async def test_it_keeps_the_contract_of_updaters(ask: str) -> None:
    await check_updater(tool_call(Scripted(typically), ask=ask, prompt=f"update_{ask}"))


async def test_add_stores_the_candidate() -> None:
    assert await decided((call("add_memory"),)) == Decision((Add(ROME),))


async def test_update_stores_the_models_text_with_the_new_facts_turns_and_time() -> None:
    decision = await decided((call("update_memory", id=1, text=MERGED),))
    assert decision == Decision((Update("m0", Candidate(Fact(MERGED), "Ada", ("D2:1",), LATER)),))


async def test_update_stores_the_fact_itself_when_told_to() -> None:
    decision = await decided((call("update_memory", id=1, text=MERGED),), update_text="fact")
    assert decision == Decision((Update("m0", ROME),))


async def test_update_without_a_text_takes_the_facts_own_and_is_counted() -> None:
    for given in ({"text": " "}, {"text": None}, {}):
        decision = await decided((call("update_memory", id=1, **given),))
        assert (decision.operations, kinds(decision)) == ((Update("m0", ROME),), ["no_text"])


async def test_no_change_credits_the_memory_that_is_named() -> None:
    assert await decided((call("no_change", id=3),)) == Decision((Noop("m2", ("D2:1",)),))


async def test_no_change_without_an_id_credits_only_a_memory_of_the_same_words() -> None:
    assert await decided((call("no_change", id=None),)) == Decision((Noop(None, ("D2:1",)),))
    again = said(TEXTS[1])
    assert await decided((call("no_change", id=None),), one=again) == Decision((Noop("m1", ("D2:1",)),))


@pytest.mark.parametrize(
    ("on_delete", "operations"),
    [
        ("paper", (Delete("m0", LATER),)),
        ("replace", (Update("m0", ROME),)),
        ("retire", (Delete("m0", LATER), Add(ROME))),
    ],
)
async def test_delete_does_with_the_new_fact_what_the_policy_says(on_delete: str, operations: tuple[Any, ...]) -> None:
    assert await decided((call("delete_memory", id=1),), on_delete=on_delete) == Decision(operations)


@pytest.mark.parametrize("on_delete", ["paper", "replace", "retire"])
async def test_a_model_that_deletes_and_adds_stores_the_fact_once(on_delete: str) -> None:
    decision = await decided((call("delete_memory", id=1), call("add_memory")), on_delete=on_delete)
    assert decision == Decision((Delete("m0", LATER), Add(ROME)))


async def test_two_contradicted_memories_store_the_fact_once() -> None:
    calls = (call("delete_memory", id=1), call("delete_memory", id=2))
    replaced = await decided(calls, on_delete="replace")
    assert replaced.operations == (Update("m0", ROME), Delete("m1", LATER))
    retired = await decided(calls, on_delete="retire")
    assert retired.operations == (Delete("m0", LATER), Add(ROME), Delete("m1", LATER))


@pytest.mark.parametrize("others", [(), (call("add_memory"),)])
async def test_a_fact_told_twice_does_not_delete_itself(others: tuple[ToolCall, ...]) -> None:
    decision = await decided((call("delete_memory", id=1), *others), one=said(TEXTS[0]))
    assert (decision.operations, kinds(decision)) == ((Noop("m0", ("D2:1",)),), ["conflict"])


async def test_two_memories_can_be_updated_in_one_reply() -> None:
    calls = (call("update_memory", id=2, text="Two."), call("update_memory", id=1, text="One."))
    decision = await decided(calls)
    assert verbs(decision.operations) == [("UPDATE", "m1"), ("UPDATE", "m0")]


async def test_the_same_call_again_is_done_once_and_counted() -> None:
    decision = await decided((call("add_memory"), call("add_memory")))
    assert (decision.operations, kinds(decision)) == ((Add(ROME),), ["repeated"])


@pytest.mark.parametrize(
    "calls",
    [
        (call("update_memory", id=1, text="One."), call("delete_memory", id=1)),
        (call("update_memory", id=1, text="One."), call("update_memory", id="1", text="Two.")),
        (call("no_change", id=None), call("add_memory")),
    ],
)
async def test_calls_that_contradict_each_other_are_sent_back(calls: tuple[ToolCall, ...]) -> None:
    decision = await decided(calls, (call("add_memory"),))
    assert (decision.operations, kinds(decision)) == ((Add(ROME),), ["conflict", "repaired"])


BAD_CALLS = [
    (call("delete_memory", id=4), "unknown_id"),
    (call("no_change", id=0), "unknown_id"),
    (call("update_memory", id=-1, text="x"), "unknown_id"),
    (call("delete_memory", id="m0"), "wrong_type"),
    (call("delete_memory", id="id 1"), "wrong_type"),
    (call("delete_memory", id=True), "wrong_type"),
    (call("delete_memory", id=1.5), "wrong_type"),
    (call("delete_memory", id=[1]), "wrong_type"),
    (call("delete_memory"), "wrong_type"),
    (call("update_memory", text="x"), "wrong_type"),
    (call("update_memory", id=1, text=["x"]), "wrong_type"),
    (ToolCall("delete_memory", None, "[1]"), "wrong_type"),
]


@pytest.mark.parametrize(("bad", "kind"), BAD_CALLS)
async def test_a_call_that_cannot_be_carried_out_is_repaired_once(bad: ToolCall, kind: str) -> None:
    decision = await decided((bad,), (call("delete_memory", id=2),))
    assert (decision.operations, kinds(decision)) == ((Delete("m1", LATER),), [kind, "repaired"])


@pytest.mark.parametrize(("fallback", "operations"), [("add", (Add(ROME),)), ("skip", ())])
@pytest.mark.parametrize(("bad", "kind"), BAD_CALLS)
async def test_after_a_repair_in_vain_the_fallback_decides(
    bad: ToolCall, kind: str, fallback: str, operations: tuple[Any, ...]
) -> None:
    decision = await decided((bad,), (bad,), fallback=fallback)
    assert (decision.operations, kinds(decision)) == (operations, [kind, kind, "unreadable", "fallback"])


async def test_the_repair_names_the_ids_that_were_shown() -> None:
    llm = scripted((call("delete_memory", id=7),), (call("add_memory"),))
    await tool_call(llm).decide([proposal(ROME)])
    first, second = llm.requests
    assert second.messages[: len(first.messages)] == first.messages
    assert "there is no memory 7; the ids are 1 to 3." in second.messages[-1].content


async def test_a_number_as_text_is_understood() -> None:
    assert await decided((call("delete_memory", id="2"),)) == Decision((Delete("m1", LATER),))


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "delete_memory", "arguments": {"id": 2}}',
        '{"name": "delete_memory", "arguments": "{\\"id\\": 2}"}',
        '{"type": "function", "function": {"name": "delete_memory", "parameters": {"id": 2}}}',
        '{"operation": "DELETE", "id": 2, "text": null}',
        'I think so.\n```json\n[{"operation": "delete", "id": "2"}]\n```\nDone.',
        'delete_memory({"id": 2})',
        'Best is DELETE: {"id": 2}',
    ],
)
async def test_a_call_in_text_is_understood_and_counted(text: str) -> None:
    decision = await decided(text)
    assert (decision.operations, kinds(decision)) == ((Delete("m1", LATER),), ["call_in_text"])


@pytest.mark.parametrize(
    "text", ["", "Sure!", "ADD or NOOP?", "{}", "[]", '{"operation": "MERGE"}', '{"name": 3}', "[1]"]
)
async def test_a_text_without_a_call_is_sent_back(text: str) -> None:
    decision = await decided(text, (call("add_memory"),))
    assert (decision.operations, kinds(decision)) == ((Add(ROME),), ["repaired"])


async def test_an_unknown_tool_is_sent_back() -> None:
    decision = await decided((call("merge_memory", id=1),), (call("add_memory"),))
    assert kinds(decision) == ["repaired"]


async def test_a_reply_that_is_cut_off_is_asked_for_again() -> None:
    decision = await decided(CUT, (call("add_memory"),))
    assert (decision.operations, kinds(decision)) == ((Add(ROME),), ["repaired"])
    assert kinds(await decided(CUT, CUT)) == ["unreadable", "fallback"]


async def test_a_refusal_is_no_decision() -> None:
    with pytest.raises(ChatFailed, match="declined"):
        await decided(REFUSED)


@pytest.mark.parametrize(
    ("information", "text", "updates"),
    [
        ("none", "Oslo.", True),
        ("words", "Ada lives in Oslo now.", True),
        ("words", "Ada lives in Rome.", False),
        ("content_words", "Ada lives now in Oslo and she is there.", False),
        ("content_words", "Ada lives in sunny Oslo.", True),
    ],
)
async def test_an_update_needs_more_information_than_the_memory_has(information: str, text: str, updates: bool) -> None:
    decision = await decided((call("update_memory", id=1, text=text),), information=information)
    assert verbs(decision.operations) == [("UPDATE" if updates else "NOOP", "m0")]
    assert decision.operations[0] != Noop("m0"), "the turns of the fact were lost"
    assert [flaw.split(":")[0] for flaw in decision.flaws] == ([] if updates else ["uninformative"])


async def test_without_neighbours_a_candidate_is_added_and_nothing_is_asked() -> None:
    assert await decided(related=[]) == Decision((Add(ROME),))


async def test_what_a_memory_has_recorded_from_the_same_turns_changes_nothing_and_nothing_is_asked() -> None:
    again = said(TEXTS[1], source="D1:2")
    assert await decided(one=again) == Decision((Noop("m1", ("D1:2",)),))


async def test_unrelated_neighbours_stay_as_they_are_and_an_overwritten_one_keeps_its_history() -> None:
    assert await decided((call("add_memory"),), related=memories(UNRELATED)) == Decision((Add(ROME),))
    store = await filled()
    llm = scripted((call("update_memory", id=1, text="Ada has a red bicycle."),))
    await fed(tool_call(llm), store, [said("Ada has a red bicycle.")], s=1)
    (changed,) = [memory for memory in store.memories() if memory.history]
    assert changed.history[0].content.text in TEXTS
    assert "D2:1" in changed.sources


async def test_triples_are_replaced_and_never_joined() -> None:
    triple = Triple(Entity("Ada", "Person"), "lives_in", Entity("Rome", "Place"))
    one = Candidate(triple, "Ada", ("D2:1",), LATER)
    decision = await decided((call("update_memory", id=1, text="Ada lives in Oslo and Rome."),), one=one)
    assert decision == Decision((Update("m0", one),))


async def test_the_request_shows_numbered_dated_memories_and_no_ids() -> None:
    llm = scripted((call("add_memory"),))
    await tool_call(llm).decide([proposal(said("Ada moved\nto Rome for $5."))])
    (request,) = llm.requests
    assert request.tools == TOOLS
    assert request.schema is None
    shown = request.messages[-1].content
    assert "1. (8 May 2023) Ada lives in Oslo.\n2. (8 May 2023) Ada plays" in shown
    assert "(15 May 2023): Ada moved to Rome for $5." in shown
    assert "m0" not in shown


async def test_a_memory_of_several_lines_cannot_pass_for_two() -> None:
    llm = scripted((call("add_memory"),))
    await tool_call(llm).decide([proposal(ROME, memories(["Ada reads.\n2. Ada sings."]))])
    assert "\n2." not in llm.requests[0].messages[-1].content


async def test_by_schema_one_json_object_is_asked_for_and_is_no_flaw() -> None:
    llm = scripted('{"operation": "DELETE", "id": 2, "text": null}')
    (decision,) = await tool_call(llm, ask="schema", prompt="update_schema").decide([proposal(ROME)])
    assert decision == Decision((Delete("m1", LATER),))
    assert (llm.requests[0].tools, (llm.requests[0].schema or {})["required"]) == ((), ["operation", "id", "text"])


async def test_what_is_typical_is_mostly_add_and_reads_without_flaws() -> None:
    def reply(request: ChatRequest) -> Line:
        return request.typical

    updater = tool_call(Scripted(reply))
    found = [(await updater.decide([proposal(said(f"Fact number {n}."))]))[0] for n in range(300)]
    assert not any(decision.flaws for decision in found)
    counts = [sum(verbs(one.operations)[0][0] == verb for one in found) for verb in ("ADD", "UPDATE", "NOOP")]
    assert sum(counts) == 300
    assert counts[0] > 230 > counts[1] > counts[2] > 0


@pytest.mark.parametrize(
    ("setting", "value"), [("ask", "json"), ("on_delete", "keep"), ("information", "bits"), ("fallback", "drop")]
)
def test_an_unknown_setting_is_refused_with_the_known_ones(setting: str, value: str) -> None:
    with pytest.raises(ValueError, match=rf"{setting}='{value}' is none of \w+, "):
        tool_call(scripted(), **{setting: value})


def test_a_prompt_with_unknown_fields_is_missing(tmp_path: Any) -> None:
    own = tmp_path / "own.txt"
    own.write_text("[user]\n$memory $fact", encoding="utf-8")
    assert "$memory" in tool_call(scripted(), prompt=str(own)).missing()[0]
    assert tool_call(scripted()).missing() == []
