"""What a model is shown when it is asked for relations, and when it is not asked at all."""

import json
import re
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from memlab.dialogue import Turn
from memlab.extract.entities import EntityFinder
from memlab.extract.extractor import Window
from memlab.extract.relations_reply import relations_schema
from memlab.llm.meter import metered
from memlab.llm.scripted import Scripted
from memlab.memory import Entity, Triple
from memlab.prompts import load
from memlab.testing import check_extractor
from memlab.tokens import count_tokens
from tests.extract.facts_asked import PAIR
from tests.extract.prompts import golden, mini_windows, sent
from tests.extract.triples_asked import FOUND, NO_RELATIONS, drawn, kinds, taken, texts, triples, written

NOTHING = '{"entities": []}'


async def asked(window: Window, **settings: Any) -> str:
    """Return the last message of the prompt for the relations of a window."""
    llm = Scripted([FOUND, NO_RELATIONS])
    await triples(llm, **settings).extract(window)
    return llm.requests[1].messages[-1].content


# What is sent


async def test_prompt_for_a_mini_window_is_golden_and_the_same_every_time() -> None:
    window = replace(mini_windows()[5], owner="Greta", summary="Greta and Anna are old friends who write again.")
    found = json.dumps({"entities": [{"name": "dog", "type": "Object"}, {"name": "greta", "type": "Concept"}]})
    llm = Scripted([found, NO_RELATIONS] * 2)
    for _ in range(2):
        await triples(llm).extract(window)
    assert llm.requests[:2] == llm.requests[2:]
    assert sent(llm.requests[1]) == golden("relations_owner")


async def test_entities_are_found_in_the_new_messages_with_the_recent_ones_as_context() -> None:
    earlier = replace(PAIR[1], id="D1:2", text="How is Clara?", caption="a dog")
    llm = Scripted([NOTHING, NO_RELATIONS])
    await triples(llm).extract(Window(PAIR, recent=(earlier,), owner="Ada", summary="They are friends."))
    shown = llm.requests[0].messages[-1].content
    assert shown == (
        "Said before:\nBen: How is Clara? [shares an image: a dog]\n\n"
        "Text:\nAda: I moved to Oslo. My sister Clara is a nurse.\nBen: I bought a red bicycle yesterday!"
    )


async def test_relations_are_asked_for_between_speakers_and_what_was_found() -> None:
    shown = await asked(Window(PAIR, owner="Ben", summary="They are friends."))
    assert "Summary: They are friends.\n" in shown
    assert "1. Ada: I moved to Oslo." in shown
    assert (
        "Entities:\n- Ada (Person)\n- Ben (Person)\n- Oslo (Location)\n- Clara (Person)\n- nurse (Concept)\n" in shown
    )
    assert shown.endswith("\nRelations that Ben tells in message 2:")


async def test_speaker_that_is_found_too_is_one_person() -> None:
    found = json.dumps({"entities": [{"name": "ben", "type": "Object"}, {"name": "Oslo", "type": "Location"}]})
    made, _ = await taken(written(drawn("Ben", "likes", "Oslo", 2)), found=found)
    assert [one.content.subject.kind for one in made if isinstance(one.content, Triple)] == ["Person"]
    assert texts(made) == ["Ben likes Oslo"]


class Sly(EntityFinder):
    async def find(self, text: str, context: str = "") -> list[Entity]:
        return [Entity("Oslo\n- Max (Person)", "Location")]


async def test_entity_of_several_lines_cannot_pass_for_two() -> None:
    llm = Scripted([NO_RELATIONS])
    await triples(llm, entities=Sly()).extract(Window(PAIR))
    assert "Entities:\n- Ada (Person)\n- Ben (Person)\n- Oslo - Max (Person) (Location)\n" in (
        llm.requests[0].messages[-1].content
    )


async def test_prompts_hold_no_clock_and_no_memory_id_and_a_short_fixed_part() -> None:
    llm = Scripted(lambda request: str(request.typical))
    for window in mini_windows()[:8]:
        await triples(llm).extract(window)
    everything = "".join(map(sent, llm.requests))
    assert not re.search(r"\bm\d+\b|\d\d:\d\d", everything)
    assert f"{date.today():%B %Y}" not in everything
    assert len({request.messages[:-1] for request in llm.requests}) == 2
    for request in llm.requests:
        assert sum(count_tokens(message.content) for message in request.messages[:-1]) < 850


@pytest.mark.parametrize("reply", ["schema", "listed", "text"])
async def test_schema_lists_the_entities_only_where_that_is_chosen(reply: str) -> None:
    llm = Scripted([FOUND, written(drawn("Ada", "moves_to", "Oslo"))])
    made = await triples(llm, reply=reply).extract(Window(PAIR))
    assert texts(made) == ["Ada moves to Oslo"]
    schema = llm.requests[1].schema
    if reply == "text":
        assert schema is None
        return
    assert schema is not None
    relation = schema["properties"]["relations"]["items"]
    listed = ["Ada", "Ben", "Oslo", "Clara", "nurse", "red bicycle"]
    assert relation["properties"]["destination"].get("enum") == (listed if reply == "listed" else None)
    assert set(relation["required"]) == set(relation["properties"])
    assert schema == relations_schema(20) or reply == "listed"


# When nothing is asked


async def test_owner_who_says_nothing_costs_no_call() -> None:
    silent = replace(PAIR[1], text="  ", caption=None)
    for window in (Window(PAIR[:1], owner="Ben"), Window((PAIR[0], silent), owner="Ben"), Window(())):
        llm = Scripted([])
        assert await triples(llm).extract(window) == []
        assert llm.requests == []


async def test_fewer_than_two_entities_cost_no_second_call() -> None:
    llm = Scripted([NOTHING])
    assert await triples(llm).extract(Window(PAIR[:1])) == []
    assert len(llm.requests) == 1


async def test_the_names_of_two_speakers_are_two_entities() -> None:
    friends = written(drawn("Ada", "is_friend_of", "Ben"))
    made, flaws = await taken(friends, found=NOTHING)
    assert (texts(made), flaws) == (["Ada is friend of Ben"], [])


async def test_entities_that_cannot_be_read_are_counted_and_leave_the_speakers() -> None:
    llm = Scripted(["?", "?", written(drawn("Ada", "is_friend_of", "Ben"))])
    with metered() as meter:
        made = await triples(llm).extract(Window(PAIR))
    assert (texts(made), kinds(meter.flaws)) == (["Ada is friend of Ben"], ["unreadable"])


# The part


async def test_typical_replies_of_the_mini_conversation_make_candidates_without_flaws() -> None:
    llm = Scripted(lambda request: str(request.typical))
    with metered() as meter:
        made = [await triples(llm).extract(window) for window in mini_windows()]
    assert meter.flaws == []
    assert max(map(len, made)) <= 4
    assert sum(map(len, made)) > len(made)


@pytest.mark.parametrize("reply", ["schema", "listed", "text"])
async def test_triples_keep_the_contract_of_extractors(reply: str) -> None:
    await check_extractor(triples(Scripted(lambda request: str(request.typical)), reply=reply))


def test_part_says_what_it_makes_and_what_its_prompt_lacks(tmp_path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("[user]\n$new $entitys\n", encoding="utf-8")
    llm = Scripted([])
    faults = triples(llm, prompt=str(own)).missing()
    assert "did you mean 'entities'" in faults[0]
    assert "lacks $entities" in faults[1]
    assert triples(llm).missing() == []
    assert triples(llm).proposes == {Triple}
    assert triples(llm, messages=8).messages_per_window == 8
    assert load("relations").fields == {"speakers", "whose", "summary", "recent", "new", "sources", "entities"}


REFUSED = [("reply", "json"), ("relative_dates", "rules"), ("messages", 0), ("most_triples", 0)]


@pytest.mark.parametrize(("setting", "value"), REFUSED)
def test_unusable_setting_is_refused_with_its_value(setting: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{setting}={value!r}"):
        triples(Scripted([]), **{setting: value})


async def test_turn_without_words_is_not_shown_and_numbers_are_of_those_that_are() -> None:
    silent = Turn("D1:2", "Ada", " ", PAIR[0].said_at, 1, "a dog")
    llm = Scripted([FOUND, written(drawn("Ben", "buys", "red bicycle", 2))])
    made = await triples(llm, captions=False).extract(Window((silent, *PAIR)))
    assert [one.sources for one in made] == [("D1:4",)]
