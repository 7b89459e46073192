"""When two names are the same, and whether a text has a name in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.extract.names import is_named, name_words, stems, vocabulary

SAID = (
    "Ada: My sisters' San Francisco trip was great! We ate peanuts, and the dog's called Pixel 🙂. 東京に住んでいます。"
)


@pytest.mark.parametrize(
    "name",
    ["Ada", "ada's sister", "SAN FRANCISCO", "San_Francisco", "trips", "the trip", "peanut", "Pixel", "🙂", "東京"],
)
def test_name_in_another_case_or_number_is_in_the_text(name: str) -> None:
    assert is_named(name, SAID, vocabulary(SAID))


@pytest.mark.parametrize("name", ["Ada Lovelace", "Rome", "art", "pea", "Fran", "🙁", "大阪"])
def test_name_that_only_shares_a_part_is_not(name: str) -> None:
    assert not is_named(name, SAID, vocabulary(SAID))


def test_names_differ_in_more_than_case_articles_and_possessives() -> None:
    assert name_words("The Dog") == name_words("my dog") == name_words("dog's") == ("dog",)
    assert name_words("The The") == ("the", "the")
    assert name_words("🙂") != name_words("🙁")
    assert name_words("cities") != name_words("city")
    assert stems(name_words("cities")) == stems(name_words("city"))


@given(st.text(min_size=1, max_size=30))
def test_every_text_is_a_legal_name_and_is_in_itself(name: str) -> None:
    assert name_words(name)
    assert is_named(name, name, vocabulary(name))
