"""What a model is shown that is asked for entities, and what becomes of its replies."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.extract.entities_reply import LONGEST_KIND, entities_schema, read_entities
from memlab.llm.chat import ChatFailed, Reply, Usage
from memlab.llm.meter import metered
from memlab.llm.scripted import Line, Scripted
from memlab.memory import ENTITY_KINDS, Entity
from memlab.prompts import load
from memlab.testing import conversation
from tests.extract.prompts import golden, sent
from tests.extract.triples_asked import finder, kinds

TEXT = "Ada: I moved to Oslo with my dogs. My sister's name is Clara."
BEFORE = "Ben: Is Bergen far from there?"
NONE = '{"entities": []}'


def named(name: Any, kind: Any = "Person") -> dict[str, Any]:
    return {"name": name, "type": kind}


def written(*entries: Any) -> str:
    return json.dumps({"entities": entries})


async def found(*replies: Line, context: str = BEFORE, **settings: Any) -> tuple[list[Entity], list[str]]:
    with metered() as meter:
        entities = await finder(Scripted(replies), **settings).find(TEXT, context)
    return entities, meter.flaws


# What is sent


async def test_prompt_is_golden_and_the_same_every_time() -> None:
    llm = Scripted([NONE, NONE])
    for _ in range(2):
        await finder(llm).find(TEXT, BEFORE)
    assert llm.requests[0] == llm.requests[1]
    assert sent(llm.requests[0]) == golden("entities")


async def test_fixed_part_comes_first_and_names_the_types() -> None:
    llm = Scripted([NONE, NONE])
    await finder(llm).find(TEXT, BEFORE)
    await finder(llm).find("Where does Ada live?")
    first, second = llm.requests
    assert first.messages[:-1] == second.messages[:-1]
    assert all(kind in first.messages[0].content for kind in ENTITY_KINDS)
    assert second.messages[-1].content == "Said before:\n(none)\n\nText:\nWhere does Ada live?"


async def test_schema_is_sent_only_where_the_server_is_to_hold_the_model_to_it() -> None:
    llm = Scripted([NONE, NONE])
    await finder(llm, reply="schema", most_entities=7).find(TEXT)
    await finder(llm, reply="text").find(TEXT)
    assert [request.schema for request in llm.requests] == [entities_schema(7), None]


async def test_empty_text_costs_no_call() -> None:
    assert await finder(Scripted([])).find(" \n", BEFORE) == []


async def test_typical_replies_are_read_without_flaws() -> None:
    llm = Scripted(lambda request: str(request.typical))
    with metered() as meter:
        sizes = [len(await finder(llm).find(f"{turn.speaker}: {turn.text}")) for turn in conversation().turns]
        asked = await finder(llm).find("Where does Ada live?")
    assert meter.flaws == []
    assert 2 <= max(sizes) <= 5
    assert [one.name for one in asked] == ["Ada"]


# What comes back


async def test_entities_come_in_the_order_they_were_named_each_once() -> None:
    reply = written(named("Oslo", "Location"), named("Ada"), named("OSLO", "Object"), named("the dogs", "Object"))
    assert await found(reply) == (
        [Entity("Oslo", "Location"), Entity("Ada", "Person"), Entity("the dogs", "Object")],
        [],
    )


@pytest.mark.parametrize("name", ["Rome", "Ada Lovelace", "cat"])
async def test_entity_that_nobody_named_is_left_out_and_counted(name: str) -> None:
    entities, flaws = await found(written(named(name), named("Clara")))
    assert entities == [Entity("Clara", "Person")]
    assert flaws == [f"not_in_text: {name!r}"]


@pytest.mark.parametrize("name", ["dog", "DOGS", "sister", "the sister's", "clara's", "Bergen"])
async def test_name_in_another_form_or_from_the_context_is_in_the_text(name: str) -> None:
    entities, flaws = await found(written(named(name)))
    assert ([one.name for one in entities], flaws) == ([name], [])


async def test_grounding_is_a_setting() -> None:
    assert await found(written(named("Rome")), grounded=False) == ([Entity("Rome", "Person")], [])


@pytest.mark.parametrize(
    ("given_kind", "kept"),
    [
        ("person", "Person"),
        ("PERSON", "Person"),
        (" Person ", "Person"),
        ("place", "Place"),
        ("life_stage", "Life stage"),
        (["Person"], "Person"),
        ({"name": "Person"}, "Person"),
        ("x" * 300, "X" + "x" * (LONGEST_KIND - 1)),
    ],
)
async def test_type_is_kept_as_given_but_for_case_and_length(given_kind: Any, kept: str) -> None:
    assert await found(written(named("Ada", given_kind))) == ([Entity("Ada", kept)], [])


@pytest.mark.parametrize("entry", ["Ada", {"name": "Ada"}, named("Ada", None), named("Ada", ""), named("Ada", [1, 2])])
async def test_entity_without_a_type_is_a_concept_and_counted(entry: Any) -> None:
    assert await found(written(entry)) == ([Entity("Ada", "Concept")], ["wrong_type: 'Ada' has no type"])


FORMS = [
    '[{"name": "Ada", "type": "Person"}]',
    '{"name": "Ada", "type": "Person"}',
    '{"entities": {"name": "Ada", "type": "Person"}}',
    '{"entities": {"Ada": "Person"}}',
    '{"Ada": "Person"}',
    '{"entities": [["Ada", "Person"]]}',
    '{"entities": [{"entity": "Ada", "kind": "Person"}]}',
    '{"entities": [{"name": {"text": "Ada"}, "type": "Person"}]}',
    '{"entities": [{"name": ["Ada"], "type": "Person"}]}',
    'Sure!\n```json\n{"entities": [{"type": "Person", "name": " Ada\\n",}]}\n```',
]


@pytest.mark.parametrize("reply", FORMS)
async def test_forms_that_small_models_write_are_understood(reply: str) -> None:
    assert await found(reply) == ([Entity("Ada", "Person")], [])


@pytest.mark.parametrize("entry", [{"type": "Person"}, named(""), named(" "), named(None), named(["a", "b"]), 7.5e300])
async def test_entry_without_a_name_is_left_out_and_counted(entry: Any) -> None:
    entities, flaws = await found(written(named("Ada"), entry))
    assert entities == [Entity("Ada", "Person")]
    assert len(flaws) == 1


@pytest.mark.parametrize("reply", [NONE, "[]"])
async def test_no_entities_is_a_good_answer(reply: str) -> None:
    assert await found(reply) == ([], [])


async def test_runaway_list_is_cut_off_and_counted() -> None:
    reply = written(*(named(f"Ada {n}") for n in range(300)))
    entities, flaws = await found(reply, most_entities=5, grounded=False)
    assert [one.name for one in entities] == [f"Ada {n}" for n in range(5)]
    assert flaws == ["too_many: 300 entities in one reply, of which the first 5 are kept"]


BROKEN = [
    "Ada and Oslo.",
    '{"entities": "none"}',
    '{"entities": null}',
    "{}",
    '{"entities": [null]}',
    '{"entities": [{"na',
]


@pytest.mark.parametrize("reply", BROKEN)
async def test_reply_that_cannot_be_read_is_repaired_once(reply: str) -> None:
    entities, flaws = await found(reply, written(named("Ada")))
    assert (entities, kinds(flaws)) == ([Entity("Ada", "Person")], ["repaired"])


@pytest.mark.parametrize("reply", BROKEN)
async def test_reply_that_is_broken_twice_gives_nothing_and_is_counted(reply: str) -> None:
    entities, flaws = await found(reply, reply)
    assert (entities, kinds(flaws)) == ([], ["unreadable"])


async def test_refused_request_is_a_failure_and_not_an_empty_result() -> None:
    with pytest.raises(ChatFailed):
        await found(Reply("", (), "content_filter", Usage(1, 1), seconds=0.0))


JSON_ISH = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 5)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["Ada", "Oslo"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["entities", "name", "type", "x"]), inner, max_size=3)
        | st.fixed_dictionaries({"name": inner, "type": inner})
    ),
    max_leaves=12,
)


@given(JSON_ISH, JSON_ISH, st.sampled_from([0, 0, 1, 2, 9]))
@settings(max_examples=200)
async def test_any_reply_gives_only_entities_that_are_named_each_once(first: Any, second: Any, cut: int) -> None:
    spoilt = json.dumps({"entities": first})
    entities, flaws = await found(spoilt[: len(spoilt) - cut], json.dumps(second))
    names = [one.name.casefold() for one in entities]
    assert len(set(names)) == len(names)
    for one in entities:
        assert one.name.strip()
        assert 0 < len(one.kind) <= LONGEST_KIND
    assert all(": " in flaw for flaw in flaws)


# The part


def test_reader_gives_none_for_each_entry_that_is_no_entity() -> None:
    reply = Reply(written(named("Ada"), 7, None, {"x": 1}), (), "stop", Usage(1, 1), seconds=0.0)
    assert read_entities(reply) == (Entity("Ada", "Person"), Entity("7", ""), None, None)


def test_prompt_of_ones_own_with_an_unknown_field_is_a_fault(tmp_path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("[user]\n$txt\n", encoding="utf-8")
    assert "did you mean 'text'" in finder(Scripted([]), prompt=str(own)).missing()[0]
    assert finder(Scripted([])).missing() == []
    assert load("entities").fields == {"kinds", "context", "text"}


@pytest.mark.parametrize(("setting", "value"), [("reply", "json"), ("most_entities", 0)])
def test_unusable_setting_is_refused_with_its_value(setting: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{setting}={value!r}"):
        finder(Scripted([]), **{setting: value})
