"""Budgets: exact in calls, in tokens and money never over by more than the calls under way."""

import asyncio
import gc
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hydra import compose, initialize_config_dir
from hypothesis import given
from hypothesis import strategies as st

from memlab.conf_files import conf_folder
from memlab.llm.budget import Bought, Budget, Budgeted, BudgetSpent, Price, price_setting
from memlab.llm.chat import ChatFailed, ChatModel, ChatRequest, Reply, ToolCall, Usage
from memlab.llm.stand_in import UNKNOWN_REPLY, typical_reply
from memlab.node_check import INTERFACES
from memlab.settings import settings
from memlab.tokens import count_tokens
from tests.llm.lying_server import ask
from tests.llm.slow_model import Slow

PRICE = Price(input=1.0, output=10.0)


def budget(usd: float | None = None, tokens: int | None = None, calls: int | None = None) -> Budget:
    return Budget(usd, tokens, calls)


class Priced(Slow):
    """Counts as told what each request takes, and how many it works on at a time."""

    def __init__(self, usage: Callable[[ChatRequest], Usage], *, at_once: int | None = None) -> None:
        super().__init__(seconds=0.001)
        self.usage = usage
        self.at_once = at_once
        self.now = self.most_now = 0

    async def chat(self, request: ChatRequest) -> Reply:
        self.now += 1
        self.most_now = max(self.most_now, self.now)
        try:
            return replace(await super().chat(request), usage=self.usage(request))
        finally:
            self.now -= 1


def requests(count: int, typical: str = "Paris.") -> list[ChatRequest]:
    return [replace(ask(f"Capital {number}?"), typical=typical) for number in range(count)]


async def all_of(model: ChatModel, asked: list[ChatRequest]) -> list[Reply | BaseException]:
    """What comes of requests that are made all at once; nothing may take for ever."""
    async with asyncio.timeout(10):
        return await asyncio.gather(*(model.chat(request) for request in asked), return_exceptions=True)


def stopped(results: list[Reply | BaseException]) -> list[str]:
    return [str(result) for result in results if isinstance(result, BudgetSpent)]


@pytest.mark.parametrize("at_once", [None, 1, 16])
async def test_calls_are_exact(at_once: int | None) -> None:
    model = Priced(lambda request: Usage(10, 5), at_once=at_once)
    results = await all_of(Budgeted(model, budget(calls=7), None, Bought()), requests(40))
    assert model.asked == 7
    assert len(stopped(results)) == 33


async def test_within_the_budget_nothing_is_stopped() -> None:
    model = Priced(lambda request: Usage(10, 5))
    results = await all_of(Budgeted(model, budget(1.0, 1_000_000, 40), PRICE, Bought()), requests(40))
    assert not stopped(results)
    assert model.asked == 40


@pytest.mark.parametrize("longer", [1, 5])
@pytest.mark.parametrize("limit", [budget(tokens=1200), budget(usd=0.004)])
async def test_tokens_and_money_are_never_over_by_more_than_the_calls_under_way(limit: Budget, longer: int) -> None:
    def usage(request: ChatRequest) -> Usage:
        expected = typical_reply(request).usage
        return Usage(expected.prompt_tokens, longer * expected.completion_tokens)

    model, bought = Priced(usage, at_once=16), Bought()
    results = await all_of(Budgeted(model, limit, PRICE, bought), requests(400, "about ten tokens, more or less"))
    assert stopped(results)
    one = usage(requests(1, "about ten tokens, more or less")[0])
    spent = bought.cost.tokens if limit.tokens else bought.cost.usd
    most = limit.tokens or limit.usd or 0
    largest = one.prompt_tokens + one.completion_tokens if limit.tokens else PRICE.usd(*tokens_of(one))
    assert most - 2 * largest < spent <= most + (longer > 1) * 16 * largest


def tokens_of(usage: Usage) -> tuple[int, int]:
    return usage.prompt_tokens, usage.completion_tokens


async def test_a_reply_longer_than_expected_teaches_what_the_next_will_take() -> None:
    model, bought = Priced(lambda request: Usage(20, 200), at_once=1), Bought()
    await all_of(Budgeted(model, budget(tokens=1000), None, bought), requests(40))
    assert bought.cost.calls == 4  # a fifth would take the 880 tokens beyond 1,000, which its own request does not say


async def test_no_more_requests_are_let_in_than_the_model_works_on() -> None:
    model = Priced(lambda request: Usage(10, 5), at_once=3)
    await all_of(Budgeted(model, budget(calls=50), None, Bought()), requests(40))
    assert model.most_now == 3


async def test_a_call_waits_for_the_room_that_those_under_way_may_leave() -> None:
    model = Priced(lambda request: Usage(10, 1))
    asked = requests(2, typical=" ".join(["word"] * 500))
    results = await all_of(Budgeted(model, budget(tokens=700), None, Bought()), asked)
    assert not stopped(results)


async def test_the_first_expected_reply_is_as_long_as_the_typical_one() -> None:
    words = "a dozen words or so"
    call = ToolCall("add_memory", {"text": words}, json.dumps({"text": words}))
    for typical, tokens in ((words, count_tokens(words)), ((call,), count_tokens(call.name) + count_tokens(call.raw))):
        assert typical_reply(replace(ask(), typical=typical)).usage.completion_tokens == tokens
    assert typical_reply(ask()).usage.completion_tokens == len(UNKNOWN_REPLY.split())


async def test_the_message_says_what_was_spent_and_what_to_do() -> None:
    model = Priced(lambda request: Usage(700, 300))
    results = await all_of(Budgeted(model, budget(usd=10, calls=2), PRICE, Bought()), requests(5))
    assert set(stopped(results)) == {
        "budget.calls=2 has no room for the next call, of about 1,000 tokens: this command has paid for 2 calls and "
        "2,000 tokens (0.0074 USD). Raise budget.calls, or run the same command again to spend as much again"
    }


async def test_once_spent_shorter_calls_are_stopped_too() -> None:
    model, bought = Priced(lambda request: typical_reply(request).usage), Bought()
    long, short = requests(1, " ".join(["word"] * 900))[0], requests(1)[0]
    budgeted = Budgeted(model, budget(tokens=500), None, bought)
    assert len(stopped(await all_of(budgeted, [long, short, short]))) == 3
    richer = Budgeted(model, budget(tokens=5000), None, bought)
    assert not stopped(await all_of(richer, [long, short]))


async def test_a_failed_call_is_counted_only_if_it_was_paid_for() -> None:
    bought = Bought()
    unpaid = Slow(failure=ChatFailed("retries_exhausted", "no", requests=3), seconds=0.001)
    results = await all_of(Budgeted(unpaid, budget(calls=2), None, bought), requests(10))
    assert all(isinstance(result, ChatFailed) for result in results)
    assert bought.cost.calls == 0
    cut = ChatFailed("truncated", "cut", reply=Reply("Pa", (), "length", Usage(10, 1024), seconds=1.0))
    results = await all_of(Budgeted(Slow(failure=cut), budget(calls=2), None, bought), requests(10))
    assert len(stopped(results)) == 8
    assert (bought.cost.calls, bought.cost.tokens) == (2, 2068)


async def test_a_cancelled_call_gives_its_place_back() -> None:
    model, bought = Priced(lambda request: Usage(10, 5), at_once=2), Bought()
    budgeted = Budgeted(model, budget(calls=3), None, bought)
    model.seconds = 60
    tasks = [asyncio.create_task(budgeted.chat(request)) for request in requests(6)]
    await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert bought.queue_here().under_way.calls == 0
    model.seconds = 0.001
    assert len(stopped(await all_of(budgeted, requests(5)))) == 2


async def test_those_who_wait_go_on_when_the_first_of_them_gives_up() -> None:
    model, bought = Priced(lambda request: Usage(10, 1)), Bought()
    model.seconds = 0.05
    budgeted = Budgeted(model, budget(tokens=700), None, bought)
    under_way, first, second = (
        asyncio.create_task(budgeted.chat(request)) for request in requests(3, " ".join(["word"] * 500))
    )
    await asyncio.sleep(0.01)
    first.cancel()
    async with asyncio.timeout(5):
        await asyncio.gather(under_way, second)
    assert model.asked == 2


@given(
    st.lists(st.tuples(st.integers(1, 60), st.integers(0, 60), st.sampled_from(["fine", "fails", "cut", "cancelled"]))),
    st.integers(1, 1500),
    st.sampled_from([None, 1, 3]),
)
async def test_any_mix_of_calls_ends_and_leaves_nothing_reserved(
    calls: list[tuple[int, int, str]], tokens: int, at_once: int | None
) -> None:
    class Mixed(ChatModel):
        model = "mixed"
        identity = {}  # noqa: RUF012 - as in the interface

        async def chat(self, request: ChatRequest) -> Reply:
            typical, actual, fate = calls[int(request.messages[0].content)]
            for _ in range(typical % 5):
                await asyncio.sleep(0)
            reply = Reply("", (), "stop", Usage(actual, actual), seconds=0.0)
            if fate in ("fails", "cut"):
                raise ChatFailed("refused", "no", reply=reply if fate == "cut" else None)
            return reply

    Mixed.at_once = at_once
    bought = Bought()
    model = Budgeted(Mixed(), budget(tokens=tokens), None, bought)
    tasks = [
        asyncio.create_task(model.chat(replace(ask(str(number)), typical=" ".join(["a"] * typical))))
        for number, (typical, _, _) in enumerate(calls)
    ]
    await asyncio.sleep(0)
    for task, (_, _, fate) in zip(tasks, calls, strict=True):
        if fate == "cancelled":
            task.cancel()
    async with asyncio.timeout(10):
        await asyncio.gather(*tasks, return_exceptions=True)
    assert (bought.queue_here().under_way.calls, bought.queue_here().under_way.tokens) == (0, 0)


def test_loops_one_after_another_share_what_was_bought() -> None:
    model, bought = Priced(lambda request: Usage(10, 5), at_once=2), Bought()
    budgeted = Budgeted(model, budget(calls=7), None, bought)
    assert not stopped(asyncio.run(all_of(budgeted, requests(5))))
    assert len(stopped(asyncio.run(all_of(budgeted, requests(5))))) == 3
    assert len(stopped(asyncio.run(all_of(budgeted, requests(5))))) == 5


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::RuntimeWarning")
def test_what_a_broken_off_loop_left_behind_holds_up_no_other() -> None:
    model, bought = Priced(lambda request: Usage(10, 5)), Bought()
    budgeted = Budgeted(model, budget(calls=3), None, bought)

    kept: list[asyncio.Future[Reply]] = []

    async def begin() -> None:
        model.seconds = 60
        kept.extend(asyncio.ensure_future(budgeted.chat(request)) for request in requests(5))
        await asyncio.sleep(0.01)

    loop = asyncio.new_event_loop()
    loop.run_until_complete(begin())
    loop.close()  # three calls under way and two waiting, none of which ever ends
    model.seconds = 0.001
    assert len(stopped(asyncio.run(all_of(budgeted, requests(5))))) == 2
    for task in kept:
        task._log_destroy_pending = False  # type: ignore[attr-defined]
    kept.clear()
    gc.collect()


def test_a_budget_in_dollars_needs_a_price() -> None:
    faults = Budgeted(Slow(), budget(usd=5), None).missing()
    assert faults[0] == "slow needs a key"
    assert "budget.usd=5 needs the price of slow" in faults[1]
    assert "budget.tokens" in faults[1]
    assert Budgeted(Slow(), budget(usd=5), PRICE).missing() == ["slow needs a key"]
    assert Budgeted(Slow(), budget(tokens=5), None).missing() == ["slow needs a key"]


@pytest.mark.parametrize("model", ["default", "gpt-9.1", "qwen2.5:7b", "Qwen/Qwen2.5-7B", "model(odd), one=two"])
def test_the_remedy_for_a_missing_price_is_a_setting_that_works(model: str) -> None:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        config = compose("config", [price_setting(model).strip("'")])
    assert settings(config, INTERFACES).prices.models[model] == Price(0.15, 0.60)
