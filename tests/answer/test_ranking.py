import pytest

from memlab.answer.ranking import overlaps, ranked
from memlab.answer.statements import statements
from memlab.answer.words import content_stems
from tests.answer.shown_memories import hit, turns

ASKED = content_stems("Which painting did Ana sell?")


def test_overlap_is_one_when_all_words_are_shared_and_zero_when_none_is() -> None:
    shown = statements(turns("Ana: I sold that painting.", "Bo: I went home."))

    assert overlaps(shown, ASKED) == pytest.approx([1.0, 0.0])


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    shown = statements(turns("Ana: One painting.", "Ana: My painting.", "Ana: A painting.", "Ana: I sold out."))
    share = overlaps(shown, ASKED)

    assert share[3] > share[0]


def test_words_elsewhere_in_the_same_turn_count_less() -> None:
    shown = statements(turns("Ana: I love that painting. It was sold.", "Bo: I sold a painting."))
    share = overlaps(shown, ASKED)

    assert share[2] > share[0] > 0


def test_the_person_asked_about_comes_before_the_other() -> None:
    shown = statements(turns("Bo: I sold a painting.", "Ana: I sold a painting."))

    assert [one.statement.memory_id for one in ranked(shown, ASKED, rank_weight=0.2, least_overlap=0)] == ["m1", "m0"]


def test_the_retrievers_order_decides_between_equals_and_statements_without_overlap_are_left_out() -> None:
    shown = statements(turns("Ana: I sold a painting.", "Ana: We ate.", "Ana: She sold a painting."))

    assert [one.statement.memory_id for one in ranked(shown, ASKED, rank_weight=0.2, least_overlap=0)] == ["m0", "m2"]


def test_words_are_compared_by_stem_and_irregular_form() -> None:
    assert content_stems("She went hiking with the kids") == content_stems("He goes on hikes; the children’s")


def test_no_statements_are_ranked_as_none() -> None:
    assert ranked([], ASKED, rank_weight=0.2, least_overlap=0) == []
    assert ranked(statements([hit("")]), ASKED, rank_weight=0.2, least_overlap=0) == []
