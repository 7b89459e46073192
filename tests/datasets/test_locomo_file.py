import contextlib
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlab.datasets.dataset import DatasetError
from memlab.datasets.locomo import Locomo
from tests.datasets.locomo_samples import Edit, edited, fault, read, said, sample


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "locomo.json"


# --- turns ---


def test_sessions_are_ordered_by_number_not_as_text(file: Path) -> None:
    value = sample()
    for number in (10, 2):
        value["conversation"][f"session_{number}"] = [said(f"D{number}:1")]
        value["conversation"][f"session_{number}_date_time"] = f"1:00 pm on {number + 9} May, 2023"
    turns = read(file, value).conversations[0].turns
    assert [(turn.id, turn.session) for turn in turns] == [("D1:1", 1), ("D1:2", 1), ("D2:1", 2), ("D10:1", 10)]


def test_date_keys_without_a_session_and_empty_sessions_are_ignored(file: Path) -> None:
    value = sample()
    value["conversation"] |= {"session_20_date_time": "not even a date", "session_3": []}
    assert {turn.session for turn in read(file, value).conversations[0].turns} == {1}


def test_session_with_an_odd_number_of_turns_keeps_them_all(file: Path) -> None:
    value = edited(lambda v: v["conversation"]["session_1"].append(said("D1:3")))
    assert [turn.id for turn in read(file, value).conversations[0].turns] == ["D1:1", "D1:2", "D1:3"]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56)),
        (" 1:56PM  ON 08 may ,2023 ", datetime(2023, 5, 8, 13, 56)),
        ("12:05 am on 31 December, 2022", datetime(2022, 12, 31, 0, 5)),
        ("12:05 Pm on 29 FEBRUARY, 2024", datetime(2024, 2, 29, 12, 5)),
        ("11:59 pm on 1 September, 2023", datetime(2023, 9, 1, 23, 59)),
    ],
)
def test_time_of_a_turn_is_its_sessions(file: Path, text: str, time: datetime) -> None:
    value = edited(lambda v: v["conversation"].update(session_1_date_time=text))
    assert {turn.said_at for turn in read(file, value).conversations[0].turns} == {time}


@pytest.mark.parametrize(
    "text",
    [
        *("8 May, 2023", "13:56 pm on 8 May, 2023", "0:56 pm on 8 May, 2023", "1:60 pm on 8 May, 2023"),
        *("1:56 pm on 31 June, 2023", "1:56 pm on 8 Mai, 2023", "1:56 pm on 8 May, 2023 or so", "", 7, None),
    ],
)
def test_time_that_is_none_is_refused_with_its_path(file: Path, text: object) -> None:
    value = edited(lambda v: v["conversation"].update(session_1_date_time=text))
    found = "nothing" if text is None else json.dumps(text)
    assert fault(file, value) == (
        f'FILE: $[0].conversation.session_1_date_time: expected a time such as "1:56 pm on 8 May, 2023", found {found}'
    )


def test_caption_comes_from_blip_caption_and_text_is_stripped(file: Path) -> None:
    value = edited(lambda v: v["conversation"]["session_1"].append(said("D1:3", text=" hi\n", blip_caption=" a dog ")))
    turn = read(file, value).conversations[0].turns[2]
    assert (turn.text, turn.caption) == ("hi", "a dog")


def test_turn_with_an_image_only_has_its_caption_and_no_text(file: Path) -> None:
    value = edited(lambda v: v["conversation"]["session_1"].append(said("D1:3", text=" ", blip_caption="a dog")))
    turn = read(file, value).conversations[0].turns[2]
    assert (turn.text, turn.caption) == ("", "a dog")


def test_empty_caption_is_no_caption(file: Path) -> None:
    value = edited(lambda v: v["conversation"]["session_1"].append(said("D1:3", blip_caption=" ")))
    assert read(file, value).conversations[0].turns[2].caption is None


def test_search_query_of_an_image_is_never_read(file: Path) -> None:
    image = said("D1:3", blip_caption="a dog", query="LEAK", img_url=["LEAK"])
    value = edited(lambda v: v["conversation"]["session_1"].append(image))
    assert "LEAK" not in repr(read(file, value))


# --- malformed files ---


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda v: v.pop("qa"), '$[0].qa: missing; found the keys ["sample_id", "conversation"]'),
        (lambda v: v.update(qa={}), "$[0].qa: expected a list, found {}"),
        (lambda v: v.update(sample_id=""), '$[0].sample_id: expected a string that is not empty, found ""'),
        (lambda v: v.update(conversation=[1]), "$[0].conversation: expected an object, found [1]"),
        (lambda v: v["conversation"].update(speaker_a=7), "$[0].conversation.speaker_a: expected a string, found 7"),
        (
            lambda v: v["conversation"].update(session_2="x"),
            '$[0].conversation.session_2: expected a list, found "x"',
        ),
        (
            lambda v: v["conversation"]["session_1"][1].update(dia_id=7),
            "$[0].conversation.session_1[1].dia_id: expected a string, found 7",
        ),
        (
            lambda v: v["conversation"]["session_1"][1].pop("text"),
            '$[0].conversation.session_1[1].text: missing; found the keys ["speaker", "dia_id"]',
        ),
        (
            lambda v: v["conversation"]["session_1"][1].update(text=" "),
            "$[0].conversation.session_1[1]: expected a text or a blip_caption, found neither",
        ),
        (
            lambda v: v["conversation"]["session_1"][1].update(speaker="Eve"),
            '$[0].conversation.session_1[1].speaker: expected "Ann" or "Bob", found "Eve"',
        ),
        (
            lambda v: v["conversation"]["session_1"][1].update(dia_id="D1:1"),
            '$[0].conversation.session_1[1].dia_id: "D1:1" is taken, in session 1',
        ),
        (
            lambda v: v["conversation"].pop("session_1"),
            "$[0].conversation: expected turns under session_1, session_2, ..., found none",
        ),
        (
            lambda v: v["conversation"].update(session_02=[said("D2:1")]),
            "$[0].conversation.session_2: expected a list, found null",
        ),
        (lambda v: v["qa"][0].update(question=None), "$[0].qa[0].question: expected a string, found null"),
        (lambda v: v["qa"][0].update(category=6), "$[0].qa[0].category: expected 1, 2, 3, 4 or 5, found 6"),
        (lambda v: v["qa"][0].update(category="1"), '$[0].qa[0].category: expected 1, 2, 3, 4 or 5, found "1"'),
        (lambda v: v["qa"][0].pop("answer"), "$[0].qa[0]: expected an answer (category 4), found none"),
        (lambda v: v["qa"][0].update(answer=True), "$[0].qa[0].answer: expected a string, found true"),
        (lambda v: v["qa"][0].update(evidence="D1:1"), '$[0].qa[0].evidence: expected a list, found "D1:1"'),
        (lambda v: v["qa"][0].update(evidence=[3]), "$[0].qa[0].evidence[0]: expected a string, found 3"),
    ],
)
def test_malformed_file_is_refused_with_the_json_path(file: Path, edit: Edit, message: str) -> None:
    assert fault(file, edited(edit)) == f"FILE: {message}"


def test_fault_in_a_conversation_that_is_not_selected_is_reported_too(file: Path) -> None:
    broken = edited(lambda v: v.update(sample_id=7))
    assert "$[1].sample_id: expected a string, found 7" in fault(file, sample(), broken, conversations=["conv-26"])


def test_two_conversations_with_one_id_are_refused(file: Path) -> None:
    assert fault(file, sample(), sample()) == 'FILE: $[1].sample_id: "conv-26" is taken by $[0]'


def test_first_five_faults_are_shown_and_the_others_counted(file: Path) -> None:
    lines = fault(file, *[edited(lambda v: v.update(sample_id=7)) for _ in range(17)]).splitlines()
    assert lines[4] == "FILE: $[4].sample_id: expected a string, found 7"
    assert lines[5:] == ["... and 12 more"]


def test_long_wrong_value_is_cut(file: Path) -> None:
    assert len(fault(file, edited(lambda v: v.update(qa="x" * 5000)))) < 120


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\xfd", b"[" * 100_000])
def test_file_that_is_no_json_is_refused(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(DatasetError, match=r"locomo\.json: not JSON: "):
        Locomo(str(file), None, None, None).read()


def test_top_level_that_is_no_list_is_refused(file: Path) -> None:
    file.write_text('{"samples": []}')
    with pytest.raises(DatasetError, match=r"\$: expected a list of conversations, found \{"):
        Locomo(str(file), None, None, None).read()


def _places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(deeper for key, child in children for deeper in _places(child, (*place, key)))]


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.just([]), st.just({}), st.just([1])
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(_places([sample()])), junk=JUNK)
def test_any_value_in_any_place_is_read_or_refused_as_a_dataset_error(file: Path, place: Any, junk: Any) -> None:
    samples: Any = [sample()]
    if place:
        parent = samples
        for key in place[:-1]:
            parent = parent[key]
        parent[place[-1]] = junk
    else:
        samples = junk
    file.write_text(json.dumps(samples))
    with contextlib.suppress(DatasetError):
        assert Locomo(str(file), None, None, None).read().conversations
