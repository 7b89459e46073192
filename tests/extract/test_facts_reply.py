"""What becomes of replies with facts, good and bad."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.extract.extractor import Window
from memlab.extract.rewrite.dates import absolute
from memlab.llm.chat import ChatFailed, Reply, Usage
from memlab.llm.meter import metered
from memlab.llm.scripted import Scripted
from tests.extract.facts_asked import MAY, NONE, PAIR, fact, facts, taken, written


async def test_fact_has_the_speaker_time_and_id_of_its_message() -> None:
    found, flaws = await taken(written(fact("Ada moved to Oslo.", 1), fact("Ben bought a red bicycle.", 2)))
    assert [(one.content.text, one.speaker, one.sources, one.said_at) for one in found] == [
        ("Ada moved to Oslo.", "Ada", ("D1:3",), MAY),
        ("Ben bought a red bicycle.", "Ben", ("D1:4",), MAY),
    ]
    assert flaws == []


async def test_fact_about_a_third_person_keeps_its_words_and_comes_from_who_tells_it() -> None:
    (found,), _ = await taken(written(fact("Ada's sister Clara is a nurse.", 1)), owner="Ada")
    assert (found.content.text, found.speaker) == ("Ada's sister Clara is a nurse.", "Ada")


async def test_fact_of_the_other_speaker_is_dropped_and_counted() -> None:
    reply = written(fact("Ada moved to Oslo.", 1), fact("Ben bought a bicycle.", 2))
    found, flaws = await taken(reply, owner="Ada")
    assert [one.content.text for one in found] == ["Ada moved to Oslo."]
    assert flaws == ["wrong_speaker: 'Ben bought a bicycle.' is from a message of Ben"]


@pytest.mark.parametrize("message", ["2", " 2 ", 2.0])
async def test_number_of_a_message_in_another_type_is_understood(message: object) -> None:
    (found,), flaws = await taken(written(fact("Ben bought a bicycle.", message)))
    assert (found.sources, flaws) == (("D1:4",), [])


UNUSABLE = [0, 3, -1, 1.5, 10**30, "the second", "²", None, True, [2]]


@pytest.mark.parametrize("message", UNUSABLE)
async def test_unusable_number_means_the_one_message_it_can_be(message: object) -> None:
    (found,), flaws = await taken(written(fact("Ben bought a bicycle.", message)), owner="Ben")
    assert (found.sources, found.speaker, flaws) == (("D1:4",), "Ben", [])


@pytest.mark.parametrize("message", UNUSABLE)
async def test_unusable_number_means_all_messages_where_it_can_be_several_and_is_counted(message: object) -> None:
    (found,), flaws = await taken(written(fact("Somebody has a bicycle.", message)))
    assert (found.sources, found.speaker, found.said_at) == (("D1:3", "D1:4"), "", MAY)
    assert [flaw.split(":")[0] for flaw in flaws] == ["wrong_type"]


FORMS = [
    '[{"message": 1, "text": "Ada moved to Oslo."}]',
    '{"message": 1, "text": "Ada moved to Oslo."}',
    '["Ada moved to Oslo."]',
    '{"facts": ["Ada moved to Oslo."]}',
    'Sure!\n```json\n{"facts": [{"text": "Ada moved\\n to Oslo. ", "message": 1,}]}\n```',
]


@pytest.mark.parametrize("reply", FORMS)
async def test_forms_that_small_models_write_are_understood(reply: str) -> None:
    (found,), flaws = await taken(reply, new=PAIR[:1])
    assert (found.content.text, found.sources, flaws) == ("Ada moved to Oslo.", ("D1:3",), [])


async def test_empty_facts_and_repetitions_are_dropped() -> None:
    oslo = fact("Ada moved to Oslo.", 1)
    found, flaws = await taken(written(oslo, fact(" ", 1), oslo, fact("Ada moved to Oslo.", 2), fact("", 2)))
    assert ([one.sources for one in found], flaws) == ([("D1:3",)], [])


async def test_entry_that_is_no_text_is_left_out_and_counted() -> None:
    found, flaws = await taken(written(fact("Ada moved to Oslo.", 1), {"message": 1}, fact(["Oslo"], 1), 7))
    assert len(found) == 1
    assert flaws == ["wrong_type: an entry of the facts is no text"] * 3


async def test_runaway_list_is_cut_off_and_counted() -> None:
    found, flaws = await taken(written(*(fact(f"Ada has {n} cats.", 1) for n in range(300))), most_facts=5)
    assert [one.content.text for one in found] == [f"Ada has {n} cats." for n in range(5)]
    assert flaws == ["too_many: 300 facts in one reply, of which the first 5 are kept"]


@pytest.mark.parametrize("reply", [NONE, "[]"])
async def test_no_facts_is_a_good_answer(reply: str) -> None:
    assert await taken(reply) == ([], [])


BROKEN = ["No facts.", '{"facts": "none"}', '{"facts": null}', '{"memories": []}', '{"facts": [1]}', '{"facts": [{"te']


@pytest.mark.parametrize("reply", BROKEN)
async def test_reply_that_cannot_be_read_is_repaired_once(reply: str) -> None:
    llm = Scripted([reply, written(fact("Ada moved to Oslo.", 1))])
    with metered() as meter:
        (found,) = await facts(llm).extract(Window(PAIR))
    assert found.content.text == "Ada moved to Oslo."
    assert [flaw.split(":")[0] for flaw in meter.flaws] == ["repaired"]
    assert llm.requests[1].messages[-2].content == reply
    assert '{"facts": [{"message": 1, "text": "..."}]}' in llm.requests[1].messages[-1].content


@pytest.mark.parametrize("reply", BROKEN)
async def test_reply_that_is_broken_twice_gives_nothing_and_is_counted(reply: str) -> None:
    found, flaws = await taken(reply, reply)
    assert found == []
    assert [flaw.split(":")[0] for flaw in flaws] == ["unreadable"]


async def test_refused_request_is_a_failure_and_not_an_empty_result() -> None:
    with pytest.raises(ChatFailed):
        await taken(Reply("", (), "content_filter", Usage(1, 1), seconds=0.0))


JSON_ISH = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5) | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["facts", "text", "message", "x"]), inner, max_size=3)
        | st.fixed_dictionaries({"text": inner, "message": inner})
    ),
    max_leaves=12,
)


@given(JSON_ISH, JSON_ISH, st.sampled_from([0, 0, 1, 2, 9]), st.sampled_from([None, "Ada", "Ben"]))
@settings(max_examples=200)
async def test_any_reply_gives_only_facts_of_the_owners_new_messages(
    first: Any, second: Any, cut: int, owner: str | None
) -> None:
    written_first = json.dumps({"facts": first})
    replies = [written_first[: len(written_first) - cut], json.dumps(second)]
    found, _ = await taken(*replies, owner=owner, timestamps="text")
    own = {turn.id for turn in PAIR if owner in (None, turn.speaker)}
    for candidate in found:
        assert candidate.sources
        assert set(candidate.sources) <= own
        assert candidate.content.text.strip()
        assert candidate.said_at == MAY
        assert owner is None or candidate.speaker == owner
    assert len({candidate.content.text for candidate in found}) == len(found)


# Dates


DATED = [
    ("Ada moved.", "Ada moved. (8 May 2023)"),
    ("Ada moved on 18 May 2023.", "Ada moved on 18 May 2023. (8 May 2023)"),
    ("Ada moved on 8 May 20231.", "Ada moved on 8 May 20231. (8 May 2023)"),
    ("Ada moved on 8 May.", "Ada moved on 8 May. (8 May 2023)"),
    ("Ada moved on 8 May 2023.", "Ada moved on 8 May 2023."),
    ("Ada moved on may 8th, 2023.", "Ada moved on may 8th, 2023."),
    ("Ada moved on the 8th of May, 2023.", "Ada moved on the 8th of May, 2023."),
    ("On 2023-05-08 Ada moved.", "On 2023-05-08 Ada moved."),
]


@pytest.mark.parametrize(("text", "kept"), DATED)
@pytest.mark.parametrize("timestamps", ["text", "both"])
async def test_fact_carries_its_day_exactly_once(text: str, kept: str, timestamps: str) -> None:
    (found,), _ = await taken(written(fact(text, 1)), timestamps=timestamps)
    assert (found.content.text, found.said_at) == (kept, MAY)


async def test_time_is_only_metadata_when_that_is_set() -> None:
    (found,), _ = await taken(written(fact("Ada moved.", 1)), timestamps="metadata")
    assert (found.content.text, found.said_at) == ("Ada moved.", MAY)


async def test_what_the_model_left_of_relative_dates_is_counted_out_by_code_where_that_is_chosen() -> None:
    reply = written(fact("Ada went to the opera yesterday.", 1))
    [as_told], _ = await taken(reply)
    [counted_out], _ = await taken(reply, relative_dates="code")
    assert as_told.content.text == "Ada went to the opera yesterday."
    assert counted_out.content.text == absolute(as_told.content.text, as_told.said_at) != as_told.content.text
