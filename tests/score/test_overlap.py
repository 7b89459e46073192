import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from memlab.score.overlap import bleu1, f1, locomo_f1
from memlab.score.word_tokens import word_tokens

TEXTS = st.text(alphabet=st.sampled_from(list("abc AB,.!?;'-5é—\"")), max_size=30) | st.text(max_size=20)
CATEGORIES = st.integers(1, 5)


@pytest.mark.parametrize(
    ("gold", "answer", "expected"),
    [
        ("7 May 2023", "On May 7, 2023.", 6 / 7),
        ("red red red", "red blue", 2 / 3),  # sets: counts do not matter
        ("yes!no?maybe.so,then", "yes no maybe so then", 1.0),
        ("can't", "can not", 0.0),  # an apostrophe stays in its word
        ("", "something", 0.0),
        ("something", "", 0.0),
        ("", "", 0.0),
        ("?!", "?!", 0.0),
    ],
)
def test_f1_is_over_sets_of_words(gold: str, answer: str, expected: float) -> None:
    assert f1(gold, answer) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("gold", "answer", "expected"),
    [
        ("19 January, 2023", "19 January 2023", 0.7165313105737893),  # exp(1 - 4/3)
        ("the cat", "the the the the", 1 / 4),  # a word counts as often as the gold has it
        ("the the cat", "the the the", 2 / 3),
        ("in 2019—just before", "in 2019—just before", 1.0),
        ("2019 — just", "2019—just", 0.0),  # a dash inside a word does not part it
        ("'til dawn", "til dawn", 1 / 2),  # a word keeps its opening apostrophe
        ("u.s.", "the u.s.", 2 / 3),
        ("blue", "red", 0.0),
        ("", "red", 0.0),
        ("red", "", 0.0),
        ("", "", 0.0),
    ],
)
def test_bleu1_is_clipped_precision_with_brevity_penalty(gold: str, answer: str, expected: float) -> None:
    assert bleu1(gold, answer) == pytest.approx(expected)


@given(gold=TEXTS, answer=TEXTS)
def test_bleu1_equals_nltks_sentence_bleu(gold: str, answer: str) -> None:
    theirs = sentence_bleu(
        [word_tokens(gold)],
        word_tokens(answer),
        weights=(1, 0, 0, 0),
        smoothing_function=SmoothingFunction().method1,
    )
    assert bleu1(gold, answer) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(
    ("category", "gold", "answer", "expected"),
    [
        (4, "The dogs and a cat", "dog, cats", 1.0),  # articles, "and", commas and endings do not count
        (4, "dog dog", "dog", 2 / 3),  # counts do
        (4, "Anna's book", "annas books", 1.0),
        (2, "May; June", "May", 2 / 3),
        (3, "Yes; because of the rain", "yes", 1.0),  # only what stands before the semicolon
        (1, "pottery, camping", "camping", 1 / 2),
        (1, "pottery, camping", "camping trips, pottery", (1 + 2 / 3) / 2),
        (1, "pottery,", "pottery", 1 / 2),  # an empty part is asked for too
        (5, "whatever", "This is NOT mentioned.", 1.0),
        (5, "", "No information available", 1.0),
        (5, "red", "red", 0.0),
        (4, "the", "the", 0.0),
        (1, "", "", 0.0),
    ],
)
def test_locomo_f1_follows_the_category(category: int, gold: str, answer: str, expected: float) -> None:
    assert locomo_f1(category, gold, answer) == pytest.approx(expected)


def test_an_accent_of_its_own_keeps_its_letter_from_being_an_article() -> None:
    assert locomo_f1(4, "a\u0301 b", "b") == pytest.approx(2 / 3)


def test_a_category_that_locomo_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="no LOCOMO category 6; categories are 1 to 5"):
        locomo_f1(6, "a", "b")


@given(category=CATEGORIES, gold=TEXTS, answer=TEXTS)
def test_every_metric_lies_between_0_and_1(category: int, gold: str, answer: str) -> None:
    for value in (f1(gold, answer), bleu1(gold, answer), locomo_f1(category, gold, answer)):
        assert 0 <= value <= 1


@given(gold=TEXTS, answer=TEXTS)
def test_f1_is_symmetric(gold: str, answer: str) -> None:
    assert f1(gold, answer) == f1(answer, gold)


@given(text=TEXTS, word=st.sampled_from(["river", "5", "i'm"]))
def test_a_text_with_a_word_matches_itself_fully(text: str, word: str) -> None:
    same = f"{text} {word}"
    assert f1(same, same) == bleu1(same, same) == locomo_f1(4, same, same) == 1.0
