import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.llm.chat import ChatFailed, ChatRequest, Reply, ToolCall, Usage
from memlab.llm.scripted import Line, Scripted
from memlab.memory import Add, Candidate, Decision, Delete, Fact, Memory, Noop, Operation
from memlab.testing import candidate, check_updater
from memlab.tokens import count_tokens
from memlab.update.resolve_calls import SCHEMA, TOOLS
from tests.update.asked import call, kinds, typically
from tests.update.relations_asked import KNOWN, LATER, ROME, edges, proposal, resolver, said, triple

GOLDEN = Path(__file__).parent / "golden"
CUT = Reply("", (), "length", Usage(9, 9), 0.0)
OSLO, BERGEN = KNOWN[1], KNOWN[3]


async def decided(
    *lines: Line, one: Candidate = ROME, related: list[Memory] | None = None, **settings: Any
) -> Decision:
    (decision,) = await resolver(Scripted(lines), **settings).decide(
        [proposal(one, KNOWN if related is None else related)]
    )
    return decision


@pytest.mark.parametrize("ask", ["tools", "schema"])
async def test_it_keeps_the_contract_of_updaters(ask: str) -> None:
    await check_updater(resolver(Scripted(typically), ask=ask))
    assert resolver(Scripted([])).needs_same_source


# What is asked


async def test_only_relations_that_may_conflict_are_shown_numbered_and_dated_without_ids() -> None:
    llm = Scripted([(call("no_conflict"),)])
    await resolver(llm).decide([proposal(ROME, KNOWN)])
    (request,) = llm.requests
    assert request.tools == TOOLS
    assert request.schema is None
    assert request.messages[-1].content == (
        "Known relations:\n1. (8 May 2023) Ada lives in Oslo\n2. (8 May 2023) Ada moves to Bergen\n\n"
        "New relation (15 May 2023): Ada lives in Rome"
    )


@pytest.mark.parametrize("ask", ["tools", "schema"])
async def test_prompts_are_what_was_reviewed_and_short(ask: str) -> None:
    llm = Scripted(typically)
    await resolver(llm, ask=ask).decide([proposal(ROME, KNOWN)])
    messages = llm.requests[0].messages
    rendered = "\n".join(f"[{message.role}]\n{message.content}" for message in messages) + "\n"
    assert rendered == (GOLDEN / f"resolve_{ask}.txt").read_text(encoding="utf-8")
    assert sum(count_tokens(message.content) for message in messages[:-1]) < 400


async def test_by_schema_one_json_object_is_asked_for_and_is_no_flaw() -> None:
    llm = Scripted(['{"operation": "invalidate", "ids": [1]}'])
    (decision,) = await resolver(llm, ask="schema").decide([proposal(ROME, KNOWN)])
    assert decision == Decision((Delete("m2", LATER), Add(ROME)))
    assert (llm.requests[0].tools, llm.requests[0].schema) == ((), SCHEMA)


@pytest.mark.parametrize("related", [[], [KNOWN[0], KNOWN[2]]])
async def test_nothing_is_asked_where_nothing_can_be_in_conflict(related: list[Memory]) -> None:
    assert await decided(related=related) == Decision((Add(ROME),))


async def test_nothing_is_asked_when_the_same_is_known() -> None:
    again = said(triple("lives_in", "Oslo"))
    assert await decided(one=again) == Decision((Noop("m2", ("D2:1",)),))


async def test_a_fact_is_added_unless_it_is_known() -> None:
    fact = candidate("Ada lives in Rome.", source="D2:1", at=LATER)
    assert await decided(one=fact) == Decision((Add(fact),))
    known = Memory("m7", Fact("Ada lives in Rome."), "Ada", ("D1:7",), LATER, LATER, LATER)
    assert await decided(one=fact, related=[*KNOWN, known]) == Decision((Noop("m7", ("D2:1",)),))


async def test_a_relation_of_several_lines_cannot_pass_for_two() -> None:
    llm = Scripted([(call("no_conflict"),)])
    sly = edges(triple("lives_in", "Oslo\n2. Ada lives in Paris"))
    await resolver(llm).decide([proposal(ROME, sly)])
    assert "\n2." not in llm.requests[0].messages[-1].content


# What is done


async def test_invalid_relations_are_retired_when_the_new_one_was_said_and_it_is_added() -> None:
    decision = await decided((call("invalidate", ids=[1, 2]),))
    assert decision == Decision((Delete("m2", LATER), Delete("m4", LATER), Add(ROME)))


async def test_without_conflict_the_relation_is_added() -> None:
    assert await decided((call("no_conflict"),)) == Decision((Add(ROME),))


async def test_a_duplicate_changes_nothing_and_credits_the_relation() -> None:
    assert await decided((call("duplicate", id=2),)) == Decision((Noop("m4", ("D2:1",)),))


PLAIN = [
    (call("invalidate", ids=[1, 1]),),
    (call("invalidate", ids=["1"]),),
    (call("invalidate", ids=[1.0]),),
    (call("invalidate", ids=1),),
    (call("invalidate", id=1),),
]


@pytest.mark.parametrize("calls", PLAIN)
async def test_a_number_in_another_form_is_understood(calls: tuple[ToolCall, ...]) -> None:
    assert await decided(calls) == Decision((Delete("m2", LATER), Add(ROME)))


async def test_several_calls_are_one_and_the_same_again_is_counted() -> None:
    decision = await decided((call("invalidate", ids=[2]), call("invalidate", ids=[1])))
    assert decision == Decision((Delete("m4", LATER), Delete("m2", LATER), Add(ROME)))
    decision = await decided((call("no_conflict"), call("no_conflict")))
    assert (decision.operations, kinds(decision)) == ((Add(ROME),), ["repeated"])


# Lies


BAD_CALLS = [
    (call("invalidate", ids=[3]), "unknown_id"),
    (call("invalidate", ids=[1, 0]), "unknown_id"),
    (call("invalidate", ids=[-1]), "unknown_id"),
    (call("duplicate", id=99), "unknown_id"),
    (call("invalidate", ids=["m2"]), "wrong_type"),
    (call("invalidate", ids=["1, 2"]), "wrong_type"),
    (call("invalidate", ids=[[1]]), "wrong_type"),
    (call("invalidate", ids=[True]), "wrong_type"),
    (call("invalidate", ids=[1.5]), "wrong_type"),
    (call("invalidate", ids={"1": True}), "wrong_type"),
    (call("invalidate", ids=[]), "wrong_type"),
    (call("invalidate", ids=None), "wrong_type"),
    (call("invalidate"), "wrong_type"),
    (call("duplicate"), "wrong_type"),
    (call("duplicate", ids=[1, 2]), "conflict"),
    (ToolCall("invalidate", None, "[1]"), "wrong_type"),
]


@pytest.mark.parametrize(("bad", "kind"), BAD_CALLS)
async def test_a_call_that_cannot_be_carried_out_is_repaired_once(bad: ToolCall, kind: str) -> None:
    decision = await decided((bad,), (call("invalidate", ids=[2]),))
    assert (decision.operations, kinds(decision)) == ((Delete("m4", LATER), Add(ROME)), [kind, "repaired"])


@pytest.mark.parametrize(("fallback", "operations"), [("add", (Add(ROME),)), ("skip", ())])
@pytest.mark.parametrize(("bad", "kind"), BAD_CALLS)
async def test_after_a_repair_in_vain_the_fallback_decides(
    bad: ToolCall, kind: str, fallback: str, operations: tuple[Operation, ...]
) -> None:
    decision = await decided((bad,), (bad,), fallback=fallback)
    assert (decision.operations, kinds(decision)) == (operations, [kind, kind, "unreadable", "fallback"])


@pytest.mark.parametrize(
    "calls",
    [
        (call("no_conflict"), call("invalidate", ids=[1])),
        (call("duplicate", id=1), call("invalidate", ids=[1])),
        (call("duplicate", id=1), call("duplicate", id=2)),
    ],
)
async def test_calls_that_contradict_each_other_are_sent_back(calls: tuple[ToolCall, ...]) -> None:
    decision = await decided(calls, (call("no_conflict"),))
    assert (decision.operations, kinds(decision)) == ((Add(ROME),), ["conflict", "repaired"])


async def test_the_repair_names_the_ids_that_were_shown() -> None:
    llm = Scripted([(call("invalidate", ids=[7]),), (call("no_conflict"),)])
    await resolver(llm).decide([proposal(ROME, KNOWN)])
    first, second = llm.requests
    assert second.messages[: len(first.messages)] == first.messages
    assert "the ids are 1 to 2." in second.messages[-1].content


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "invalidate", "arguments": {"ids": [1]}}',
        '{"name": "invalidate", "arguments": "{\\"ids\\": [1]}"}',
        '{"type": "function", "function": {"name": "invalidate", "parameters": {"ids": [1]}}}',
        '{"operation": "INVALIDATE", "ids": ["1"]}',
        'I think so.\n```json\n[{"operation": "invalidate", "ids": [1]}]\n```\nDone.',
        'invalidate({"ids": [1]})',
        "invalidate(ids=[1])",
        "I call invalidate(1).",
        'Best is invalidate: {"ids": [1]}',
        "invalidate [1]",
    ],
)
async def test_a_call_in_text_is_understood_and_counted(text: str) -> None:
    decision = await decided(text)
    assert (decision.operations, kinds(decision)) == ((Delete("m2", LATER), Add(ROME)), ["call_in_text"])


@pytest.mark.parametrize("text", ["no_conflict()", "There is no_conflict."])
async def test_no_conflict_in_text_is_understood_and_counted(text: str) -> None:
    decision = await decided(text)
    assert (decision.operations, kinds(decision)) == ((Add(ROME),), ["call_in_text"])


@pytest.mark.parametrize(
    "text",
    ["", "Sure!", "duplicate or no_conflict?", "{}", "[]", '{"operation": "delete"}', '{"name": 3}', "[1]", "invalid"],
)
async def test_a_text_without_a_call_is_sent_back(text: str) -> None:
    decision = await decided(text, (call("no_conflict"),))
    assert (decision.operations, kinds(decision)) == ((Add(ROME),), ["repaired"])


async def test_an_unknown_tool_is_sent_back() -> None:
    assert kinds(await decided((call("delete_memory", id=1),), (call("no_conflict"),))) == ["repaired"]


async def test_a_reply_that_is_cut_off_is_asked_for_again() -> None:
    assert kinds(await decided(CUT, (call("no_conflict"),))) == ["repaired"]
    assert kinds(await decided(CUT, CUT)) == ["unreadable", "fallback"]


async def test_a_refusal_is_no_decision() -> None:
    with pytest.raises(ChatFailed, match="declined"):
        await decided(Reply("", (), "content_filter", Usage(9, 0), 0.0))


IDS = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 4) | st.floats(allow_nan=False) | st.sampled_from(["1", "m2", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "ids"]), inner, max_size=2),
    max_leaves=6,
)
NAMES = st.sampled_from(["invalidate", "no_conflict", "duplicate", "delete"]) | st.text(max_size=6)
CALLS = st.builds(
    lambda name, key, ids: call(name, **{key: ids}), NAMES, st.sampled_from(["id", "ids"]), IDS
) | st.builds(lambda name, raw: ToolCall(name, None, raw), NAMES, st.text(max_size=6))
TEXTS = (
    st.text(max_size=30)
    | st.builds(lambda name, ids: json.dumps({"operation": name, "ids": ids}), NAMES, IDS)
    | st.builds(lambda name, ids: f"{name}({ids})", NAMES, IDS)
)
LINES: st.SearchStrategy[Line] = st.lists(CALLS, min_size=1, max_size=3).map(tuple) | TEXTS | st.just(CUT)


@settings(max_examples=300)
@given(first=LINES, second=LINES, ask=st.sampled_from(["tools", "schema"]), fallback=st.sampled_from(["add", "skip"]))
def test_whatever_a_model_replies_only_shown_relations_end_and_nothing_is_lost_unseen(
    first: Line, second: Line, ask: str, fallback: str
) -> None:
    decision = asyncio.run(decided(first, second, ask=ask, fallback=fallback))
    ended = [one.id for one in decision.operations if isinstance(one, Delete)]
    assert set(ended) <= {OSLO.id, BERGEN.id}
    assert len(set(ended)) == len(ended)
    match decision.operations[len(ended) :]:
        case (Add(candidate=added),):
            assert added == ROME
        case (Noop(duplicate_of=id_, sources=sources),):
            assert (id_ in {OSLO.id, BERGEN.id}, ended, sources) == (True, [], ROME.sources)
        case rest:
            assert (rest, ended, kinds(decision)[-1]) == ((), [], "fallback")


# The part


async def test_what_is_typical_is_mostly_no_conflict_and_reads_without_flaws() -> None:
    def reply(request: ChatRequest) -> Line:
        return request.typical

    for ask in ("tools", "schema"):
        updater = resolver(Scripted(reply), ask=ask)
        found = [
            (await updater.decide([proposal(said(triple("lives_in", f"town {n}")), KNOWN)]))[0] for n in range(200)
        ]
        assert not any(decision.flaws for decision in found)
        first = [type(one.operations[0]).__name__ for one in found]
        assert first.count("Add") > first.count("Delete") > first.count("Noop") > 0


@pytest.mark.parametrize(("setting", "value"), [("ask", "json"), ("fallback", "drop")])
def test_an_unknown_setting_is_refused_with_the_known_ones(setting: str, value: str) -> None:
    with pytest.raises(ValueError, match=rf"{setting}='{value}' is none of \w+, "):
        resolver(Scripted([]), **{setting: value})


def test_a_prompt_with_unknown_fields_is_missing(tmp_path: Any) -> None:
    own = tmp_path / "own.txt"
    own.write_text("[user]\n$memories $relation", encoding="utf-8")
    assert "$memories" in resolver(Scripted([]), prompt=str(own)).missing()[0]
    for ask in ("tools", "schema"):
        assert resolver(Scripted([]), ask=ask).missing() == []
