import asyncio
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.datasets.locomo import Locomo
from memlab.dialogue import Turn
from memlab.extract.chunk import Chunk
from memlab.extract.extractor import Window
from memlab.extract.rewrite import Rewrite
from memlab.extract.triples_local import TriplesLocal
from memlab.memory import ENTITY_KINDS, Candidate, Triple
from memlab.relations import canonical
from memlab.testing import check_extractor
from memlab.windows import windows
from tests.extract.conftest import Talk

STATEMENTS = Rewrite(unit="statement", reply_words=25)
LOCAL = TriplesLocal(STATEMENTS, most_words=8)


def triple(candidate: Candidate) -> Triple:
    assert isinstance(candidate.content, Triple)
    return candidate.content


async def told(turns: tuple[Turn, ...], extractor: TriplesLocal = LOCAL) -> list[str]:
    return [candidate.content.text for candidate in await extractor.extract(Window(turns))]


MESSAGES = [
    ("I moved to Oslo last week with my dog.",
     ["Ada moves to Oslo (the week before 8 May 2023)", "Ada moves with Ada's dog (the week before 8 May 2023)"]),
    ("I bought apples and pears.", ["Ada buys apples", "Ada buys pears"]),
    ("I bought a red bicycle yesterday.", ["Ada buys red bicycle (7 May 2023)"]),
    ("My sister Clara is a nurse.", ["Ada has sister Clara", "Clara is nurse"]),
    ("I am allergic to peanuts.", ["Ada is allergic to peanuts"]),
    ("I want to learn piano.", ["Ada wants to learn piano"]),
    ("I don't eat meat.", ["Ada not eats meat"]),
    ("I have never been to Rome.", ["Ada not visits Rome"]),
    ("My brother moved to Rome in 2021, where he works as a chef.",
     ["Ada's brother moves to Rome (2021)", "Ada's brother works as chef"]),
    ("The studio was opened by my cousin.", ["Ada's cousin opens studio"]),
    ("I gave a speech at the school on 3 May 2023.", ["Ada gives speech at school (3 May 2023)"]),
    ("I'm going to visit Paris next month.", ["Ada will visit Paris (June 2023)"]),
    ("I gave up coffee.", ["Ada gives up coffee"]),
    ("I got back from Rome.", ["Ada gets back from Rome"]),
    ("Last week was wild, I got noticed by editors.", ["editors notices Ada (the week before 8 May 2023)"]),
    ("I joined a choir. It was hard for my voice.", ["Ada joins choir", "choir is hard for Ada's voice"]),
    ("I have been painting for seven years.", ["Ada does paint (for seven years)"]),
    ("My grandma passed away last week.", ["Ada's grandma does pass away (the week before 8 May 2023)"]),
]  # fmt: skip


@pytest.mark.parametrize(("said", "triples"), MESSAGES)
async def test_a_message_becomes_its_triples(talk: Talk, said: str, triples: list[str]) -> None:
    assert await told(talk(f"Ada: {said}")) == triples


async def test_the_shared_contract_is_kept() -> None:
    await check_extractor(LOCAL)


async def test_an_answer_is_told_with_what_was_asked(talk: Talk) -> None:
    turns = talk(
        "Ben: Where do you live?", "Ada: Oslo, since 2016!", "Ben: Have you tried surfing?", "Ada: No, not yet."
    )
    texts = await told(turns)
    assert "Ada lives in Oslo (since 2016)" in texts
    assert "Ada not tries surfing" in texts


async def test_the_image_of_a_turn_is_told(talk: Talk) -> None:
    [candidate] = await LOCAL.extract(Window(talk("Ada: Look!", caption="a photo of a dog on a red sofa")))
    assert candidate.content.text == "Ada shares photo of dog on red sofa"


async def test_what_a_third_person_did_is_not_told_of_the_speaker(talk: Talk) -> None:
    texts = await told(talk("Ada: My sister Clara quit her job. She moved to Bergen.", "Ben: My boss hates jazz."))
    assert "Clara moves to Bergen" in texts
    assert not [text for text in texts if text.startswith(("Ada quits", "Ada moves", "Ben hates"))]


async def test_she_or_he_is_neither_of_the_speakers(talk: Talk) -> None:
    texts = await told(talk("Ben: My brother called.", "Ada: I play chess with you. He always wins the trophy."))
    assert "Ada plays chess with Ben" in texts
    assert not [text for text in texts if text.startswith("Ben wins")]


async def test_what_is_only_hoped_or_supposed_is_not_told_as_true(talk: Talk) -> None:
    texts = await told(talk("Ada: I hope Ben will win the race. If I find a job in Rome, I will move."))
    assert "Ada hopes Ben will win race" in texts
    assert not [text for text in texts if text.startswith(("Ben will win", "Ada finds"))]


async def test_a_question_tells_nothing(talk: Talk) -> None:
    assert await told(talk("Ada: Did Clara buy a boat?")) == []


async def test_a_statement_without_a_pattern_becomes_what_its_speaker_says(talk: Talk) -> None:
    assert await told(talk("Ada: Such a beautiful and peaceful garden full of roses!")) == [
        "Ada says beautiful and peaceful garden full of roses"
    ]


async def test_sources_speaker_and_time_are_those_of_the_statement(talk: Talk) -> None:
    window = Window(talk("Ben: Do you have any pets?", "Ada: Yes, I have a dog and I love long walks in the park."))
    facts = {(one.speaker, one.sources, one.said_at) for one in await STATEMENTS.extract(window)}
    assert {(one.speaker, one.sources, one.said_at) for one in await LOCAL.extract(window)} == facts


async def test_times_come_from_the_turn_not_from_the_clock(talk: Talk) -> None:
    turns = talk("Ada: I adopted a dog yesterday.", said_at=datetime(1999, 3, 1))
    [candidate] = await LOCAL.extract(Window(turns))
    assert triple(candidate).when == "28 February 1999"
    assert candidate.said_at == datetime(1999, 3, 1)


async def test_labels_are_canonical_and_kinds_known(talk: Talk) -> None:
    turns = talk(*(f"Ada: {said}" for said, _ in MESSAGES))
    for candidate in await LOCAL.extract(Window(turns)):
        one = triple(candidate)
        assert one.relation == canonical(one.relation)
        assert {one.subject.kind, one.object.kind} <= set(ENTITY_KINDS)


async def test_names_of_entities_are_kept_short(talk: Talk) -> None:
    turns = talk(
        *(f"Ada: {said}" for said, _ in MESSAGES), "Ada: I hope all of my old friends from school come to my party."
    )
    for candidate in await LOCAL.extract(Window(turns)):
        assert len(triple(candidate).object.name.split()) <= 8
    short = TriplesLocal(STATEMENTS, most_words=2)
    assert all(len(triple(one).object.name.split()) <= 2 for one in await short.extract(Window(turns)))


async def test_many_at_once_give_the_same_as_one_after_another(talk: Talk) -> None:
    every = [Window(talk(f"Ada: {said}")) for said, _ in MESSAGES]
    one_by_one = [await LOCAL.extract(window) for window in every]
    assert await asyncio.gather(*map(LOCAL.extract, every)) == one_by_one


@pytest.mark.parametrize(
    "text",
    ["", "🎉🎉🎉", "((((", "x" * 10_000, "I have a cat " + "and a dog " * 300, "photo of " * 300, 
     "Ada's " * 300 + "dog",
     "我昨天去了公园。", "Я живу в Осло.", "\ud800 I like tea.", "a\nb\n\tI bought \"a\" 'b'", "I like tea.\x00 I"],
)  # fmt: skip
async def test_odd_text_is_no_error(talk: Talk, text: str) -> None:
    [turn] = talk(f"Ada: {text}", caption=text[:60])
    for candidate in await LOCAL.extract(Window((turn,))):
        one = triple(candidate)
        assert one.subject.name.strip()
        assert one.object.name.strip()
        assert one.relation


@settings(max_examples=25)
@given(st.text(max_size=80))
def test_any_text_gives_whole_triples_again_and_again(text: str) -> None:
    window = Window((Turn("D1:1", "Ada", text, datetime(2023, 5, 8), 1),))
    first = asyncio.run(LOCAL.extract(window))
    assert first == asyncio.run(LOCAL.extract(window))
    assert all(triple(one).subject.name and triple(one).object.name for one in first)


def test_statements_that_mix_speakers_are_refused() -> None:
    with pytest.raises(ValueError, match="Chunk proposes no statements"):
        TriplesLocal(Chunk(size=512, captions=False), most_words=8)


async def test_nearly_all_evidence_of_a_conversation_has_a_triple(shared_data: Path) -> None:
    locomo = Locomo(path=str(shared_data / "locomo7.json"), conversations=None, sessions=2, limit_questions=None)
    conversation = locomo.read().conversations[0]
    evidence = {turn for question in conversation.questions if question.category < 5 for turn in question.evidence}
    stated, found = set(), set()
    for window in windows(conversation, size=2, m=10):
        stated |= {source for one in await STATEMENTS.extract(window) for source in one.sources}
        found |= {source for one in await LOCAL.extract(window) for source in one.sources}
    assert len(evidence & found) >= 0.93 * len(evidence & stated) > 0
