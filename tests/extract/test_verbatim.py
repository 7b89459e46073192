from memlab.dialogue import Turn
from memlab.extract.extractor import Window
from memlab.extract.spoken import words
from memlab.extract.verbatim import Verbatim
from memlab.memory import Candidate, Fact


async def test_each_turn_is_one_candidate_with_its_speaker_source_and_time(talk) -> None:
    first, second = talk("Caroline: I went to a meeting.", "Melanie: Wow!")
    assert await Verbatim().extract(Window((first, second))) == [
        Candidate(Fact("Caroline says: I went to a meeting."), "Caroline", ("D1:1",), first.said_at),
        Candidate(Fact("Melanie says: Wow!"), "Melanie", ("D1:2",), second.said_at),
    ]


async def test_recent_turns_are_no_candidates(talk) -> None:
    first, second = talk("Caroline: One.", "Melanie: Two.")
    candidates = await Verbatim().extract(Window((second,), recent=(first,)))
    assert [candidate.sources for candidate in candidates] == [("D1:2",)]


def test_caption_is_part_of_the_spoken_line(talk) -> None:
    (turn,) = talk("Caroline: Look!", caption="a photo of a dog")
    assert words(turn, captions=True) == "Look! [shares a photo of a dog]"
    assert words(turn, captions=False) == "Look!"


async def test_photo_without_words_is_kept_and_nothing_at_all_is_not(talk) -> None:
    (turn,) = talk("Caroline: x")
    photo = Turn("D1:2", "Caroline", "", turn.said_at, 1, "a dog")
    nothing = Turn("D1:3", "Caroline", "  ", turn.said_at, 1)
    candidates = await Verbatim().extract(Window((photo, nothing)))
    assert [candidate.content.text for candidate in candidates] == ["Caroline says: [shares a dog]"]


async def test_only_the_owners_turns_are_candidates(talk) -> None:
    turns = talk("Caroline: One.", "Melanie: Two.", "Caroline: Three.")
    candidates = await Verbatim().extract(Window(turns, owner="Caroline"))
    assert [candidate.sources for candidate in candidates] == [("D1:1",), ("D1:3",)]
