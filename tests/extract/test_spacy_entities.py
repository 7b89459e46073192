import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.extract.spacy_entities import SpacyEntities
from memlab.memory import ENTITY_KINDS, Entity

ENTITIES = SpacyEntities(most_words=8)


async def found(text: str) -> list[tuple[str, str]]:
    return [(entity.name, entity.kind) for entity in await ENTITIES.find(text)]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("When did Melanie paint a sunrise?", [("Melanie", "Person"), ("sunrise", "Object")]),
        ("When did Caroline go biking with friends?",
         [("Caroline", "Person"), ("biking", "Event"), ("friends", "Person")]),
        ("What color did Nate choose for his hair?", [("color", "Object"), ("Nate", "Person"), ("hair", "Object")]),
        ("Which city in Ireland will Tim stay in?",
         [("city in Ireland", "Location"), ("Ireland", "Location"), ("Tim", "Person")]),
    ],
)  # fmt: skip
async def test_a_question_names_whom_and_what_it_is_about(question: str, named: list[tuple[str, str]]) -> None:
    assert await found(question) == named


async def test_articles_possessives_and_pronouns_are_no_part_of_a_name() -> None:
    assert await found("She lost her red bicycle and it hurt them.") == [("red bicycle", "Object")]


async def test_an_owner_is_an_entity_of_its_own() -> None:
    assert await found("Ada's sister plays the piano.") == [
        ("Ada", "Person"),
        ("Ada's sister", "Person"),
        ("piano", "Object"),
    ]


async def test_an_absolute_date_is_an_entity_in_its_words() -> None:
    assert ("the week before 9 June 2023", "Date") in await found("Where was Ada the week before 9 June 2023?")


async def test_an_entity_comes_once_however_it_is_spelt() -> None:
    assert await found("The dogs were big. Dogs know Ben, and Ben saw Ada.") == [
        ("dogs", "Object"),
        ("Ben", "Person"),
        ("Ada", "Person"),
    ]


async def test_what_was_said_before_adds_no_entities() -> None:
    assert await ENTITIES.find("She likes tea.", context="Ada lives in Oslo.") == [Entity("tea", "Object")]


async def test_names_are_kept_short() -> None:
    text = "Ada bought a very old small red wooden toy train with a blue roof and a bell."
    assert all(len(entity.name.split()) <= 3 for entity in await SpacyEntities(most_words=3).find(text))


@pytest.mark.parametrize("text", ["", "🎉🎉", "((((", "x" * 10_000, "我昨天去了公园。", "Я живу в Осло", "\ud800 tea"])
async def test_odd_text_is_no_error(text: str) -> None:
    assert all(entity.kind in ENTITY_KINDS and entity.name.strip() for entity in await ENTITIES.find(text))


@settings(max_examples=25)
@given(st.text(max_size=80))
def test_any_text_gives_named_entities_of_known_kinds_again_and_again(text: str) -> None:
    first = asyncio.run(ENTITIES.find(text))
    assert first == asyncio.run(ENTITIES.find(text))
    assert all(entity.kind in ENTITY_KINDS and entity.name.strip() for entity in first)


def test_a_bound_that_leaves_no_name_is_refused() -> None:
    with pytest.raises(ValueError, match="most_words=0"):
        SpacyEntities(most_words=0)
