import re
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.answer.answerer import Answer
from memlab.answer.extractive import ABSTENTION, Extractive
from memlab.answer.statements import MONTHS
from memlab.dialogue import Question
from memlab.memory import Hit
from tests.answer.shown_memories import SAID_AT, answer, ask, extractive, hit, turns

TALK = turns(
    "Ana: Hey Bo! I went to a pottery class yesterday. It was so calming!",
    "Bo says: Nice! I adopted two cats last week, called Salt and Pepper. [shares a cat asleep on a sofa]",
    "Ana: I moved here from Portugal five years ago, and I don't miss the heat.",
    'Ana: Right now I am reading "The Long Ride" in the evenings.',
    "Bo: I play the violin. My sister Clara taught me to swim.",
    "Bo: I also play the drums.",
    "Ana: The mural stands for hope and courage.",
    "Bo: We camped at the lake, it was peaceful.",
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did Ana go to a pottery class?", "7 May 2023"),
        ("When did Bo adopt cats?", "the week before 8 May 2023"),
        ("When did Ana move from Portugal?", "2018"),
        ("When did Bo camp at the lake?", "8 May 2023"),
        ("How many cats did Bo adopt?", "two"),
        ("How long ago did Ana move from Portugal?", "five years ago"),
        ("What book is Ana reading?", "The Long Ride"),
        ("Where did Ana move from?", "Portugal"),
        ("Who taught Bo to swim?", "Clara"),
        ("What instruments does Bo play?", "violin, drums"),
        ("What does the mural stand for?", "hope and courage"),
        ("Did Bo camp at the lake?", "Yes"),
        ("Does Ana miss the heat?", "No"),
        ("Doesn't Ana miss the heat?", "No"),
    ],
)
async def test_an_answer_is_the_short_part_that_was_asked_for(question: str, expected: str) -> None:
    assert await answer(question, TALK) == expected


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Ana: I joined a choir yesterday.", "Ana"),
        ("Ana joined a choir on 7 May 2023.", "Ana"),
        ("9:00 am on 1 May, 2023 | Bo: Hello.\n1:56 pm on 8 May, 2023 | Ana: I joined a choir yesterday.", ""),
    ],
    ids=["verbatim", "rewritten", "chunk"],
)
async def test_every_form_of_memory_gives_the_same_date(text: str, speaker: str) -> None:
    later = datetime(2023, 5, 8) if speaker else datetime(2023, 9, 9)

    assert await answer("When did Ana join a choir?", [hit(text, speaker=speaker, said_at=later)]) == "7 May 2023"


async def test_the_memory_that_an_answer_rests_on_is_named() -> None:
    assert (await extractive().answer(ask("Who taught Bo to swim?"), TALK)).used == ("m4",)


async def test_a_list_names_every_memory_it_rests_on() -> None:
    assert (await extractive().answer(ask("What instruments does Bo play?"), TALK)).used == ("m4", "m5")


async def test_a_list_has_at_most_most_items() -> None:
    assert (await extractive(most_items=1).answer(ask("What instruments does Bo play?"), TALK)).text == "violin"


async def test_a_phrase_has_at_most_most_words() -> None:
    found = await extractive(most_words=1).answer(ask("What does the mural stand for?"), TALK)

    assert len(found.text.split()) == 1


async def test_without_hits_there_is_no_information() -> None:
    assert await extractive().answer(ask("Where did Ana move from?"), []) == Answer(ABSTENTION, used=())


async def test_without_a_shared_word_there_is_no_information() -> None:
    assert await extractive().answer(ask("What is Ana's shoe size?"), TALK) == Answer(ABSTENTION, used=())


async def test_a_weak_overlap_is_no_information_when_more_is_required() -> None:
    question = ask("Which pottery museum did Ana visit in autumn?")

    assert (await extractive().answer(question, TALK)).text != ABSTENTION
    assert (await extractive(least_overlap=0.5).answer(question, TALK)).text == ABSTENTION


@pytest.mark.parametrize("gold", [None, "violin", "When did Bo camp at the lake?", "No information available"])
@pytest.mark.parametrize(
    "text", ["What does the mural stand for?", "Who taught Bo to swim?", "What is Ana's shoe size?"]
)
async def test_gold_evidence_and_category_change_no_answer(text: str, gold: str | None) -> None:
    poisoned = replace(ask(text), id="x", gold=gold, category=5, evidence=("D1:7",))

    assert await extractive().answer(poisoned, TALK) == await extractive().answer(ask(text), TALK)


async def test_only_the_text_of_a_question_is_read() -> None:
    text_alone = cast(Question, SimpleNamespace(text="Who taught Bo to swim?"))

    assert (await extractive().answer(text_alone, TALK)).text == "Clara"


async def test_a_number_from_a_far_worse_statement_is_not_taken() -> None:
    hits = turns("Ana: I baked cakes for the school fair.", "Ana: It was three miles to school.")

    assert await answer("How many cakes did Ana bake for the school fair?", hits) != "three"


async def test_the_same_question_gets_the_same_answer_again() -> None:
    first = [await extractive().answer(ask(one.memory.text), TALK) for one in TALK]

    assert [await extractive().answer(ask(one.memory.text), TALK) for one in TALK] == first


@pytest.mark.parametrize("setting", ["most_words", "most_items"])
def test_a_length_below_one_is_refused_with_its_value(setting: str) -> None:
    lengths = {"most_words": 10, "most_items": 3} | {setting: 0}

    with pytest.raises(ValueError, match=f"{setting}=0"):
        Extractive(**lengths, rank_weight=0.2, least_overlap=0.0)


PIECES = """
    When Where What How many long did does Ana Bo: I've go went to Paris last week yesterday 12 May in 2022 ? . , !
    "The Long Ride" two years ago because not [a photo: cat] café 日本 “quoted” ’s | on 3 March, 2023 | –
"""
WORDS = st.sampled_from([*PIECES.split(), "\n"])
TEXTS = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=25).map(" ".join))
DATE_WORDS = {
    "the",
    "a",
    "few",
    "before",
    "after",
    "of",
    "week",
    "weekend",
    "year",
    "years",
    "weeks",
    *map(str.lower, MONTHS),
}


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


@settings(max_examples=150, deadline=None)
@given(question=TEXTS, texts=st.lists(TEXTS, max_size=5))
async def test_any_answer_comes_from_the_memories_or_is_a_date_a_verdict_or_an_abstention(
    question: str, texts: list[str]
) -> None:
    hits: list[Hit] = [hit(text, number=number, said_at=SAID_AT) for number, text in enumerate(texts)]

    found = await extractive().answer(ask(question), hits)

    assert found.text.strip()
    assert set(found.used) <= {one.memory.id for one in hits}
    if found.text == ABSTENTION:
        assert not found.used
    elif found.text not in ("Yes", "No"):
        foreign = words(found.text) - words(" ".join(texts)) - DATE_WORDS
        assert all(word.isdigit() for word in foreign)


async def test_a_thing_of_the_past_is_not_so_and_was_so_from_its_first_day() -> None:
    now = hit("Ana lives in Oslo")
    past = replace(now, memory=replace(now.memory, retired_at=datetime(2023, 6, 3)))
    assert await answer("Does Ana live in Oslo?", [past]) == "No"
    assert await answer("When did Ana live in Oslo?", [past]) == "8 May 2023"
    assert await answer("Does Ana live in Oslo?", [now]) == "Yes"
