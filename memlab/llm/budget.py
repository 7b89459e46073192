"""A hard limit on what a command pays for, and the prices that make money of tokens."""

import asyncio
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil

from memlab.llm.chat import ChatFailed, ChatModel, ChatRequest, Reply, Usage
from memlab.llm.stand_in import typical_reply

MILLION = 1_000_000
SPECIAL_TO_HYDRA = re.compile(r"([\\()\[\]{}:=,\s])")


class BudgetSpent(RuntimeError):
    """The next call would go beyond the budget, so it was not made."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one command may pay for, over all its jobs; None is no limit."""

    usd: float | None
    tokens: int | None
    calls: int | None

    @property
    def limits(self) -> bool:
        """Whether there is any limit."""
        return (self.usd, self.tokens, self.calls) != (None, None, None)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, in and out."""

    input: float
    output: float

    def usd(self, tokens_in: float, tokens_out: float) -> float:
        """Return what so many tokens cost."""
        return (tokens_in * self.input + tokens_out * self.output) / MILLION


@dataclass(frozen=True, slots=True)
class Prices:
    """The price of each model as of a date."""

    date: str
    models: Mapping[str, Price]


@dataclass(frozen=True, slots=True)
class Cost:
    """Calls and what they take."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.calls + other.calls, self.tokens + other.tokens, self.usd + other.usd)

    def __sub__(self, other: "Cost") -> "Cost":
        return Cost(self.calls - other.calls, self.tokens - other.tokens, self.usd - other.usd)

    def beyond(self, budget: Budget) -> list[str]:
        """Return the names of the limits that this is more than."""
        limits = {name: getattr(budget, name) for name in ("usd", "tokens", "calls")}
        return [name for name, limit in limits.items() if limit is not None and getattr(self, name) > limit]


class Queue:
    """The calls of one event loop: those under way, with what they will likely cost, and those that wait their turn.

    First come, first served: a long call is not overtaken for ever by short ones that still fit.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.turn = asyncio.Lock()
        self.ended = asyncio.Event()
        self.places: dict[ChatModel, asyncio.Semaphore] = {}
        self.under_way = Cost()
        self.spent: tuple[Budget, str] | None = None
        """The budget that was found to be spent, and the words for it."""


@dataclass(slots=True)
class Bought:
    """What was paid for so far, as it was counted and as it had been expected."""

    cost: Cost = field(default_factory=Cost)
    tokens_in: int = 0
    tokens_out: int = 0
    expected_in: int = 0
    expected_out: int = 0
    queue: Queue | None = None

    def queue_here(self) -> Queue:
        """Return the queue of the running event loop; calls that a loop before it left behind are forgotten."""
        loop = asyncio.get_running_loop()
        if self.queue is None or self.queue.loop is not loop:
            self.queue = Queue(loop)
        return self.queue

    @property
    def surprise(self) -> tuple[float, float]:
        """How many times more tokens in and out the calls so far took than was expected of them."""
        return (
            self.tokens_in / self.expected_in if self.expected_in else 1.0,
            self.tokens_out / self.expected_out if self.expected_out else 1.0,
        )

    def likely(self, expected: Usage, price: Price | None) -> Cost:
        """Return what a call costs if it takes more than is expected of it by as much as those before it did."""
        more_in, more_out = self.surprise
        tokens_in, tokens_out = ceil(expected.prompt_tokens * more_in), ceil(expected.completion_tokens * more_out)
        return Cost(1, tokens_in + tokens_out, price.usd(tokens_in, tokens_out) if price else 0.0)

    def add(self, usage: Usage, expected: Usage, price: Price | None) -> None:
        """Count a call that was paid for."""
        tokens_in, tokens_out = usage.prompt_tokens, usage.completion_tokens
        self.cost += Cost(1, tokens_in + tokens_out, price.usd(tokens_in, tokens_out) if price else 0.0)
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        self.expected_in += expected.prompt_tokens
        self.expected_out += expected.completion_tokens


BOUGHT = Bought()
"""Of this process: the jobs of a sweep share their budget."""


class Budgeted(ChatModel):
    """Makes calls while they are within the budget, then raises BudgetSpent.

    The cost of a call is estimated before it is made, so the limits are passed at most by what the calls under way
    turn out to take more than expected. Where there is room only if one of them takes less, the next call waits for it.
    """

    def __init__(self, inner: ChatModel, budget: Budget, price: Price | None, bought: Bought = BOUGHT) -> None:
        self.model = inner.model
        self.identity = inner.identity
        self.at_once = inner.at_once
        self._inner = inner
        self._budget = budget
        self._price = price
        self._bought = bought

    async def chat(self, request: ChatRequest) -> Reply:
        """Return the inner model's reply; raises BudgetSpent instead of asking for more than is allowed."""
        queue = self._bought.queue_here()
        # A call is only let into the budget when it can be sent at once: by then more is known of how long replies are.
        async with queue.places.setdefault(self, asyncio.Semaphore(self._inner.at_once or sys.maxsize)):
            expected = typical_reply(request).usage
            likely = await self._allowed(queue, expected)
            paid: Reply | None = None
            try:
                paid = await self._inner.chat(request)
            except ChatFailed as failure:
                paid = failure.reply
                raise
            finally:
                queue.under_way -= likely
                if paid is not None:
                    self._bought.add(paid.usage, expected, self._price)
                queue.ended.set()
        return paid

    def stop_sending(self) -> None:
        """Pass it on."""
        self._inner.stop_sending()

    def missing(self) -> list[str]:
        """Return what the inner model lacks, and the price that a budget in dollars needs."""
        faults = self._inner.missing()
        if self._budget.usd is not None and self._price is None:
            faults.append(
                f"budget.usd={self._budget.usd:g} needs the price of {self.model}: {price_setting(self.model)} in "
                "dollars for a million tokens; or limit budget.tokens instead"
            )
        return faults

    async def _allowed(self, queue: Queue, expected: Usage) -> Cost:
        """Return the likely cost of a call, reserved, once it is within the budget; raises BudgetSpent if it never is.

        Nobody waits by the clock: who is next waits for a call under way to end, the others for who is next.
        """
        async with queue.turn:
            while True:
                if queue.spent is not None and queue.spent[0] == self._budget:
                    raise BudgetSpent(queue.spent[1])
                cost = self._bought.likely(expected, self._price)
                beyond = (self._bought.cost + queue.under_way + cost).beyond(self._budget)
                if not beyond:
                    queue.under_way += cost
                    return cost
                if queue.under_way.calls == 0:
                    queue.spent = self._budget, self._words(beyond, cost)
                    continue
                queue.ended.clear()
                await queue.ended.wait()

    def _words(self, beyond: list[str], cost: Cost) -> str:
        bought = self._bought.cost
        limits = " and ".join(f"budget.{name}={getattr(self._budget, name):g}" for name in beyond)
        raised = " and ".join(f"budget.{name}" for name in beyond)
        money = f" ({bought.usd:.4f} USD)" if bought.usd else ""
        return (
            f"{limits} has no room for the next call, of about {cost.tokens:,} tokens: this command has paid for "
            f"{bought.calls:,} calls and {bought.tokens:,} tokens{money}. Raise {raised}, or run the same command "
            "again to spend as much again"
        )


def price_setting(model: str) -> str:
    """Return how the price of a model is given on the command line."""
    name = SPECIAL_TO_HYDRA.sub(r"\\\1", model)
    return f"'+prices.models={{{name}:{{input:0.15,output:0.60}}}}'"
