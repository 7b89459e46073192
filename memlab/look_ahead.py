"""Extraction that runs ahead of the updates: it needs the messages but not the store, so the result is the same."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace

from memlab.embed.embedder import Embedder
from memlab.extract.extractor import Extractor, Window
from memlab.llm.meter import Spent, metered
from memlab.memory import Candidate
from memlab.part import PartFailed
from memlab.summaries import Summaries


@dataclass(frozen=True, slots=True)
class Extraction:
    """The candidates of a window and what it took to get them, or why there are none."""

    window: Window
    candidates: tuple[Candidate, ...]
    flaws: tuple[str, ...]
    spent: Spent
    seconds: float
    failure: PartFailed | None = None


async def look_ahead(
    windows: Sequence[Window],
    extractor: Extractor,
    embedder: Embedder,
    summaries: Summaries,
    *,
    ahead: int,
    first: int = 0,
) -> AsyncGenerator[Extraction, None]:
    """Yield the extraction of each window from the `first` on, in order, with up to `ahead` of them under way.

    The texts of all that is ready are embedded in one batch, so that the store finds their vectors in the cache.
    """
    waiting = iter(range(first, len(windows)))
    under_way: deque[asyncio.Task[Extraction]] = deque()

    def fill() -> None:
        while len(under_way) < ahead and (number := next(waiting, None)) is not None:
            under_way.append(asyncio.create_task(extraction(number, windows[number], extractor, summaries)))

    try:
        fill()
        while under_way:
            await under_way[0]
            ready = []
            while under_way and under_way[0].done() and under_way[0].exception() is None:
                ready.append(under_way.popleft().result())
            fill()
            await embedder.embed(
                [text for done in ready for candidate in done.candidates for text in candidate.content.texts]
            )
            for done in ready:
                yield done
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def extraction(number: int, window: Window, extractor: Extractor, summaries: Summaries) -> Extraction:
    """Return the extraction of one window; a part that fails makes a failed one."""
    try:
        window = replace(window, summary=await summaries.before(number))
    except PartFailed as failure:
        return Extraction(window, (), (), Spent(), 0.0, failure)
    with metered() as meter:
        try:
            candidates, failed = tuple(await extractor.extract(window)), None
        except PartFailed as failure:
            candidates, failed = (), failure
    return Extraction(window, candidates, tuple(meter.flaws), meter.spent, meter.seconds(), failed)
