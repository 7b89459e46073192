"""What a unit of work takes from language models: whoever does the work opens a meter, and every call counts itself."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, fields
from time import perf_counter
from typing import Any, TypeVar

from memlab.llm.chat import ChatFailed, ChatModel, ChatRequest, Reply
from memlab.stopwatch import Stopwatch, aside, running

Result = TypeVar("Result")


@dataclass(slots=True)
class Spent:
    """Calls and what they took. Replayed calls count like others, with the tokens and seconds of the original."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    """In the attempts that succeeded, without waits for a free place."""
    retry_seconds: float = 0.0
    requests: int = 0
    """Attempts, failed ones included."""
    replayed: int = 0
    failed: int = 0
    """Calls that gave no whole reply; a refused or truncated one has tokens all the same."""
    estimated: int = 0
    """Calls whose tokens the server did not say, so that they are ours."""

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.prompt_tokens + self.completion_tokens

    def record(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        return asdict(self)

    def add(self, other: "Spent") -> None:
        """Add the counts of other work."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


@dataclass(slots=True)
class Meter:
    """The usage of one unit of work, and what had to be repaired or given up in it."""

    spent: Spent = field(default_factory=Spent)
    flaws: list[str] = field(default_factory=list)
    stopwatch: Stopwatch = field(default_factory=Stopwatch)
    """Leaves out what is between calls and their replies, waits for a free place included."""

    def seconds(self) -> float:
        """Return what the work has taken so far: our own time, and the original seconds of its replies."""
        return self.stopwatch.seconds() + self.spent.seconds


_current: ContextVar[Meter | None] = ContextVar("memlab_meter", default=None)


@contextmanager
def metered() -> Iterator[Meter]:
    """Count the calls made within, in this task and in those it starts; an outer meter does not see them."""
    with running() as stopwatch:
        meter = Meter(stopwatch=stopwatch)
        token = _current.set(meter)
        try:
            yield meter
        finally:
            _current.reset(token)


def clock() -> float:
    """Return a reading in seconds; two of them in one unit of work tell what was done between, as its meter counts."""
    meter = _current.get()
    return perf_counter() if meter is None else meter.seconds()


def note_flaw(flaw: str) -> None:
    """Count what had to be repaired or given up: `kind: what happened`. Outside any meter it is nobody's."""
    if (meter := _current.get()) is not None:
        meter.flaws.append(flaw)


async def side_by_side(*works: Callable[[], Awaitable[Result]]) -> list[Result | BaseException]:
    """Return what works come to that are done at the same time, failures in place of results; all of them finish.

    On the current meter calls and tokens add up, flaws stand in the order of the works, and the seconds are those of
    the slowest: whichever ends first, waits longest or is replayed, the meter reads the same.
    """
    done: dict[int, tuple[Meter, float]] = {}

    async def alone(place: int, work: Callable[[], Awaitable[Result]]) -> Result:
        with metered() as meter:
            try:
                return await work()
            finally:
                done[place] = meter, meter.seconds()

    with aside():
        found = await asyncio.gather(*(alone(place, work) for place, work in enumerate(works)), return_exceptions=True)
    if done and (meter := _current.get()) is not None:
        for own, _ in (done[place] for place in sorted(done)):
            meter.spent.add(own.spent)
            meter.flaws += own.flaws
        slowest = max(seconds for _, seconds in done.values())
        meter.stopwatch.aside += sum(own.spent.seconds for own, _ in done.values()) - slowest
    return found


class MeteredChat(ChatModel):
    """A model whose every call is counted on the meter of the work that made it."""

    def __init__(self, inner: ChatModel) -> None:
        self.model = inner.model
        self.identity = inner.identity
        self._inner = inner

    async def chat(self, request: ChatRequest) -> Reply:
        """Return the inner model's reply; raises ChatFailed as it does."""
        meter = _current.get() or Meter()
        try:
            with aside():
                reply = await self._inner.chat(request)
        except ChatFailed as failure:
            meter.spent.calls += 1
            meter.spent.failed += 1
            meter.spent.requests += failure.requests
            meter.spent.retry_seconds += failure.retry_seconds
            if failure.reply is not None:
                count(meter.spent, failure.reply)
            raise
        else:
            meter.spent.calls += 1
            meter.spent.requests += reply.requests
            meter.spent.retry_seconds += reply.retry_seconds
            count(meter.spent, reply)
            return reply

    def stop_sending(self) -> None:
        """Pass it on."""
        self._inner.stop_sending()

    def missing(self) -> list[str]:
        """Return what the inner model lacks."""
        return self._inner.missing()


def count(spent: Spent, reply: Reply) -> None:
    """Add a reply's tokens and seconds."""
    spent.prompt_tokens += reply.usage.prompt_tokens
    spent.completion_tokens += reply.usage.completion_tokens
    spent.seconds += reply.seconds
    spent.replayed += reply.replayed
    spent.estimated += reply.usage.estimated
