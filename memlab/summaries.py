"""The rolling summaries of one conversation, written in the background of its extractions."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from memlab.extract.extractor import Window
from memlab.extract.summary import Summariser
from memlab.llm.meter import Meter, metered
from memlab.part import PartFailed


@dataclass(frozen=True, slots=True)
class Summary:
    """S as it was after a window, and what writing it took; or why it could not be written."""

    window: int
    text: str
    meter: Meter
    failure: PartFailed | None = None


class Summaries:
    """The chain of summaries: each follows from the one before and the windows since, so they are written in order.

    What covers window k is read from window k + lag on, so that runs repeat exactly and extraction waits for a summary
    only when it is later than that. One that cannot be written fails those who read it; the next follows from the last
    that could. `recorded` holds texts by window; `keep` is called with each new summary as soon as it is there.
    """

    def __init__(
        self,
        summariser: Summariser,
        windows: Sequence[Window],
        recorded: Mapping[int, str] = MappingProxyType({}),
        keep: Callable[[Summary], None] = lambda summary: None,
    ) -> None:
        self._summariser = summariser
        self._windows = windows
        self._recorded = recorded
        self._keep = keep
        self._tasks: list[asyncio.Task[str]] = []

    async def before(self, number: int) -> str:
        """Return the summary that the extraction of window `number` (from 0) reads; "" while there is none.

        Raises PartFailed when it could not be written.
        """
        every, lag = self._summariser.every, self._summariser.lag
        if every is None:
            return ""
        # Started as soon as a window is looked at, long before it is read; those that no window reads, never.
        while len(self._tasks) < min(number + 1, len(self._windows) - lag) // every:
            self._tasks.append(asyncio.create_task(self._written(len(self._tasks), every)))
        ready = max(0, number - lag + 1) // every
        return await asyncio.shield(self._tasks[ready - 1]) if ready else ""

    async def close(self) -> None:
        """Give up what nobody reads any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _written(self, index: int, every: int) -> str:
        number = (index + 1) * every - 1
        if (recorded := self._recorded.get(number)) is not None:
            return recorded
        previous, last = await self._last_before(index)
        turns = [turn for window in self._windows[last * every : number + 1] for turn in window.new]
        with metered() as meter:
            try:
                text = await self._summariser.summarise(previous, turns)
            except PartFailed as failure:
                self._keep(Summary(number, "", meter, failure))
                raise
        self._keep(Summary(number, text, meter))
        return text

    async def _last_before(self, index: int) -> tuple[str, int]:
        """Return the last summary before number `index` that could be written, and how many there are up to it."""
        for earlier in range(index, 0, -1):
            with suppress(PartFailed):
                return await asyncio.shield(self._tasks[earlier - 1]), earlier
        return "", 0


def summary_record(conversation: str, summary: Summary) -> dict[str, Any]:
    """Return the line of summaries.jsonl for a summary."""
    return {
        "conversation": conversation,
        "window": summary.window,
        "status": "done" if summary.failure is None else "failed",
        "reason": None if summary.failure is None else str(summary.failure),
        "text": summary.text,
        "flaws": summary.meter.flaws,
        "spent": summary.meter.spent.record(),
        "seconds": summary.meter.seconds(),
    }
