"""A persistent cache of replies, so that none is ever paid for twice."""

import asyncio
import secrets
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from memlab.cache_file import cache_folder, write_faults
from memlab.llm.chat import ChatFailed, ChatModel, ChatRequest, Reply
from memlab.llm.reply_file import ReplyFile
from memlab.llm.reply_json import reply_from_json, reply_json, request_key

FILE_NAME = "chat.sqlite3"
LEASE_SECONDS = 30.0
"""How long a killed process keeps others from asking for what it had asked for; renewed while it lives."""
POLL_SECONDS = 0.1
"""How often a reply that another process has asked for is looked for."""

Mode = Literal["use", "refresh", "only", "off"]


@dataclass(slots=True)
class Flight:
    """A reply on its way; the first who receives it is the one who paid."""

    task: asyncio.Task[Reply]
    received: bool = False


class CachedChat(ChatModel):
    """Gives replies that are stored, and asks the inner model for the others, once, whoever else wants them too.

    `use` stores and finds; `refresh` finds only what was stored since its own first request; `only` never asks, and
    fails where nothing is stored; `off` does neither. Failed, refused and truncated replies are never stored. Use one
    instance in one event loop at a time; any number of processes may share the folder. None is `$MEMLAB_CACHE`, or
    else the user's cache folder.
    """

    def __init__(self, inner: ChatModel, folder: str | Path | None, mode: Mode) -> None:
        self.model = inner.model
        self.identity = inner.identity
        self._inner = inner
        self._mode = mode
        self._file = ReplyFile(
            cache_folder(folder) / FILE_NAME,
            holder=secrets.token_hex(8),
            lease_seconds=LEASE_SECONDS,
            read_only=mode == "only",
        )
        self._since = None if mode == "refresh" else 0.0
        self._flights: dict[str, Flight] = {}

    async def chat(self, request: ChatRequest) -> Reply:
        """Return the reply, stored or new; raises ChatFailed as the inner model does, ChatCacheError without a file."""
        if self._mode == "off":
            return await self._inner.chat(request)
        key = request_key(self.identity, request)
        if self._mode == "only":
            return await self._stored_only(key)
        flight = self._flights.get(key)
        if flight is None or flight.task.done():
            self._flights[key] = flight = Flight(asyncio.create_task(self._found_or_asked(key, request)))
            # Looked at once it is there: asyncio complains of a failure that nobody waits for any more.
            flight.task.add_done_callback(lambda task: task.cancelled() or task.exception())
        # `wait` leaves the task alone when its caller gives up: what is paid for is neither lost nor taken from others.
        await asyncio.wait([flight.task])
        paid, flight.received = not flight.received, True
        return outcome(flight.task, paid=paid)

    async def settle(self) -> None:
        """Wait until every reply on its way is stored or has failed; requests that wait for a place are not sent."""
        self._inner.stop_sending()
        while flights := [flight.task for flight in self._flights.values() if not flight.task.done()]:
            await asyncio.wait(flights)

    def missing(self) -> list[str]:
        """Return what the inner model lacks and a file that cannot be written, or in mode `only` cannot be read."""
        if self._mode == "only":
            found = self._file.path.is_file()
            return [] if found else [f"no chat cache at {self._file.path}; set MEMLAB_CACHE, or run once in mode `use`"]
        return self._inner.missing() + ([] if self._mode == "off" else write_faults(self._file.path, "chat"))

    async def _stored_only(self, key: str) -> Reply:
        stored = await asyncio.to_thread(self._file.read, key, 0.0)
        try:
            if stored is not None:
                return replace(reply_from_json(stored), replayed=True)
            fault = "holds no reply"
        except ValueError:
            fault = "holds a damaged reply"
        raise ChatFailed(
            "not_cached",
            f"{self._file.path} {fault} of {self.model} under {key}, and mode `only` asks no server; "
            "run once in mode `use`, or with the settings and prompts of the run that filled it",
        )

    async def _found_or_asked(self, key: str, request: ChatRequest) -> Reply:
        """Return the stored reply, or the one that this process or another asks for now."""
        try:
            if self._since is None:
                now = await asyncio.to_thread(self._file.now)
                self._since = min(now, self._since or now)  # several first requests may come here at once
            while True:
                if stored := await asyncio.to_thread(self._file.read, key, self._since):
                    try:
                        return replace(reply_from_json(stored), replayed=True)
                    except ValueError:
                        warnings.warn(f"a reply in {self._file.path} is damaged; it is asked for again", stacklevel=2)
                        await asyncio.to_thread(self._file.discard, key, stored)
                if await asyncio.to_thread(self._file.claim, key, self._since):
                    return await self._asked(key, request)
                await asyncio.sleep(POLL_SECONDS)
        finally:
            self._flights.pop(key, None)

    async def _asked(self, key: str, request: ChatRequest) -> Reply:
        async with self._renewed(key):
            reply = await self._inner.chat(request)
            await asyncio.to_thread(self._file.store, key, reply_json(reply))
            return reply

    @asynccontextmanager
    async def _renewed(self, key: str) -> AsyncIterator[None]:
        """Hold the lease of a key, and end it."""

        async def renew() -> None:
            while True:
                await asyncio.sleep(LEASE_SECONDS / 3)
                await asyncio.to_thread(self._file.renew, key)

        task = asyncio.create_task(renew())
        try:
            yield
        finally:
            task.cancel()
            # Not in a thread: this has to happen even while the event loop is being torn down.
            self._file.release(key)


def outcome(task: asyncio.Task[Reply], *, paid: bool) -> Reply:
    """Return what a task gave, or raise it anew for each who waited; what another has paid counts as replayed."""
    failure = task.exception()
    if failure is None:
        return task.result() if paid else replace(task.result(), replayed=True)
    if not isinstance(failure, ChatFailed):
        raise failure
    reply = failure.reply
    if reply is not None and not paid:
        reply = replace(reply, replayed=True)
    raise ChatFailed(
        failure.reason,
        str(failure),
        reply=reply,
        requests=failure.requests if paid else 0,
        retry_seconds=failure.retry_seconds if paid else 0.0,
    ) from failure
