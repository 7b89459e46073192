import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.extract.rewrite.sentences import is_question, sentences, told_and_asked


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I moved. I like it!", ["I moved.", "I like it!"]),
        ("Thanks! it's a game.", ["Thanks!", "it's a game."]),
        ("I met Dr. Smith at 5 p.m. today.", ["I met Dr. Smith at 5 p.m. today."]),
        ("It cost 3.50 euros.", ["It cost 3.50 euros."]),
        ("I biked... all day.", ["I biked... all day."]),
        ('He said "Wow!" and left.', ['He said "Wow!" and left.']),
        ("One\nTwo", ["One", "Two"]),
        ("I’m here.", ["I'm here."]),
        ("I`m here.", ["I'm here."]),
        ("No. I stayed.", ["No.", "I stayed."]),
        ("  ", []),
    ],
)
def test_text_is_split_into_sentences(text: str, found: list[str]) -> None:
    assert sentences(text) == found


@given(st.text())
def test_no_word_is_lost(text: str) -> None:
    plain = text.translate(str.maketrans("’‘“”`´", "''\"\"''"))
    assert "".join(" ".join(sentences(text)).translate(str.maketrans("`´", "''")).split()) == "".join(plain.split())


@pytest.mark.parametrize(
    ("text", "told", "asked"),
    [
        ("I moved last week, have you been there?", "I moved last week.", "have you been there?"),
        ("Can't wait to see it - got any previews?", "Can't wait to see it.", "got any previews?"),
        ("What do you like, is it jazz?", "", "What do you like, is it jazz?"),
        ("Do you have kids?", "", "Do you have kids?"),
    ],
)
def test_what_is_told_before_it_is_asked_is_kept(text: str, told: str, asked: str) -> None:
    assert told_and_asked(text) == (told, asked)


def test_question_marks_make_questions() -> None:
    assert is_question("Really?!")
    assert is_question('"Who?"')
    assert not is_question("Really.")
