"""Extraction that runs ahead of the updates: it needs the messages but not the store, so the result is the same."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from memlab.embed.embedder import Embedder
from memlab.extract.extractor import Extractor, Window
from memlab.memory import Candidate


@dataclass(frozen=True, slots=True)
class Extraction:
    """The candidates of a window, and how long the extractor took."""

    window: Window
    candidates: tuple[Candidate, ...]
    seconds: float


async def look_ahead(
    windows: Sequence[Window], extractor: Extractor, embedder: Embedder, *, ahead: int
) -> AsyncIterator[Extraction]:
    """Yield the extraction of each window in order, with up to `ahead` of them under way.

    The texts of all that is ready are embedded in one batch, so that the store finds their vectors in the cache. When
    an extraction fails, those before it still come out first.
    """
    waiting = iter(windows)
    under_way: deque[asyncio.Task[Extraction]] = deque()

    def fill() -> None:
        while len(under_way) < ahead and (window := next(waiting, None)) is not None:
            under_way.append(asyncio.create_task(extraction(window, extractor)))

    try:
        fill()
        while under_way:
            await under_way[0]
            ready = []
            while under_way and under_way[0].done() and under_way[0].exception() is None:
                ready.append(under_way.popleft().result())
            fill()
            await embedder.embed([candidate.content.text for done in ready for candidate in done.candidates])
            for done in ready:
                yield done
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def extraction(window: Window, extractor: Extractor) -> Extraction:
    """Return the extraction of one window, timed."""
    start = perf_counter()
    candidates = tuple(await extractor.extract(window))
    return Extraction(window, candidates, perf_counter() - start)
