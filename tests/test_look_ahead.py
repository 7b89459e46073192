import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from memlab.embed.embedder import Embedder, Vectors
from memlab.extract.extractor import Extractor, Window
from memlab.extract.summary import NoSummary
from memlab.look_ahead import look_ahead
from memlab.memory import Candidate
from memlab.part import PartFailed
from memlab.summaries import Summaries
from memlab.testing import candidate, conversation
from memlab.windows import windows


class Uneven(Extractor):
    """Takes longer for earlier windows, so that later ones are done first."""

    def __init__(self) -> None:
        self.under_way = 0
        self.most = 0

    async def extract(self, window: Window) -> list[Candidate]:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0.002 if window.new[0].session == 1 else 0)
        self.under_way -= 1
        return [candidate(turn.text, source=turn.id) for turn in window.new]


class Noting(Embedder):
    """Notes what it was asked for."""

    name, dimension = "noting", 2

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(list(texts))
        return np.zeros((len(texts), 2), np.float32)


every = windows(conversation(), size=1, m=2)


def no_summaries() -> Summaries:
    return Summaries(NoSummary(), every)


async def test_extractions_come_in_order_however_long_they_take() -> None:
    found = [done.window async for done in look_ahead(every, Uneven(), Noting(), no_summaries(), ahead=4)]
    assert found == every


async def test_no_more_than_ahead_windows_are_under_way() -> None:
    extractor = Uneven()
    async for _ in look_ahead(every, extractor, Noting(), no_summaries(), ahead=3):
        pass
    assert extractor.most == 3


async def test_every_candidate_is_embedded_before_its_window_comes_out() -> None:
    embedder = Noting()
    async for done in look_ahead(every, Uneven(), embedder, no_summaries(), ahead=4):
        embedded = {text for batch in embedder.batches for text in batch}
        assert {one.content.text for one in done.candidates} <= embedded


class FailsLater(Extractor):
    """Cannot do the fourth window."""

    async def extract(self, window: Window) -> list[Candidate]:
        if window.new == every[3].new:
            raise PartFailed("no")
        return []


@pytest.mark.parametrize("ahead", [1, 2, 6])
async def test_a_failed_window_comes_out_in_its_place_however_far_it_looks_ahead(ahead: int) -> None:
    stream = look_ahead(every, FailsLater(), Noting(), no_summaries(), ahead=ahead)
    found = [done async for done in stream]
    assert [done.window for done in found] == every
    assert [str(done.failure) if done.failure else None for done in found] == [None, None, None, "no", None, None]


async def test_stopping_early_leaves_no_task_behind() -> None:
    stream = look_ahead(every, Uneven(), Noting(), no_summaries(), ahead=4)
    await anext(stream)
    await stream.aclose()
    assert asyncio.all_tasks() == {asyncio.current_task()}
