"""Many works at once, but not all."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import TypeVar

Result = TypeVar("Result")


async def bounded(works: Iterable[Coroutine[None, None, Result]], places: asyncio.Semaphore) -> list[Result]:
    """Return the results of some works in order; each waits for a free place."""

    async def in_turn(work: Coroutine[None, None, Result]) -> Result:
        try:
            async with places:
                return await work
        finally:
            work.close()  # one whose turn never came would be reported as forgotten

    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(in_turn(work)) for work in works]
    return [task.result() for task in running]
