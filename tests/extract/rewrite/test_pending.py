import pytest

from memlab.extract.rewrite.pending import after_coming_back, calls_back, only_comes_back, puts_off
from memlab.extract.rewrite.replies import question_before

ASKED = "Ann: How many kids do you have?"


def pending(talk, *lines: str) -> str | None:
    turns = talk(*lines)
    asked = question_before(turns[-1], turns[:-1])
    return asked and asked.turn.id


@pytest.mark.parametrize(
    "text",
    [
        "Hold on, there is a wasp.",
        "Oh, wait. My phone rings.",
        "Give me a minute.",
        "Just a sec!",
        "Let me get a chair first.",
        "Before I get to that, did you eat?",
        "I'll tell you in a moment.",
        "Can I ask you something first?",
        "Sorry, my boss is on the line.",
    ],
)
def test_words_that_put_off(talk, text: str) -> None:
    assert puts_off(talk(f"Bob: {text}")[0])


@pytest.mark.parametrize(
    "text",
    [
        "I can't wait for June.",
        "Let me tell you about it.",
        "I met him a minute ago.",
        "Two, both girls.",
        "He will hold on to it.",
        "My first job was dull.",
    ],
)
def test_words_that_put_nothing_off(talk, text: str) -> None:
    assert not puts_off(talk(f"Bob: {text}")[0])


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("To answer your question, two.", "two."),
        ("Anyway, two.", "two."),
        ("Back to your question: two.", "two."),
        ("As for your question, two.", "two."),
        ("Right, where were we? Two.", "Two."),
        ("Sorry about that.", ""),
        ("You asked me why.", "You asked me why."),
        ("I'm back in Rome.", "I'm back in Rome."),
        ("Two.", "Two."),
    ],
)
def test_words_that_come_back_are_taken_off(sentence: str, rest: str) -> None:
    assert after_coming_back(sentence) == rest
    assert only_comes_back(sentence) == (not rest)


def test_call_to_go_on_is_no_question_of_its_own() -> None:
    assert calls_back("So what were you going to say?")
    assert calls_back("Go on.")
    assert not calls_back("What did you say?")


HELD = (ASKED, "Bob: Hold on, there is a wasp.", "Ann: Don't move, I hate those.", "Bob: It left by the window.")


@pytest.mark.parametrize(
    "rest",
    [
        ("Ann: Brave. So, go on.", "Bob: Two, both girls."),
        ("Ann: I am brave too.", "Bob: Back to your question. Two, both girls."),
        ("Ann: I am brave too.", "Bob: Sorry about that. Two, both girls."),
        ("Ann: Is it big?", "Bob: To answer your question, two, both girls."),
    ],
)
def test_answer_that_was_put_off_finds_its_question(talk, rest: tuple[str, ...]) -> None:
    assert pending(talk, *HELD, *rest) == "D1:1"


def test_plain_delay_finds_its_question(talk) -> None:
    assert pending(talk, ASKED, "Bob: Hang on, the door.", "Ann: Sure, take your time.", "Bob: Two.") == "D1:1"


def test_newer_question_wins_over_words_that_may_answer_it(talk) -> None:
    assert pending(talk, ASKED, HELD[1], "Ann: Was it big?", "Bob: Sorry about that. Huge.") == "D1:3"


def test_what_is_told_in_between_without_coming_back_closes_the_question(talk) -> None:
    assert pending(talk, *HELD, "Ann: I am brave too.", "Bob: Two, both girls.") is None


def test_question_that_was_answered_is_not_answered_again(talk) -> None:
    answered = (*HELD, "Ann: Brave. So, go on.", "Bob: Sorry about that. Two, both girls.", "Ann: How sweet!")
    assert pending(talk, *answered, "Bob: Back to your question. A green car.") is None
    direct = (ASKED, "Bob: Two, both girls.", "Ann: I have three of them.")
    assert pending(talk, *direct, "Bob: Anyway, a green car.") is None


def test_coming_back_with_nothing_put_off_finds_nothing(talk) -> None:
    assert pending(talk, "Ann: I like it here.", "Bob: Back to your question. Two.") is None


def test_question_of_ones_own_puts_off_when_one_comes_back_explicitly(talk) -> None:
    lines = (ASKED, "Bob: The light went off here. Did you see that?", "Ann: I saw nothing.")
    assert pending(talk, *lines, "Bob: Back to your question. Two.") == "D1:1"
