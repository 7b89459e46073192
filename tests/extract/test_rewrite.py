import re
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memlab.extract
from memlab.dialogue import Conversation, Turn
from memlab.extract.extractor import Window
from memlab.extract.rewrite import Rewrite
from memlab.memory import Candidate
from memlab.windows import windows as windows_of

STATEMENTS = Rewrite(unit="statement", reply_words=25)
TURNS = Rewrite(unit="turn", reply_words=25)


async def said(turns: tuple[Turn, ...], *, recent: tuple[Turn, ...] = (), rewrite: Rewrite = STATEMENTS) -> list[str]:
    return [candidate.content.text for candidate in await rewrite.extract(Window(turns, recent))]


MESSAGES = [
    ("I went to a support group yesterday and it was so powerful.",
     ["Caroline went to a support group on 7 May 2023 and it was so powerful."]),
    ("Thanks, Mel! I moved to Sweden. Bye!", ["Caroline moved to Sweden."]),
    ("Wow, that's great! Good to see you!", []),
    ("What's up? Any plans?", []),
    ("I adopted a dog. Her name is Luna.", ["Caroline adopted a dog. Her name is Luna."]),
    ("I adopted a dog. I started a new job.", ["Caroline adopted a dog.", "Caroline started a new job."]),
    ("My sister moved to Rome.", ["Caroline's sister moved to Rome."]),
    ("The stories were so inspiring.", ["Caroline said: The stories were so inspiring."]),
    ("If you work hard, it pays off.", ['Caroline said: "If you work hard, it pays off."']),
    ("We need more parks. We need more trees.",
     ['Caroline said: "We need more parks."', 'Caroline said: "We need more trees."']),
    ("Gonna study law!", ["Caroline is going to study law!"]),
    ("Just finished a painting.", ["Caroline just finished a painting."]),
    ("Excited to start the new job.", ["Caroline is excited to start the new job."]),
    ("Been busy with the move.", ["Caroline has been busy with the move."]),
    ("Can't wait for the launch.", ["Caroline can't wait for the launch."]),
    ("Trying local food is a must.", ["Caroline said: Trying local food is a must."]),
    ("Planning a trip to Oslo.", ["Caroline is planning a trip to Oslo."]),
    ("You'd be a great counselor, Mel!", ["Caroline said: Melanie would be a great counselor!"]),
    ("I just got back from Canada with my new partner. We loved the food.",
     ["Caroline just got back from Canada with Caroline's new partner.",
      "Caroline and Caroline's new partner loved the food."]),
    ("I moved last week, have you been there?", ["Caroline moved the week before 8 May 2023."]),
    ("Have you seen this film about memory? It's a romance.",
     ['Caroline asked "Has Melanie seen this film about memory?" and said: It\'s a romance.']),
    ("But I stayed.", ["Caroline stayed."]),
    ("It's great to have friends.", ["Caroline said: It's great to have friends."]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "written"), MESSAGES)
async def test_message_becomes_statements(talk, text: str, written: list[str]) -> None:
    melanie, caroline = talk("Melanie: Hi!", f"Caroline: {text}")
    assert await said((melanie, caroline)) == written


REPLIES = [
    ("How many kids do you have?", "Two, both girls.", "Caroline has two kids, both girls."),
    ("What's your favorite color?", "Dark blue.", "Caroline's favorite color is Dark blue."),
    ("Where do you live?", "In Rome.", "Caroline lives in Rome."),
    ("Did you make it?", "Yes!", 'Asked by Melanie "Did Caroline make it?", Caroline said: Yes!'),
    ("Do you like fish?", "No, not really.",
     'Asked by Melanie "Does Caroline like fish?", Caroline said: No, not really.'),
    ("What game was it?", "Counter-Strike.", 'Asked by Melanie "What game was it?", Caroline said: Counter-Strike.'),
    ("What game was it?", "It's a shooter.", 'Asked by Melanie "What game was it?", Caroline said: It\'s a shooter.'),
    ("Did you make it?", "Yeah, I made it in class yesterday.",
     'Asked by Melanie "Did Caroline make it?", Caroline said: Yeah, Caroline made it in class on 7 May 2023.'),
    ("Have you read it?", "Yes! I read it in Oslo.",
     'Asked by Melanie "Has Caroline read it?", Caroline said: Yes! Caroline read it in Oslo.'),
    ("Is it nearby?", "It's this quiet place close to my home.",
     'Asked by Melanie "Is it nearby?", Caroline said: It\'s this quiet place close to Caroline\'s home.'),
    ("What's new?", "I moved to Rome.", "Caroline moved to Rome."),
    ("How are you?", "Two dogs.", "Caroline said: Two dogs."),
]  # fmt: skip


@pytest.mark.parametrize(("question", "reply", "written"), REPLIES)
async def test_short_reply_is_completed_from_its_question(talk, question: str, reply: str, written: str) -> None:
    assert await said(talk(f"Melanie: {question}", f"Caroline: {reply}")) == [written]


@pytest.fixture(scope="session")
def far_question(talk) -> tuple[Turn, ...]:
    return talk(
        "Melanie: I moved to Oslo. How many kids do you have?",
        "Caroline: Hold on!",
        "Melanie: Sure!",
        "Caroline: Two, both girls.",
    )


async def test_question_three_turns_back_completes_a_reply_when_m_reaches_it(far_question) -> None:
    recent, new = far_question[:2], far_question[2:]
    (candidate,) = await STATEMENTS.extract(Window(new, recent))
    assert candidate.content.text == "Caroline has two kids, both girls."
    assert candidate.sources == ("D1:4", "D1:1")


async def test_question_that_m_does_not_reach_is_not_known(far_question) -> None:
    (candidate,) = await STATEMENTS.extract(Window(far_question[2:]))
    assert candidate.content.text == "Caroline said: Two, both girls."
    assert candidate.sources == ("D1:4",)


async def test_question_that_was_answered_meanwhile_completes_nothing(talk) -> None:
    turns = talk(
        "Melanie: How many kids do you have?", "Caroline: I have three kids.", "Melanie: Wow!", "Caroline: Two dogs."
    )
    assert await said(turns[2:], recent=turns[:2]) == ["Caroline said: Two dogs."]


async def test_m_of_five_completes_what_m_of_two_does_not(talk) -> None:
    turns = talk(
        "Melanie: How many kids do you have?",
        "Caroline: Hold on, the smoke alarm is beeping.",
        "Melanie: Mine does that at night.",
        "Caroline: It only wants a battery.",
        "Melanie: So what were you going to say?",
        "Caroline: Sorry about that. Two, both girls.",
    )
    conversation = Conversation("c", ("Melanie", "Caroline"), turns, ())
    written = {}
    for m in (2, 5):
        last = windows_of(conversation, size=2, m=m)[-1]
        written[m] = [(c.content.text, c.sources) for c in await STATEMENTS.extract(last)]
    assert written[2] == [("Caroline said: Two, both girls.", ("D1:6",))]
    assert written[5] == [("Caroline has two kids, both girls.", ("D1:6", "D1:1"))]


COMING_BACK = [
    ("I teach.", 'Asked by Melanie "What does Caroline do for a living?", Caroline said: Caroline teaches.'),
    ("I have taught maths and a bit of physics at the big school in Rome.",
     "Caroline has taught maths and a bit of physics at the big school in Rome."),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "written"), COMING_BACK)
async def test_short_statement_that_comes_back_is_completed(talk, answer: str, written: str) -> None:
    asked, held = "Melanie: What do you do for a living?", "Caroline: Hold on, the door."
    turns = talk(asked, held, "Melanie: Sure!", f"Caroline: Now, where were we? {answer}")
    assert await said(turns[2:], recent=turns[:2]) == [written]


async def test_pronoun_is_named_when_m_reaches_the_name(talk) -> None:
    turns = talk(
        "Melanie: How is your sister Clara?", "Caroline: Wait a second!", "Melanie: Sure!", "Caroline: She left."
    )
    (named,) = await STATEMENTS.extract(Window(turns[2:], turns[:2]))
    assert (named.content.text, named.sources) == ("Caroline said: Clara left.", ("D1:4", "D1:1"))
    assert await said(turns[2:]) == ["Caroline said: She left."]


async def test_pronoun_in_a_quoted_question_is_named(talk) -> None:
    turns = talk("Caroline: My father retires in May.", "Melanie: How does he feel about it?", "Caroline: Like a boy.")
    (candidate,) = await STATEMENTS.extract(Window(turns[2:], turns[:2]))
    assert candidate.content.text == (
        'Asked by Melanie "How does Caroline\'s father feel about it?", Caroline said: Like a boy.'
    )
    assert candidate.sources == ("D1:3", "D1:2", "D1:1")


async def test_question_of_an_earlier_session_completes_nothing(talk) -> None:
    (question,) = talk("Melanie: How many kids do you have?")
    reply = Turn("D2:1", "Caroline", "Two, both girls.", datetime(2023, 6, 1), 2)
    assert await said((reply,), recent=(question,)) == ["Caroline said: Two, both girls."]


async def test_reply_longer_than_reply_words_is_not_completed(talk) -> None:
    turns = talk("Melanie: What game was it?", "Caroline: It's a shooter.")
    assert await said(turns, rewrite=Rewrite(unit="statement", reply_words=2)) == ["Caroline said: It's a shooter."]


async def test_photo_stands_with_what_was_said_about_it_and_alone_when_nothing_was(talk) -> None:
    hi, look = talk("Melanie: Hi!", "Caroline: I painted this.", caption="a photo of a lake.")
    assert await said((look,)) == ["Caroline painted this. Caroline shared a photo of a lake."]
    assert await said((hi,)) == ["Melanie shared a photo of a lake."]


async def test_caption_that_names_no_photo_is_called_one(talk) -> None:
    assert await said(talk("Caroline: ", caption="a bowl")) == ["Caroline shared a photo of a bowl."]


async def test_blank_caption_is_none(talk) -> None:
    assert await said(talk("Caroline: Hi!", caption="  ")) == []


async def test_unit_turn_gives_one_candidate_a_turn(talk) -> None:
    turns = talk("Caroline: I adopted a dog. I started a new job.", "Melanie: Wow!")
    assert await said(turns, rewrite=TURNS) == ["Caroline adopted a dog. Caroline started a new job."]


async def test_candidates_carry_speaker_and_time_of_their_turn(talk) -> None:
    turns = talk("Caroline: I moved to Rome.", "Melanie: I stayed in Oslo.")
    candidates = await STATEMENTS.extract(Window(turns))
    assert [(c.speaker, c.sources, c.said_at) for c in candidates] == [
        ("Caroline", ("D1:1",), turns[0].said_at),
        ("Melanie", ("D1:2",), turns[1].said_at),
    ]


async def test_listener_of_a_lone_message_is_found_in_the_recent_turns(talk) -> None:
    recent, new = talk("Melanie: I am off.", "Caroline: I miss you.")
    assert await said((new,), recent=(recent,)) == ["Caroline misses Melanie."]
    assert await said((new,)) == ['Caroline said: "I miss you."']


async def test_yesterday_is_the_turns_and_not_the_clocks(talk) -> None:
    turns = talk("Caroline: I went hiking yesterday.", said_at=datetime(1999, 3, 1))
    assert await said(turns) == ["Caroline went hiking on 28 February 1999."]


def test_no_extractor_looks_at_the_clock() -> None:
    files = sorted(Path(memlab.extract.__path__[0]).rglob("*.py"))
    assert len(files) > 10
    clock = re.compile(r"\bnow\(|\butcnow\(|\btoday\(|\btime\.time\(|import random")
    assert [file.name for file in files if clock.search(file.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("reply_words", [-1, -5])
def test_negative_reply_words_are_refused(reply_words: int) -> None:
    with pytest.raises(ValueError, match=f"reply_words={reply_words}"):
        Rewrite(unit="statement", reply_words=reply_words)


def test_unknown_unit_is_refused_naming_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"unit='word'.*statement or turn"):
        Rewrite(unit="word", reply_words=1)  # type: ignore[arg-type]


SENTENCE = (
    "I you we my your I'm you're our and love went yes Mel me have do it that last week in two days ago years yesterday"
)
WORDS = [*SENTENCE.split(), "?", "!", ".", ",", '"', "-", "99"]
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
SPEAKERS = st.one_of(st.sampled_from(["Caroline", "Melanie", "user"]), st.text(max_size=5))


@st.composite
def windows(draw: st.DrawFn) -> Window:
    count = draw(st.integers(1, 5))
    turns = tuple(
        Turn(f"D1:{number}", draw(SPEAKERS), draw(TEXTS), draw(st.datetimes()), 1, draw(st.none() | TEXTS))
        for number in range(count)
    )
    new = draw(st.integers(1, 2))
    return Window(turns[-new:], turns[:-new])


@given(windows(), st.sampled_from([STATEMENTS, TURNS, Rewrite(unit="statement", reply_words=0)]))
@settings(max_examples=150, deadline=None)
async def test_any_window_gives_sound_candidates(window: Window, rewrite: Rewrite) -> None:
    candidates: list[Candidate] = await rewrite.extract(window)
    new = {turn.id: turn for turn in window.new}
    seen = {*new, *(turn.id for turn in window.recent)}
    for candidate in candidates:
        turn = new[candidate.sources[0]]
        assert candidate.content.text.strip()
        assert (candidate.speaker, candidate.said_at) == (turn.speaker, turn.said_at)
        assert set(candidate.sources) <= seen
        assert len(set(candidate.sources)) == len(candidate.sources)
    assert candidates == await rewrite.extract(window)
    assert [candidate.sources[0] for candidate in candidates] == sorted(
        candidate.sources[0] for candidate in candidates
    )


async def test_only_the_owners_turns_are_candidates_and_the_others_still_complete_them(talk) -> None:
    turns = talk("Melanie: I moved to Oslo. How many kids do you have?", "Caroline: Two, both girls.")
    shared = await STATEMENTS.extract(Window(turns))
    own = {owner: await STATEMENTS.extract(Window(turns, owner=owner)) for owner in ("Melanie", "Caroline")}
    assert own["Caroline"] == [candidate for candidate in shared if candidate.speaker == "Caroline"] != []
    assert own["Caroline"][0].content.text == "Caroline has two kids, both girls."
    assert [*own["Melanie"], *own["Caroline"]] == shared
