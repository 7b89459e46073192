import pytest

from memlab.extract.rewrite.names import calls, without_vocative
from memlab.extract.rewrite.pleasantries import is_pleasantry, without_opener

NAMES = calls("Caroline") | calls("Melanie")


@pytest.mark.parametrize(
    "said",
    [
        "Thanks!",
        "Thanks so much for your support!",
        "Wow, that's great!",
        "Bye!",
        "Bye, Caroline!",
        "Hey Mel!",
        "Good to see you!",
        "Congrats on the new job!",
        "Can't wait to hear about it.",
        "Keep up the good work!",
        "Have a great day!",
        "You're welcome!",
        "I'm here for you.",
        "Talk to you soon!",
        "That sounds amazing!",
        "Long time no see!",
        "Take care!",
        "!!!",
        ":)",
    ],
)
def test_pleasantry_tells_nothing(said: str) -> None:
    assert is_pleasantry(said, NAMES)


@pytest.mark.parametrize(
    "said",
    [
        "I have two kids.",
        "I moved to Sweden.",
        "My dog is sick.",
        "I am allergic to cats.",
        "Painting helps me relax.",
        "The concert was in Oslo.",
        "I'm happy with my new job at the bakery.",
        "Two, both girls.",
        "Counter-Strike.",
    ],
)
def test_what_tells_something_is_no_pleasantry(said: str) -> None:
    assert not is_pleasantry(said, NAMES)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Wow, I moved.", "I moved."),
        ("Yeah, I painted it.", "I painted it."),
        ("Oh yeah, well, I moved.", "I moved."),
        ("No, I stayed.", "No, I stayed."),
        ("Well-known people came.", "Well-known people came."),
        ("So I moved.", "So I moved."),
        ("Oh, Italy!", "Italy!"),
    ],
)
def test_openers_are_dropped_but_a_no_stays(said: str, left: str) -> None:
    assert without_opener(said) == left


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Mel, I moved.", "I moved."),
        ("I moved, Melanie!", "I moved!"),
        ("Yes, Mel, I moved.", "Yes, I moved."),
        ("Yeah Mel!", "Yeah!"),
        ("I saw Melanie.", "I saw Melanie."),
        ("I have mel, eggs and milk.", "I have mel, eggs and milk."),
    ],
)
def test_only_a_call_by_name_is_dropped(said: str, left: str) -> None:
    assert without_vocative(said, "Melanie") == left
