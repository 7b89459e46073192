"""What counts as the time of a unit of work."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from memlab.embed.cached import CachedEmbedder
from memlab.embed.embedder import Vectors
from memlab.llm.meter import metered
from memlab.stopwatch import aside, running
from tests.store.seeded import Seeded

LONG = 0.3


class Slow(Seeded):
    async def embed(self, texts: Sequence[str]) -> Vectors:
        await asyncio.sleep(LONG)
        return await super().embed(texts)


async def test_what_is_set_aside_does_not_count() -> None:
    with running() as stopwatch:
        with aside():
            await asyncio.sleep(LONG)
        assert stopwatch.seconds() < LONG / 2
        await asyncio.sleep(LONG)
        assert stopwatch.seconds() >= LONG


async def test_an_outer_stopwatch_goes_on() -> None:
    with running() as outer:
        with running() as inner, aside():
            await asyncio.sleep(LONG)
        assert inner.seconds() < LONG / 2
        assert outer.seconds() >= LONG


async def test_making_a_vector_shows_in_no_latency(tmp_path: Path) -> None:
    embedder = CachedEmbedder(Slow(), folder=tmp_path)
    with metered() as meter:
        await embedder.embed(["Where does Ada live?"])
        assert meter.seconds() < LONG / 2


def test_outside_any_work_nothing_is_timed() -> None:
    with aside():
        pass
