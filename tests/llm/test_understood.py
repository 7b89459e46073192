"""A reply that has to be of a form: read, repaired once, given up; every outcome told apart."""

from pathlib import Path

import pytest

from memlab.llm.cached import CachedChat
from memlab.llm.chat import ChatFailed, ChatMisconfigured, ChatRequest, Message, Reply, ToolCall, Usage
from memlab.llm.json_text import found_json
from memlab.llm.meter import MeteredChat, metered
from memlab.llm.reply_json import request_key
from memlab.llm.scripted import Line, Scripted
from memlab.llm.understood import CUT_OFF, Misunderstood, Understood, understood
from tests.llm.slow_model import Slow

ASK = ChatRequest((Message("system", "Say a number."), Message("user", "Which?")), sample=3, typical="7")
TOO_LONG = Reply("7 and so on and", (), "length", Usage(5, 9), seconds=0.0)
FILTERED = Reply("", (), "content_filter", Usage(5, 0), seconds=0.0)


def number(reply: Reply) -> int:
    try:
        return int(reply.text)
    except ValueError:
        raise Misunderstood(f"it must be a number, but is {reply.text!r}.") from None


async def answered(*lines: Line) -> tuple[Understood[int], list[ChatRequest]]:
    model = Scripted(lines)
    return await understood(model, ASK, number), model.requests


async def test_a_reply_as_asked_for_has_no_flaw_and_costs_one_call() -> None:
    assert await answered("7") == (Understood(7), [ASK])


async def test_a_falsy_value_is_a_value() -> None:
    found, requests = await answered("0")
    assert (found.value, found.flaws, len(requests)) == (0, (), 1)


async def test_a_second_reply_is_asked_for_with_the_first_and_the_reason() -> None:
    found, requests = await answered("seven", "7")
    assert found == Understood(7, ("repaired: it must be a number, but is 'seven'.",))
    assert requests[1].messages[:2] == ASK.messages
    said, told = requests[1].messages[2:]
    assert said == Message("assistant", "seven")
    assert told.role == "user"
    assert "it must be a number, but is 'seven'." in told.content
    assert (requests[1].sample, requests[1].typical) == (ASK.sample, ASK.typical)


async def test_after_two_bad_replies_there_is_no_value_and_no_third_call() -> None:
    found, requests = await answered("seven", "eight", "9")
    assert found == Understood(None, ("unreadable: it must be a number, but is 'eight'.",))
    assert len(requests) == 2


async def test_a_reply_that_was_cut_off_is_asked_for_again_without_being_shown() -> None:
    found, requests = await answered(TOO_LONG, "7")
    assert found == Understood(7, (f"repaired: {CUT_OFF}",))
    [told] = requests[1].messages[2:]
    assert CUT_OFF in told.content


async def test_two_replies_that_were_cut_off_are_unreadable_not_failed() -> None:
    assert (await answered(TOO_LONG, TOO_LONG))[0] == Understood(None, (f"unreadable: {CUT_OFF}",))


@pytest.mark.parametrize("first", ["7th", TOO_LONG])
async def test_a_refusal_is_raised_also_of_the_second_reply(first: Line) -> None:
    with pytest.raises(ChatFailed) as caught:
        await answered(first, FILTERED)
    assert caught.value.reason == "refused"


@pytest.mark.parametrize("failure", [ChatFailed("retries_exhausted", "down"), ChatMisconfigured("no key")])
async def test_failures_of_the_model_are_raised_at_once(failure: Exception) -> None:
    model = Slow(failure=failure)
    with pytest.raises(type(failure)):
        await understood(model, ASK, number)
    assert model.asked == 1


async def test_tool_calls_are_shown_as_they_were_written() -> None:
    calls = (ToolCall("ADD", None, '{"text": '), ToolCall("NOOP", {}, "{}"))
    _, requests = await answered(calls, "7")
    assert requests[1].messages[2] == Message("assistant", 'ADD({"text": )\nNOOP({})')


async def test_an_empty_reply_is_shown_as_nothing() -> None:
    _, requests = await answered("", "7")
    assert requests[1].messages[2] == Message("assistant", "(nothing)")


async def test_both_calls_are_counted() -> None:
    with metered() as meter:
        await understood(MeteredChat(Scripted(["seven", "eight"])), ASK, number)
    assert meter.spent.calls == 2


async def test_a_defect_of_the_reader_is_no_flaw_of_the_reply() -> None:
    def broken(reply: Reply) -> int:
        raise KeyError("facts")

    with pytest.raises(KeyError):
        await understood(Scripted(["7"]), ASK, broken)


async def test_a_replay_finds_the_repair_of_a_reply_that_was_cut_off(tmp_path: Path) -> None:
    cut_off = Reply("{", (), "length", Usage(5, 1), seconds=0.0)
    request = ChatRequest((Message("user", "Say it in JSON."),))
    paid = CachedChat(Scripted([cut_off, '{"said": 1}']), tmp_path, "use")
    first = await understood(paid, request, as_json)
    replay = CachedChat(Scripted([]), tmp_path, "only")
    assert await understood(replay, request, as_json) == first
    assert first.flaws == (f"repaired: {CUT_OFF}",)


async def test_a_replay_of_what_was_never_asked_tells_of_the_request_itself(tmp_path: Path) -> None:
    paid = CachedChat(Scripted(["[]"]), tmp_path, "use")
    await paid.chat(ChatRequest((Message("user", "Another."),)))
    wanted = ChatRequest((Message("user", "Say it in JSON."),))
    replay = CachedChat(Scripted([]), tmp_path, "only")
    with pytest.raises(ChatFailed) as caught:
        await understood(replay, wanted, as_json)
    assert request_key(replay.identity, wanted) in str(caught.value)


def as_json(reply: Reply) -> object:
    return found_json(reply.text)
