import json
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.dialogue import Turn
from memlab.extract.chunk import Chunk, moment, spans, transcript_line
from memlab.extract.extractor import Window
from memlab.tokens import count_tokens, encoding

NOON = datetime(2023, 5, 8, 12, 5)


def turns_of(texts: list[str]) -> tuple[Turn, ...]:
    return tuple(
        Turn(f"D1:{number}", "Ann" if number % 2 else "Bob", text, NOON, 1)
        for number, text in enumerate(texts, start=1)
    )


async def chunks(texts: list[str], size: int, *, captions: bool = False) -> list[tuple[str, tuple[str, ...]]]:
    candidates = await Chunk(size=size, captions=captions).extract(Window(turns_of(texts)))
    return [(candidate.content.text, candidate.sources) for candidate in candidates]


@given(st.lists(st.text(max_size=40), min_size=1, max_size=6), st.integers(1, 40))
@settings(max_examples=200, deadline=None)
async def test_chunks_put_together_are_the_transcript(texts: list[str], size: int) -> None:
    transcript = "".join(transcript_line(turn, captions=False) for turn in turns_of(texts))
    found = await chunks(texts, size)
    assert "".join(text for text, _ in found) == transcript
    assert {source for _, sources in found for source in sources} == {turn.id for turn in turns_of(texts)}


@given(st.text(alphabet="aé漢🌟👩‍👧 \n", max_size=60), st.integers(1, 12))
@settings(max_examples=200, deadline=None)
def test_tokens_of_the_spans_are_the_tokens_of_the_text_but_for_characters_that_a_cut_splits(
    text: str, size: int
) -> None:
    data = text.encode()
    cuts = list(spans(data, size))
    tokens = encoding().encode_ordinary(text)
    exact = [len(encoding().decode_bytes(tokens[: index + size])) for index in range(0, len(tokens), size)]
    assert b"".join(data[start:end] for start, end in cuts) == data
    assert {end for _, end in cuts} >= {
        end for end in exact if end == len(data) or data[end] & 0b1100_0000 != 0b1000_0000
    }


async def test_character_that_a_cut_splits_goes_whole_to_the_next_chunk() -> None:
    found = await chunks(["🧑‍🚀" * 8], 5)
    assert "\ufffd" not in "".join(text for text, _ in found)


async def test_every_chunk_but_the_last_has_the_size_in_tokens() -> None:
    found = await chunks(["I went to the market and bought some apples."] * 20, 64)
    assert len(found) > 3
    assert {count_tokens(text) for text, _ in found[:-1]} == {64}


async def test_sources_are_all_turns_that_a_chunk_holds_a_part_of() -> None:
    line = count_tokens(transcript_line(turns_of(["Hello there."])[0], captions=False))
    found = await chunks(["Hello there."] * 3, line + 2)
    assert found[0][1] == ("D1:1", "D1:2")
    assert found[1][1] == ("D1:2", "D1:3")


async def test_chunk_has_the_time_of_its_last_turn_and_no_one_speaker() -> None:
    early, late = datetime(2023, 1, 1), datetime(2023, 2, 1)
    turns = (Turn("D1:1", "Ann", "One.", early, 1), Turn("D2:1", "Bob", "Two.", late, 2))
    (candidate,) = await Chunk(size=8192, captions=False).extract(Window(turns))
    assert (candidate.said_at, candidate.speaker) == (late, "")


async def test_captions_are_a_setting(talk) -> None:
    turns = talk("Ann: Look!", caption="a photo of a dog")
    (plain,) = await Chunk(size=128, captions=False).extract(Window(turns))
    (captioned,) = await Chunk(size=128, captions=True).extract(Window(turns))
    assert plain.content.text == "1:56 pm on 8 May, 2023 | Ann: Look!\n"
    assert captioned.content.text == "1:56 pm on 8 May, 2023 | Ann: Look! [shares a photo of a dog]\n"


async def test_lone_surrogate_does_not_stop_the_cutting() -> None:
    assert await chunks(["broken \ud83d emoji"], 128)


async def test_empty_conversation_has_no_chunk() -> None:
    assert await chunks([], 128) == []


@pytest.mark.parametrize("size", [0, -1])
def test_size_below_one_is_refused_with_its_value(size: int) -> None:
    with pytest.raises(ValueError, match=f"size={size}"):
        Chunk(size=size, captions=False)


@pytest.mark.parametrize(
    ("when", "written"),
    [
        (datetime(2023, 5, 8, 13, 56), "1:56 pm on 8 May, 2023"),
        (datetime(2022, 1, 21, 0, 5), "12:05 am on 21 January, 2022"),
        (datetime(2022, 1, 21, 12, 0), "12:00 pm on 21 January, 2022"),
        (datetime(2022, 1, 21, 9, 7), "9:07 am on 21 January, 2022"),
    ],
)
def test_time_is_written_as_locomo_writes_it(when: datetime, written: str) -> None:
    assert moment(when) == written


def test_transcript_is_the_input_of_the_papers_baseline(shared_data: Path) -> None:
    published = json.loads((shared_data / "locomo7_rag.json").read_text(encoding="utf-8"))
    compared = 0
    for conversation in published.values():
        for message in conversation["conversation"]:
            said_at = datetime.strptime(message["timestamp"], "%I:%M %p on %d %B, %Y")
            turn = Turn("D1:1", message["speaker"], message["text"], said_at, 1, "a photo of a dog")
            expected = f"{message['timestamp']} | {message['speaker']}: {message['text']}\n"
            assert transcript_line(turn, captions=False) == expected
            compared += 1
    assert compared == 3950


def test_chunks_can_be_no_store_for_each_speaker() -> None:
    assert not Chunk(size=128, captions=False).tells_speakers
