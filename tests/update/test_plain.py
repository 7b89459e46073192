"""Plain statements and talk."""

import pytest

from memlab.update.plain import is_one_statement, is_plain, unsaid


@pytest.mark.parametrize(
    "text",
    [
        "Ada lives in Oslo.",
        "Ada's sister Eve gets up at 6:30 these days and goes to a brass-band rehearsal.",
        "Ben (Ada's half-brother) is not going to buy the well-worn, mint-green sofa after all.",
    ],
)
def test_a_fact_in_a_sentence_is_plain(text: str) -> None:
    assert is_one_statement(text)
    assert is_plain(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ada loves Oslo!",
        "Ada asked where Ben lives?",
        'Ada said: "We don\'t go often."',
        "Ada said: It was sunny.",
        "Ada has been to Oslo - a lovely trip.",
        "Ada will check them out.",
        "Ada thinks it's fine.",
        "Ada \u2014 of all people \u2014 rows.",
        "Ada is really busy.",
        " ".join(["Ada"] * 21),
    ],
)
def test_talk_is_not(text: str) -> None:
    assert not is_plain(text)
    assert not is_one_statement(text)


def test_a_memory_may_have_joined_sentences_a_candidate_states_one_thing() -> None:
    joined = f"{'Ada has a boat ' * 4}. {'Ada has painted the boat ' * 3}."
    assert is_plain(joined)
    assert not is_one_statement(joined)


@pytest.mark.parametrize(
    ("candidate", "lacking"),
    [
        ("Ada lives in Oslo.", 0.0),
        ("Oslo is where Ada has been living.", 0.0),  # stems, function words aside
        ("Ada lives near a harbour in Oslo.", 2 / 5),
        ("Ben rows.", 1.0),
        ("", 0.0),
    ],
)
def test_what_a_memory_does_not_say_is_a_share_of_the_candidate(candidate: str, lacking: float) -> None:
    assert unsaid("Ada lives in Oslo.", candidate) == pytest.approx(lacking)
