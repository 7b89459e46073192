from dataclasses import replace
from datetime import datetime

from memlab.answer.statements import statements
from tests.answer.shown_memories import SAID_AT, hit


def test_a_turn_becomes_sentences_without_its_speakers_name() -> None:
    shown = statements([hit("Ana: I moved. I like it here.")])

    assert [one.sentence.text for one in shown] == ["I moved.", "I like it here."]
    assert shown[0].sentence.speaker_stems == {"ana"}


def test_bare_questions_are_left_out() -> None:
    assert [one.sentence.text for one in statements([hit("Ana: I moved. And you?")])] == ["I moved."]


def test_a_photos_caption_is_a_sentence() -> None:
    shown = statements([hit("Ana: Look! [shares a red bike]")])

    assert [one.sentence.text for one in shown] == ["Look!", "a red bike"]


def test_the_lines_of_a_chunk_have_their_own_speaker_and_day() -> None:
    chunk = "I moved.\n1:56 pm on 3 May, 2023 | Bo: I ran.\n9:00 am on 4 May, 2023 | Ana: I swam.\n"
    shown = statements([hit(chunk, speaker="")])

    assert [(one.sentence.text, one.sentence.said_at.date()) for one in shown] == [
        ("I moved.", SAID_AT.date()),
        ("I ran.", datetime(2023, 5, 3).date()),
        ("I swam.", datetime(2023, 5, 4).date()),
    ]
    assert [set(one.sentence.speaker_stems) for one in shown] == [set(), {"bo"}, {"ana"}]


def test_a_stamp_that_is_no_date_keeps_the_memorys_own() -> None:
    (shown,) = statements([hit("9:00 am on 31 February, 2023 | Ana: I swam.", speaker="")])

    assert shown.sentence.said_at == SAID_AT


def test_a_colon_in_a_statement_is_no_speaker() -> None:
    (shown,) = statements([hit("Rule one: never swim alone.", speaker="Ana")])

    assert shown.sentence.text == "Rule one: never swim alone."


def test_the_verbatim_extractors_opening_is_no_part_of_a_sentence() -> None:
    shown = statements([hit("Ana says: I moved to Oslo.")])
    assert [statement.sentence.text for statement in shown] == ["I moved to Oslo."]


def test_what_is_no_longer_true_tells_so_and_its_interval() -> None:
    now = hit("Ana lives in Oslo")
    (shown,) = statements([replace(now, memory=replace(now.memory, retired_at=datetime(2023, 6, 3)))])
    assert shown.sentence.text == "Ana lives in Oslo (from 8 May 2023, no longer true since 3 June 2023)"
