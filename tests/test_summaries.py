"""The rolling summary: which windows read which, who waits for whom, and what is asked again."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from memlab.dialogue import Turn
from memlab.embed.hashed import Hashed
from memlab.extract.extractor import Extractor, Window
from memlab.extract.summary import NoSummary, Summariser
from memlab.look_ahead import Extraction, look_ahead
from memlab.memory import Candidate
from memlab.part import PartFailed
from memlab.summaries import Summaries, Summary, summary_record
from memlab.testing import conversation
from memlab.windows import windows

[FIRST, *_] = conversation().turns
WINDOWS = [Window(new=(replace(FIRST, id=str(number), text=str(number)),)) for number in range(12)]


class Counts(Summariser):
    """The numbers of the windows so far: `0 1 2`; fails for those in `refused`, and waits for `gate`."""

    def __init__(self, every: int | None, lag: int = 1, refused: Sequence[str] = ()) -> None:
        self.every, self.lag = every, lag
        self.refused = list(refused)
        self.asked: list[tuple[str, str]] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def summarise(self, previous: str, turns: Sequence[Turn]) -> str:
        new = " ".join(turn.text for turn in turns)
        self.asked.append((previous, new))
        await self.gate.wait()
        if turns[-1].text in self.refused:
            raise PartFailed(f"refused {turns[-1].text}")
        return f"{previous} {new}".strip()


class Reads(Extractor):
    """Extracts nothing; notes when it was called."""

    reads_summary = True

    def __init__(self) -> None:
        self.called: list[str] = []

    async def extract(self, window: Window) -> list[Candidate]:
        self.called.append(window.new[0].text)
        return []


def seen(number: int, every: int, lag: int) -> str:
    """What window `number` reads, by the definition: all that summaries of windows up to `number - lag` cover."""
    covered = max((w + 1 for w in range(len(WINDOWS)) if (w + 1) % every == 0 and w + lag <= number), default=0)
    return " ".join(map(str, range(covered)))


async def extractions(summaries: Summaries, ahead: int, first: int = 0) -> list[Extraction]:
    stream = look_ahead(WINDOWS, Reads(), Hashed(dimension=8), summaries, ahead=ahead, first=first)
    try:
        return [done async for done in stream]
    finally:
        await summaries.close()


async def read(summaries: Summaries, ahead: int, first: int = 0) -> list[str]:
    return [done.window.summary for done in await extractions(summaries, ahead, first)]


@pytest.mark.parametrize("ahead", [1, 3, 12])
@pytest.mark.parametrize("lag", [0, 1, 2, 3, 7, 20])
@pytest.mark.parametrize("every", [1, 2, 3, 5, 12, 13])
async def test_a_window_reads_the_last_summary_that_is_lag_windows_old(every: int, lag: int, ahead: int) -> None:
    summariser = Counts(every, lag)
    kept: list[Summary] = []
    found = await read(Summaries(summariser, WINDOWS, keep=kept.append), ahead)
    assert found == [seen(number, every, lag) for number in range(len(WINDOWS))]
    read_by_someone = [w for w in range(len(WINDOWS)) if (w + 1) % every == 0 and w + lag < len(WINDOWS)]
    assert [summary.window for summary in kept] == read_by_someone, "a summary was paid for that no window reads"
    assert len(summariser.asked) == len(kept)


async def test_each_summary_follows_from_the_one_before_and_the_windows_since() -> None:
    summariser = Counts(2)
    await read(Summaries(summariser, WINDOWS), 3)
    assert summariser.asked[:3] == [("", "0 1"), ("0 1", "2 3"), ("0 1 2 3", "4 5")]


async def test_without_a_summariser_every_window_reads_nothing() -> None:
    assert await read(Summaries(NoSummary(), WINDOWS), 3) == [""] * 12


async def test_extraction_does_not_wait_for_a_summary_that_it_does_not_read() -> None:
    summariser, extractor = Counts(2, lag=3), Reads()
    summariser.gate.clear()
    summaries = Summaries(summariser, WINDOWS)
    stream = look_ahead(WINDOWS, extractor, Hashed(dimension=8), summaries, ahead=12)
    for _ in range(4):  # windows 0 to 3 read nothing; the summary after window 1 is read from window 4 on
        await anext(stream)
    assert extractor.called == ["0", "1", "2", "3"]
    await asyncio.sleep(0.01)
    assert summariser.asked == [("", "0 1")], "it was not written in the background"
    summariser.gate.set()
    assert (await anext(stream)).window.summary == "0 1"
    await stream.aclose()
    await summaries.close()


async def test_two_stores_of_a_conversation_share_its_summaries() -> None:
    summariser = Counts(3)
    summaries = Summaries(summariser, WINDOWS)
    streams = [look_ahead(WINDOWS, Reads(), Hashed(dimension=8), summaries, ahead=4) for _ in range(2)]

    async def all_of(stream: object) -> list[str]:
        return [done.window.summary async for done in stream]  # type: ignore[attr-defined]

    first, second = await asyncio.gather(*map(all_of, streams))
    await summaries.close()
    assert first == second
    assert len(summariser.asked) == 3


@pytest.mark.parametrize("first", [0, 3, 4, 5, 11, 12])
@pytest.mark.parametrize("known", [0, 1, 2, 4])
async def test_recorded_summaries_are_not_asked_for_again(known: int, first: int) -> None:
    whole: list[Summary] = []
    expected = await read(Summaries(Counts(2), WINDOWS, keep=whole.append), 3)
    kept: list[Summary] = []
    summariser = Counts(2)
    recorded = {summary.window: summary.text for summary in whole[:known]}
    found = await read(Summaries(summariser, WINDOWS, recorded, kept.append), 3, first)
    assert found == expected[first:]
    assert {summary.window for summary in kept} & set(recorded) == set()
    assert [(s.window, s.text) for s in kept] == [(s.window, s.text) for s in whole[known:]][: len(kept)]


@pytest.mark.parametrize("ahead", [1, 12])
async def test_a_summary_that_fails_fails_its_readers_and_the_next_covers_for_it(ahead: int) -> None:
    kept: list[Summary] = []
    summariser = Counts(2, refused=["3"])
    found = await extractions(Summaries(summariser, WINDOWS, keep=kept.append), ahead)
    assert [str(done.failure) if done.failure else "" for done in found] == [
        "refused 3" if number in (4, 5) else "" for number in range(12)
    ]
    assert found[6].window.summary == "0 1 2 3 4 5"
    assert summariser.asked[:3] == [("", "0 1"), ("0 1", "2 3"), ("0 1", "2 3 4 5")]
    assert [(summary.window, str(summary.failure)) for summary in kept if summary.failure] == [(3, "refused 3")]


async def test_summaries_that_all_fail_are_each_tried_once() -> None:
    summariser = Counts(3, refused=["2", "5", "8"])
    found = await extractions(Summaries(summariser, WINDOWS), 4)
    assert [number for number, done in enumerate(found) if done.failure] == list(range(3, 12))
    assert summariser.asked == [("", "0 1 2"), ("", "0 1 2 3 4 5"), ("", "0 1 2 3 4 5 6 7 8")]


async def test_closing_leaves_no_task_behind() -> None:
    summariser = Counts(1)
    summariser.gate.clear()
    summaries = Summaries(summariser, WINDOWS)
    await summaries.before(0)
    await summaries.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_reader_that_gives_up_does_not_take_the_summary_from_others() -> None:
    summariser = Counts(1)
    summariser.gate.clear()
    summaries = Summaries(summariser, WINDOWS)
    impatient = asyncio.create_task(summaries.before(1))
    patient = asyncio.create_task(summaries.before(1))
    await asyncio.sleep(0)
    impatient.cancel()
    summariser.gate.set()
    assert await patient == "0"
    await summaries.close()


async def test_a_record_says_what_a_summary_took_or_why_there_is_none() -> None:
    kept: list[Summary] = []
    await read(Summaries(Counts(6, refused=["11"], lag=0), WINDOWS, keep=kept.append), 3)
    done, failed = (summary_record("talk", summary) for summary in kept)
    assert (done["status"], done["reason"], done["text"], done["window"]) == ("done", None, "0 1 2 3 4 5", 5)
    assert (failed["status"], failed["reason"], failed["text"]) == ("failed", "refused 11", "")
    assert done["spent"]["calls"] == 0
    assert {"flaws", "seconds"} <= set(done)


def test_turns_of_a_real_window_are_summarised_once_each() -> None:
    every = windows(conversation(), size=2, m=2)
    assert [turn.id for window in every for turn in window.new] == [turn.id for turn in conversation().turns]
