"""What the embedded dataset is made of: stories, dates as they are spoken of, decks of cards."""

import re
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.datasets.generated.dates import elapsed, when
from memlab.datasets.generated.dice import Dice
from memlab.datasets.generated.person import Person
from memlab.datasets.mini.questions import third_person
from memlab.datasets.mini.story import parse, stories

STORY = """
[beats]
news = '''
A #news: I bought a boat.
B: How nice!
'''
later = '''
A #sold {relation} news: I sold it.
'''

[[ask]]
category = 4
text = ["What did {{A}} sell?"]
gold = "a boat"
evidence = ["{evidence}"]
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (STORY.format(relation="revises", evidence="sold"), "'sold' revises 'news', which is nothing"),
        (STORY.format(relation="revokes", evidence="lost"), "has no fact 'lost'; it has news, sold"),
        (STORY.format(relation="revokes", evidence="sold").replace("B: How", "C: How"), "cannot read the line 'C: How"),
    ],
)
def test_faulty_story_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"story 'boat'.*{message}"):
        parse("boat", text)


def test_every_beat_can_be_followed_by_another() -> None:
    assert len(stories()) == 29
    ends = [line.wordings for story in stories() for beat in story.beats.values() for line in beat[-1:]]
    assert [text for wordings in ends for text in wordings if text.endswith("?")] == []


def test_first_person_becomes_third_in_a_gold() -> None:
    assert third_person("I lost my keys, myself and me", Person("Ann", True)) == "she lost her keys, herself and her"
    assert third_person("I lost my keys", Person("Bob", False)) == "he lost his keys"


@pytest.mark.parametrize(
    ("days", "said", "gold"),
    [
        (-1, "yesterday", "14 June 2023"),
        (-3, "three days ago", "12 June 2023"),
        (-4, "last weekend", "the weekend before 15 June 2023"),
        (-5, "last Saturday", "10 June 2023"),
        (-9, "last week", "the week before 15 June 2023"),
        (-14, "two weeks ago", "1 June 2023"),
        (-40, "last month", "May 2023"),
        (-1500, "four years ago", "2019"),
        (1, "tomorrow", "16 June 2023"),
        (5, "this Tuesday", "20 June 2023"),
        (7, "next week", "the week after 15 June 2023"),
        (30, "next month", "July 2023"),
    ],
)
def test_relative_date_means_the_date_it_is_asked_for(days: int, said: str, gold: str) -> None:
    today = date(2023, 6, 15)
    found = [when(today + timedelta(days=days), today, Dice(seed)) for seed in range(40)]
    assert {one.gold for one in found if one.said == said} == {gold}


@given(st.integers(0, 360))
@settings(max_examples=60)
def test_elapsed_time_is_told_in_words(days: int) -> None:
    assert re.fullmatch(
        r"a few days|\w+ (weeks|months)", elapsed(date(2023, 1, 1), date(2023, 1, 1) + timedelta(days=days))
    )


@given(st.integers(), st.integers(2, 9))
def test_deck_deals_every_card_once_before_any_twice_and_none_twice_in_a_row(seed: int, size: int) -> None:
    dice, cards = Dice(seed), list(range(size))
    dealt = [dice.deal("deck", cards) for _ in range(3 * size)]
    assert all(sorted(dealt[n : n + size]) == cards for n in range(0, 3 * size, size))
    assert all(a != b for a, b in pairwise(dealt))


@pytest.mark.parametrize(
    ("days", "unsaid"), [(-70, "last month"), (70, "next month"), (-20, "last week"), (20, "next week")]
)
def test_relative_date_is_not_used_for_what_it_does_not_mean(days: int, unsaid: str) -> None:
    today = date(2023, 6, 15)
    said = {when(today + timedelta(days=days), today, Dice(seed)).said for seed in range(40)}
    assert said
    assert unsaid not in said
