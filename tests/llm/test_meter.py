"""What a unit of work is charged for, whoever made the call."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from memlab.llm.chat import ChatFailed, ChatMisconfigured, ChatRequest, Message, Usage
from memlab.llm.meter import MeteredChat, metered, note_flaw, side_by_side
from tests.llm.slow_model import REPLY, Slow

ASK = ChatRequest((Message("user", "Capital of France?"),))


async def test_a_call_counts_its_tokens_times_and_attempts() -> None:
    with metered() as meter:
        await MeteredChat(Slow()).chat(ASK)
    assert meter.spent.record() == {
        "calls": 1,
        "prompt_tokens": 12,
        "completion_tokens": 3,
        "seconds": 1.25,
        "retry_seconds": 0.5,
        "requests": 2,
        "replayed": 0,
        "failed": 0,
        "estimated": 0,
    }
    assert meter.spent.tokens == 15


async def test_replayed_and_estimated_replies_are_counted_as_such() -> None:
    reply = replace(REPLY, replayed=True, usage=Usage(12, 3, estimated=True))
    with metered() as meter:
        await MeteredChat(Slow(reply)).chat(ASK)
    assert (meter.spent.calls, meter.spent.replayed, meter.spent.estimated) == (1, 1, 1)


async def test_a_failed_call_counts_its_attempts_and_no_tokens() -> None:
    failure = ChatFailed("retries_exhausted", "down", requests=4, retry_seconds=2.5)
    with metered() as meter, pytest.raises(ChatFailed):
        await MeteredChat(Slow(failure=failure)).chat(ASK)
    spent = meter.spent
    assert (spent.calls, spent.failed, spent.requests, spent.retry_seconds, spent.tokens) == (1, 1, 4, 2.5, 0)


async def test_a_refused_reply_was_paid_for_and_counts_its_tokens_once() -> None:
    with metered() as meter, pytest.raises(ChatFailed):
        await MeteredChat(Slow(failure=ChatFailed("refused", "no", reply=REPLY))).chat(ASK)
    assert (meter.spent.failed, meter.spent.tokens, meter.spent.requests) == (1, 15, 2)


async def test_an_error_that_is_no_reply_counts_nothing() -> None:
    with metered() as meter, pytest.raises(ChatMisconfigured):
        await MeteredChat(Slow(failure=ChatMisconfigured("no key"))).chat(ASK)
    assert meter.spent.calls == 0


async def test_an_inner_meter_takes_its_calls_and_flaws_to_itself() -> None:
    with metered() as outer:
        note_flaw("repaired: outer")
        with metered() as inner:
            await MeteredChat(Slow()).chat(ASK)
            note_flaw("repaired: inner")
        note_flaw("repaired: outer again")
    assert (outer.spent.calls, outer.flaws) == (0, ["repaired: outer", "repaired: outer again"])
    assert (inner.spent.calls, inner.flaws) == (1, ["repaired: inner"])


async def test_tasks_count_on_the_meter_they_were_started_under() -> None:
    model = MeteredChat(Slow())

    async def work() -> None:
        await model.chat(ASK)
        note_flaw("unreadable: it")

    with metered() as meter:
        await asyncio.gather(work(), work(), work())
    assert (meter.spent.calls, len(meter.flaws)) == (3, 3)


async def test_works_at_the_same_time_are_told_apart() -> None:
    model = MeteredChat(Slow())

    async def work(calls: int) -> int:
        with metered() as meter:
            for _ in range(calls):
                await model.chat(ASK)
        return meter.spent.calls

    assert await asyncio.gather(*(work(calls) for calls in range(6))) == list(range(6))


async def test_works_side_by_side_have_their_calls_together_and_their_flaws_in_order() -> None:
    async def work(seconds: float, flaw: str) -> str:
        await MeteredChat(Slow(seconds=seconds)).chat(ASK)
        note_flaw(flaw)
        return flaw

    with metered() as meter:
        assert (
            await side_by_side(partial(work, 0.04, "repaired: first"), partial(work, 0.0, "repaired: second"))
            == meter.flaws
        )
    assert meter.flaws == ["repaired: first", "repaired: second"]
    assert (meter.spent.calls, meter.spent.tokens, meter.spent.requests) == (2, 30, 4)


@pytest.mark.parametrize("waits", [0.0, 0.2])
async def test_works_side_by_side_take_the_seconds_of_the_slowest_however_long_they_wait(waits: float) -> None:
    async def work(calls: int) -> None:
        for _ in range(calls):
            await MeteredChat(Slow(seconds=waits)).chat(ASK)  # as recorded, it takes 1.25 s

    with metered() as meter:
        await side_by_side(partial(work, 1), partial(work, 2))
        seconds = meter.seconds()
    assert 2.5 <= seconds < 3.7
    assert meter.spent.seconds == 3.75


async def test_a_failure_side_by_side_counts_what_both_took() -> None:
    failure = ChatFailed("refused", "no", reply=REPLY)
    with metered() as meter:
        found = await side_by_side(
            partial(MeteredChat(Slow(failure=failure, seconds=0.0)).chat, ASK), partial(MeteredChat(Slow()).chat, ASK)
        )
    assert found == [failure, REPLY]
    assert (meter.spent.calls, meter.spent.failed, meter.spent.tokens) == (2, 1, 30)


async def test_calls_and_flaws_outside_any_meter_are_nobodys() -> None:
    note_flaw("repaired: nobody's")
    assert await MeteredChat(Slow()).chat(ASK) == REPLY
    with metered() as meter:
        pass
    assert (meter.spent.calls, meter.flaws) == (0, [])


async def test_seconds_are_our_own_and_the_replies_originals_without_waiting_and_retries() -> None:
    with metered() as meter:
        await MeteredChat(Slow(seconds=0.2)).chat(ASK)  # takes 0.2 s here, and 1.25 s as recorded
        await asyncio.sleep(0.05)
        seconds = meter.seconds()
    assert 1.3 <= seconds < 1.44


async def test_waiting_for_a_call_that_fails_is_no_work() -> None:
    with metered() as meter:
        with pytest.raises(ChatFailed):
            await MeteredChat(Slow(failure=ChatFailed("refused", "no"), seconds=0.2)).chat(ASK)
        seconds = meter.seconds()
    assert 0 <= seconds < 0.15


def test_the_model_looks_like_the_one_it_counts() -> None:
    inner = Slow()
    outer = MeteredChat(inner)
    assert (outer.model, outer.identity, outer.missing()) == (inner.model, inner.identity, inner.missing())
