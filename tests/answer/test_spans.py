import time

import pytest

from memlab.answer.questions import Wanted
from memlab.answer.spans import exact_part, negated, short_phrase
from memlab.answer.words import content_stems


def phrase(question: str, sentence: str, *, name_wanted: bool = False, most_words: int = 10) -> str:
    asked = content_stems(question)
    return short_phrase(sentence, asked, {"ana", "bo"}, name_wanted=name_wanted, most_words=most_words)


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("What did Ana paint?", "I just painted a winter landscape!", "winter landscape"),
        ("What does Ana collect?", "Hey Bo, I collect old stamps.", "old stamps"),
        ("Why did Ana leave her job?", "I left my job because of the constant noise.", "constant noise"),
        ("What did Ana do?", "Bo, it is!", ""),
        ("What did Ana do?", "", ""),
    ],
)
def test_a_phrase_is_what_the_sentence_adds_to_the_question(question: str, sentence: str, expected: str) -> None:
    assert phrase(question, sentence) == expected


def test_a_phrase_is_no_longer_than_it_may_be() -> None:
    assert phrase("What did Ana buy?", "I bought apples pears plums figs.", most_words=2) == "apples pears"


def test_where_a_name_is_wanted_capital_letters_decide() -> None:
    sentence = "Yesterday the excellent teacher Maria Lopez visited."

    assert phrase("Who visited Ana?", sentence, name_wanted=True) == "Maria Lopez"
    assert phrase("What did Ana see?", sentence) != "Maria Lopez"


@pytest.mark.parametrize(
    ("kind", "text", "part"),
    [
        (Wanted.NUMBER, "It cost $1,200.", "$1,200"),
        (Wanted.NUMBER, "I have three dogs and 2 cats.", "three"),
        (Wanted.NUMBER, "I have dogs.", None),
        (Wanted.DURATION, "We married 12 years ago.", "12 years ago"),
        (Wanted.DURATION, "I go once or twice a year.", "once or twice a year"),
        (Wanted.DURATION, "I have painted since 2016.", "since 2016"),
        (Wanted.DURATION, "I swim every morning.", "every morning"),
        (Wanted.TITLE, 'I read "Dune" twice.', "Dune"),
        (Wanted.TITLE, "I don't read.", None),
        (Wanted.PHRASE, 'I read 3 books, "Dune" too.', None),
    ],
)
def test_an_exact_part_is_found_by_its_form(kind: Wanted, text: str, part: str | None) -> None:
    assert exact_part(text, kind) == part


@pytest.mark.parametrize("text", ["I don't.", "I never swim.", "No way.", "I cannot."])
def test_a_denial_is_seen(text: str) -> None:
    assert negated(text)
    assert not negated("I know another noted note.")


@pytest.mark.parametrize("text", ['"' + "a" * 20_000, "1" * 20_000 + "x", "one " * 5_000, "a," * 10_000])
def test_odd_long_texts_take_no_time(text: str) -> None:
    start = time.perf_counter()
    for kind in Wanted:
        exact_part(text, kind)
    phrase("What is one?", text)

    assert time.perf_counter() - start < 2
