"""Which questions of two sources are the same."""

import pytest

from memlab.compare.answers import NotComparable
from memlab.compare.matching import completed, matched, only, without
from tests.compare.sources import answers, row


def test_questions_are_matched_by_conversation_and_text_whatever_its_case_and_spaces() -> None:
    first = answers(row("Where is Ada?"), row("Where is Bo?"), row("Where is Ada?", "conv-30"))
    other = answers(row(" where  is ADA?", "conv-30"), row("Where is Cy?"), name="two")
    found = matched(first, other)
    assert [one.conversation for one, _ in found.pairs.values()] == ["conv-30"]
    assert [key[1] for key in found.only_first] == ["where is ada?", "where is bo?"]
    assert [key[1] for key in found.only_other] == ["where is cy?"]


def test_questions_asked_twice_are_matched_in_order() -> None:
    first = answers(row("When?", answer="a"), row("When?", answer="b"))
    other = answers(row("When?", answer="c"), row("When?", answer="d"), row("When?", answer="e"))
    found = matched(first, other)
    assert [(one.answer, two.answer) for one, two in found.pairs.values()] == [("a", "c"), ("b", "d")]
    assert len(found.only_other) == 1


def test_what_a_source_does_not_tell_is_taken_from_those_that_do() -> None:
    bare = answers(row("When?", None, category=None), row("Why?", None, category=None), name="bare")
    told = answers(row("When?", "conv-41", category=2, id="conv-41/q7"))
    filled = completed([bare, told])[0].rows
    assert [(one.conversation, one.category, one.id) for one in filled] == [
        ("conv-41", 2, "conv-41/q7"),
        (None, None, None),
    ]


def test_a_text_of_several_conversations_does_not_tell_where_it_belongs() -> None:
    bare = answers(row("When?", None), name="bare")
    told = answers(row("When?", "conv-41"), row("When?", "conv-42"))
    assert completed([bare, told])[0].rows[0].conversation is None
    with pytest.raises(NotComparable, match="bare does not tell which conversation"):
        matched(*completed([bare, told]))


def test_sources_without_common_questions_are_refused() -> None:
    with pytest.raises(NotComparable, match=r"no common questions: one asks 1 of conv-26, two asks 1 of conv-30"):
        matched(answers(row("When?")), answers(row("When?", "conv-30"), name="two"))


def test_other_golds_are_counted() -> None:
    pair = matched(answers(row("When?", gold="May")), answers(row("When?", gold="June")))
    assert pair.other_golds == 1
    assert matched(answers(row("When?", gold="May")), answers(row("When?", gold=" may"))).other_golds == 0


def test_questions_with_wrong_golds_are_left_out_by_id() -> None:
    source = answers(row("When?", id="conv-26/q1"), row("Why?", id="conv-26/q2"), row("Who?"))
    left = without(source, {"conv-26/q1"})
    assert [one.question for one in left.rows] == ["Why?"]
    assert left.notes == ("1 questions of one with wrong golds are left out, and 1 that nobody tells the id of.",)
    with pytest.raises(NotComparable, match="tells no ids of questions"):
        without(answers(row("When?")), {"conv-26/q1"})


def test_questions_are_chosen_by_a_pattern_of_their_ids() -> None:
    source = answers(row("Where now?", id="synthetic-1/q1:now"), row("Where?", id="synthetic-1/q1:before"), row("Who?"))
    chosen = only(source, "*:now")
    assert [one.question for one in chosen.rows] == ["Where now?"]
    assert chosen.notes == ("Only questions with an id like *:now: 1 of 3.",)
    with pytest.raises(
        NotComparable, match=r"no question of one has an id like \*:then; its ids are like synthetic-1/q1:now"
    ):
        only(source, "*:then")
    with pytest.raises(NotComparable, match="it tells no ids of questions"):
        only(answers(row("Who?")), "*")
