"""What becomes of replies with relations, good and bad."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.extract.relations_reply import Drawn, read_relations, time_in
from memlab.llm.chat import ChatFailed, Reply, Usage
from memlab.llm.understood import Misunderstood
from memlab.memory import Entity, Triple
from tests.extract.facts_asked import MAY, PAIR
from tests.extract.triples_asked import NO_RELATIONS, drawn, kinds, taken, texts, written

OSLO = drawn("Ada", "moves_to", "Oslo")
SISTER = drawn("Ada", "has_sister", "Clara")
BICYCLE = drawn("Ben", "buys", "red bicycle", 2)


def read(text: str) -> tuple[Drawn | None, ...]:
    return read_relations(Reply(text, (), "stop", Usage(1, 1), seconds=0.0))


async def test_triple_has_typed_ends_and_the_speaker_time_and_id_of_its_message() -> None:
    made, flaws = await taken(written(OSLO, BICYCLE))
    ada, ben = Entity("Ada", "Person"), Entity("Ben", "Person")
    assert [(one.content, one.speaker, one.sources, one.said_at) for one in made] == [
        (Triple(ada, "moves_to", Entity("Oslo", "Location")), "Ada", ("D1:3",), MAY),
        (Triple(ben, "buys", Entity("red bicycle", "Object")), "Ben", ("D1:4",), MAY),
    ]
    assert flaws == []


@pytest.mark.parametrize("label", ["moves_to", "Moved to", "movesTo", "MOVES TO", " moved_to "])
async def test_label_is_kept_in_its_one_spelling(label: str) -> None:
    assert texts((await taken(written(drawn("Ada", label, "Oslo"))))[0]) == ["Ada moves to Oslo"]


# Whose it is


async def test_relation_of_the_other_speaker_is_dropped_and_counted() -> None:
    made, flaws = await taken(written(OSLO, BICYCLE), owner="Ada")
    assert texts(made) == ["Ada moves to Oslo"]
    assert flaws == ["wrong_speaker: 'Ben buys red bicycle' is from a message of Ben"]


@pytest.mark.parametrize("message", [0, 3, "two", None, True, [2]])
async def test_unusable_number_means_the_one_message_it_can_be_or_all_and_is_counted(message: object) -> None:
    made, flaws = await taken(written(drawn("Ben", "buys", "red bicycle", message)), owner="Ben")
    assert ([one.sources for one in made], flaws) == ([("D1:4",)], [])
    made, flaws = await taken(written(drawn("Ben", "buys", "red bicycle", message)))
    assert ([(one.sources, one.speaker) for one in made], kinds(flaws)) == ([(("D1:3", "D1:4"), "")], ["wrong_type"])


# Ends


@pytest.mark.parametrize("name", ["oslo", "OSLO", "the Oslo", "Oslo's", " Oslo "])
async def test_end_in_another_spelling_is_the_entity_of_the_list(name: str) -> None:
    assert texts((await taken(written(drawn("ada", "moves_to", name))))[0]) == ["Ada moves to Oslo"]


async def test_end_in_another_number_is_the_entity_where_it_can_be_but_one() -> None:
    made, flaws = await taken(written(drawn("Ada", "knows", "nurses")))
    assert (texts(made), flaws) == (["Ada knows nurse"], [])


async def test_end_that_may_be_either_of_two_entities_is_unknown() -> None:
    found = json.dumps({"entities": [{"name": "nurse", "type": "Concept"}, {"name": "nurses", "type": "Concept"}]})
    new = (replace(PAIR[0], text="My nurse knows all nurses."),)
    entry = drawn("Ada", "likes", "nursing")
    made, flaws = await taken(written(entry), written(entry), found=found, new=new)
    assert (made, kinds(flaws)) == ([], ["unknown_entity"])


@pytest.mark.parametrize("me", ["I", "me", "Speaker"])
async def test_first_person_is_who_speaks(me: str) -> None:
    assert texts((await taken(written(drawn(me, "buys", "red bicycle", 2))))[0]) == ["Ben buys red bicycle"]


async def test_unknown_end_is_repaired_once_and_what_was_right_is_kept() -> None:
    made, flaws = await taken(written(OSLO, drawn("Ada", "has_sister", "Klara")), written(SISTER))
    assert texts(made) == ["Ada moves to Oslo", "Ada has sister Clara"]
    assert flaws[0] == "unknown_entity: 'Klara' in 'Ada has_sister Klara'"
    assert kinds(flaws) == ["unknown_entity", "repaired"]
    assert "'Klara' is none of the entities; write only of Ada, Ben, Oslo, Clara, nurse, red bicycle" in flaws[1]


async def test_unknown_end_that_comes_again_is_refused_and_counted() -> None:
    for entry in (drawn("Ada", "has_sister", "Klara"), drawn("Max", "is", "nurse"), drawn("Max", "knows", "Klara")):
        made, flaws = await taken(written(OSLO, entry), written(entry, SISTER))
        assert texts(made) == ["Ada moves to Oslo", "Ada has sister Clara"]
        assert kinds(flaws) == ["unknown_entity"]


async def test_unknown_end_before_an_unreadable_repair_loses_nothing() -> None:
    made, flaws = await taken(written(OSLO, drawn("Ada", "has_sister", "Klara")), "Sorry.")
    assert texts(made) == ["Ada moves to Oslo"]
    assert kinds(flaws) == ["unknown_entity", "unreadable"]


async def test_unreadable_reply_before_unknown_ends_loses_nothing() -> None:
    made, flaws = await taken("Sorry.", written(OSLO, drawn("Ada", "has_sister", "Klara")))
    assert (texts(made), kinds(flaws)) == (["Ada moves to Oslo"], ["unknown_entity"])


async def test_self_loop_is_refused_and_counted() -> None:
    made, flaws = await taken(written(drawn("Ada", "likes", "ada"), drawn("I", "is", "Ada"), OSLO))
    assert (texts(made), kinds(flaws)) == (["Ada moves to Oslo"], ["self_loop", "self_loop"])


# Forms


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([OSLO]),
        json.dumps(OSLO),
        json.dumps({"relations": OSLO}),
        json.dumps({"triples": [OSLO]}),
        '{"relations": [[1, "Ada", "moves_to", "Oslo"]]}',
        '[["1", "Ada", "moves_to", "Oslo", ""]]',
        '[1, "Ada", "moves_to", "Oslo"]',
        '{"relations": [{"message": "1", "subject": "Ada", "predicate": "moves_to", "object": "Oslo", "date": null}]}',
        '{"relations": [{"message": 1, "source": {"name": "Ada", "type": "Person"}, "relation": ["moves_to"],'
        ' "destination": {"name": "Oslo"}}]}',
        'Sure!\n```json\n{"relations": [{"message": 1, "source": "Ada",\n"relation": "moves_to", "destination":'
        ' "Oslo",}]}\n```',
    ],
)
def test_forms_that_small_models_write_are_understood(text: str) -> None:
    assert read(text) == (Drawn(1, "Ada", "moves_to", "Oslo", ""),)


async def test_several_names_for_one_end_are_as_many_relations() -> None:
    made, flaws = await taken(written(drawn(["Ada", "Ben"], "knows", ["Clara", "Oslo"])))
    assert texts(made) == ["Ada knows Clara", "Ada knows Oslo", "Ben knows Clara", "Ben knows Oslo"]
    assert flaws == []


WRONG = [
    {"message": 1, "source": "Ada", "relation": "moves_to"},
    {"message": 1, "source": "Ada", "destination": "Oslo"},
    {"message": 1, "relation": "moves_to", "destination": "Oslo"},
    drawn("", "moves_to", "Oslo"),
    drawn("Ada", " ", "Oslo"),
    drawn("Ada", "moves_to", None),
    drawn("Ada", "moves_to", []),
    drawn("Ada", "moves_to", ["Oslo", ""]),
    drawn({"type": "Person"}, "moves_to", "Oslo"),
    drawn("Ada", {"is": "moves_to"}, "Oslo"),
    ["Ada", "moves_to"],
    "Ada moves to Oslo",
    None,
    7,
]


@pytest.mark.parametrize("entry", WRONG)
async def test_entry_that_lacks_a_part_is_left_out_and_counted(entry: Any) -> None:
    made, flaws = await taken(written(entry, SISTER))
    assert (texts(made), kinds(flaws)) == (["Ada has sister Clara"], ["wrong_type"])


@pytest.mark.parametrize(
    "text", ["No relations.", "{}", '{"relations": null}', '{"relations": "none"}', '{"relations": [{"mes']
    + [json.dumps({"relations": [entry]}) for entry in WRONG],
)  # fmt: skip
async def test_reply_without_any_relation_is_no_empty_list(text: str) -> None:
    with pytest.raises(Misunderstood):
        read(text)
    made, flaws = await taken(text, written(OSLO))
    assert (texts(made), kinds(flaws)) == (["Ada moves to Oslo"], ["repaired"])
    made, flaws = await taken(text, text)
    assert (made, kinds(flaws)) == ([], ["unreadable"])


@pytest.mark.parametrize("text", [NO_RELATIONS, "[]"])
async def test_no_relations_is_a_good_answer(text: str) -> None:
    assert await taken(text) == ([], [])


async def test_repetitions_are_taken_once_and_a_runaway_list_is_cut_off_and_counted() -> None:
    again = drawn("ada", "Moved to", "the Oslo")
    assert await taken(written(OSLO, OSLO, again)) == (await taken(written(OSLO)))
    endless = written(*(drawn("Ada", f"likes_{n}", "Oslo") for n in range(300)))
    made, flaws = await taken(endless, most_triples=5)
    assert texts(made) == [f"Ada likes {n} Oslo" for n in range(5)]
    assert flaws == ["too_many: 300 relations in one reply, of which the first 5 are kept"]


async def test_refused_request_is_a_failure_and_not_an_empty_result() -> None:
    with pytest.raises(ChatFailed):
        await taken(Reply("", (), "content_filter", Usage(1, 1), seconds=0.0))


# Times


@pytest.mark.parametrize(
    ("when", "kept"),
    [
        ("", ""),
        (None, ""),
        ("none", ""),
        ("Now.", ""),
        ("7 May 2023", "7 May 2023"),
        ("on 7 May 2023", "7 May 2023"),
        (2023, "2023"),
        (["7 May 2023"], "7 May 2023"),
        ("Yesterday", "7 May 2023"),
    ],
)
async def test_time_is_kept_in_words_with_a_date(when: Any, kept: str) -> None:
    (one,), flaws = await taken(written(drawn("Ben", "buys", "red bicycle", 2, when)))
    assert isinstance(one.content, Triple)
    assert (one.content.when, flaws) == (kept, [])


@pytest.mark.parametrize(
    ("when", "kept"),
    [
        ("in two weeks", "two weeks after 8 May 2023"),
        ("In 3 days", "11 May 2023"),
        ("in May 2023", "May 2023"),
        ("in the summer of 2022", "the summer of 2022"),
        ("last week", "the week before 8 May 2023"),
        ("two months ago", "March 2023"),
        ("on the 8th", "the 8th"),
    ],
)
def test_relative_time_alone_is_counted_out(when: str, kept: str) -> None:
    assert time_in(when, MAY, absolutely=True) == kept


async def test_what_the_model_left_of_relative_times_stays_where_that_is_chosen() -> None:
    entry = drawn("Ben", "buys", "red bicycle", 2, "yesterday")
    assert texts((await taken(written(entry), relative_dates="model"))[0]) == ["Ben buys red bicycle (yesterday)"]


async def test_time_that_nobody_told_is_left_out_and_counted() -> None:
    made, flaws = await taken(written(drawn("Ben", "buys", "red bicycle", 2, "last summer")))
    assert texts(made) == ["Ben buys red bicycle"]
    assert flaws == ["not_in_text: the time 'last summer' of 'Ben buys red bicycle'"]


async def test_relative_date_as_an_end_is_counted_out() -> None:
    found = json.dumps({"entities": [{"name": "yesterday", "type": "Date"}]})
    made, _ = await taken(written(drawn("Ben", "is_happy_on", "yesterday", 2)), found=found)
    assert [one.content.object for one in made if isinstance(one.content, Triple)] == [Entity("7 May 2023", "Date")]


# Anything


names = st.sampled_from(["Ada", "Ben", "Oslo", "I", "Klara", "", " "]) | st.text(max_size=6)
JSON_ISH = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5) | st.floats() | names,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["relations", "source", "name", "x"]), inner, max_size=3)
        | st.fixed_dictionaries(dict.fromkeys(("message", "source", "relation", "destination"), inner | names))
    ),
    max_leaves=16,
)


@given(JSON_ISH, JSON_ISH, st.sampled_from([0, 0, 1, 2, 9]), st.sampled_from([None, "Ada", "Ben"]))
@settings(max_examples=200)
async def test_any_reply_gives_only_triples_between_entities_from_the_owners_messages(
    first: Any, second: Any, cut: int, owner: str | None
) -> None:
    spoilt = json.dumps({"relations": first})
    made, flaws = await taken(spoilt[: len(spoilt) - cut], json.dumps(second), owner=owner)
    own = {turn.id for turn in PAIR if owner in (None, turn.speaker)}
    known = {"Ada", "Ben", "Oslo", "Clara", "nurse", "red bicycle"}
    for one in made:
        assert isinstance(one.content, Triple)
        assert {one.content.subject.name, one.content.object.name} <= known
        assert one.content.subject != one.content.object
        assert one.content.relation
        assert set(one.sources) <= own
        assert owner is None or one.speaker == owner
    assert len({one.content for one in made}) == len(made)
    assert all(": " in flaw for flaw in flaws)
