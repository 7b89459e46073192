import socket
from typing import Any

import pytest

from memlab.llm import retry
from memlab.llm.chat import ChatFailed, ChatMisconfigured, Usage
from memlab.llm.retry import asked_pause
from tests.llm.lying_server import (
    Answer,
    Server,
    ask,
    chat,
    completion,
    failing,
    good,
    quick,
)


@pytest.mark.parametrize(
    ("message", "finish", "reason"),
    [
        ({"content": ""}, "content_filter", "refused"),
        ({"content": None, "refusal": "I cannot do that."}, "stop", "refused"),
        ({"content": '{"facts": ["a'}, "length", "truncated"),
        ({"content": None, "tool_calls": [{"function": {"name": "ADD", "arguments": '{"t'}}]}, "length", "truncated"),
    ],
)
async def test_a_refused_or_truncated_reply_is_raised_with_what_it_cost(
    server: Server, message: dict[str, Any], finish: str, reason: str
) -> None:
    server.script(quick(500), Answer(completion(message, finish)))
    with pytest.raises(ChatFailed, match="small") as caught:
        await chat(server.url).chat(ask())
    failure = caught.value
    assert failure.reason == reason
    assert failure.reply
    assert failure.reply.usage == Usage(12, 3)
    assert failure.reply.text == (message["content"] or message.get("refusal") or "")
    assert failure.requests == failure.reply.requests == len(server.requests) == 2
    assert failure.retry_seconds > 0


async def test_a_prompt_that_the_filter_stops_is_refused_without_a_retry(server: Server) -> None:
    server.script(quick(429), failing(400, "filtered", "content_filter"))
    with pytest.raises(ChatFailed, match="filtered") as caught:
        await chat(server.url).chat(ask())
    assert (caught.value.reason, caught.value.requests) == ("refused", 2)
    assert caught.value.retry_seconds > 0


@pytest.mark.parametrize("status", [400, 413, 422])
async def test_a_request_that_the_server_finds_fault_with_is_not_sent_again(server: Server, status: int) -> None:
    server.script(failing(status, "the prompt exceeds the context"))
    with pytest.raises(ChatFailed, match=rf"{server.url} answered {status} .*exceeds the context") as caught:
        await chat(server.url).chat(ask())
    assert (caught.value.reason, caught.value.requests, len(server.requests)) == ("rejected", 1, 1)


@pytest.mark.parametrize("answer", [failing(401), failing(403), failing(404), failing(429, code="insufficient_quota")])
async def test_what_no_request_can_pass_is_told_with_the_settings_to_check(server: Server, answer: Answer) -> None:
    server.script(answer)
    with pytest.raises(ChatMisconfigured, match="OPENAI_API_KEY"):
        await chat(server.url).chat(ask())
    assert len(server.requests) == 1


async def test_a_rate_limit_is_waited_for_as_asked_and_kept_apart_from_the_reply(server: Server) -> None:
    server.script(failing(429, retry_after="1"), failing(429, Retry_After_Ms="200"), good(delay=0.05))
    reply = await chat(server.url).chat(ask())
    assert (reply.requests, len(server.requests)) == (3, 3)
    assert 1.2 <= reply.retry_seconds < 4
    assert 0.05 <= reply.seconds < 1


def test_a_date_to_wait_for_is_read_by_the_servers_clock() -> None:
    now, later = "Mon, 02 Jan 2023 10:00:00 GMT", "Mon, 02 Jan 2023 10:30:00 GMT"
    assert asked_pause({"retry-after": later, "date": now}) == 1800
    assert asked_pause({"retry-after": now, "date": later}) == 0


@pytest.mark.parametrize("value", [None, "soon", "Mon, 02 Jan 2023 10:30:00 GMT", "-1", "inf", "nan"])
def test_a_pause_that_cannot_be_read_is_none(value: str | None) -> None:
    assert asked_pause({"retry-after": value} if value else {}) is None


async def test_a_pause_that_is_too_long_fails_at_once_and_says_so(server: Server) -> None:
    server.script(failing(429, retry_after="3600"))
    with pytest.raises(ChatFailed, match=r"gave up after 1 requests, and the server asks to wait 3600 s") as caught:
        await chat(server.url).chat(ask())
    assert caught.value.reason == "retries_exhausted"


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529])
async def test_a_server_that_stays_down_fails_the_request_after_the_allowed_retries(
    server: Server, status: int
) -> None:
    server.script(quick(status))
    with pytest.raises(ChatFailed, match=rf"answered {status} .*busy; gave up after 3 requests") as caught:
        await chat(server.url, max_retries=2).chat(ask())
    assert (caught.value.reason, caught.value.requests, len(server.requests)) == ("retries_exhausted", 3, 3)


@pytest.mark.usefixtures("no_pause")
@pytest.mark.parametrize(
    "broken",
    [
        good(cut=0),
        good(cut=40),
        Answer(b"<html>gateway</html>", headers={"Content-Type": "text/html"}),
        Answer(b'{"choices": [{"mess'),
        Answer(b""),
        Answer(b"null"),
        Answer(b"\xff\xfe\x00"),
        Answer({"error": {"message": "upstream is down"}}),
        Answer({"choices": []}),
        Answer({"choices": [{"message": None}]}),
        Answer(completion({"content": "half"}, "error")),
        Answer(completion({"content": ["a", "list"]})),
        Answer(b"[" * 100_000),
    ],
    ids=lambda answer: repr(answer.data[:30]) + str(answer.cut or ""),
)
async def test_a_body_that_is_no_reply_is_asked_for_again_and_counted(server: Server, broken: Answer) -> None:
    server.script(broken, good())
    reply = await chat(server.url).chat(ask())
    assert (reply.text, reply.requests, len(server.requests)) == ("Paris.", 2, 2)
    server.script(broken)
    with pytest.raises(ChatFailed, match=server.url) as caught:
        await chat(server.url, max_retries=1).chat(ask())
    assert (caught.value.reason, caught.value.requests) == ("retries_exhausted", 2)


@pytest.mark.usefixtures("no_pause")
async def test_a_slow_reply_is_given_up_after_the_time_out_and_asked_for_again(server: Server) -> None:
    server.script(good(delay=2), good())
    reply = await chat(server.url, timeout_seconds=0.3).chat(ask())
    assert reply.requests == 2
    assert 0.3 <= reply.retry_seconds < 2
    assert reply.seconds < 0.3
    server.script(good(delay=2))
    with pytest.raises(ChatFailed, match=r"did not answer in 0.3 s; gave up after 1 requests"):
        await chat(server.url, timeout_seconds=0.3, max_retries=0).chat(ask())


@pytest.mark.usefixtures("no_pause")
async def test_a_server_that_is_not_there_is_named() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(ChatFailed, match=f"no connection to {url} .*gave up after 2 requests"):
        await chat(url, api_key_env=None, max_retries=1).chat(ask())


def test_a_long_wait_is_told_and_not_each_of_many(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "_told_at", float("-inf"))
    retry.told("no connection to here; trying again in 8 s (2 of 3)", 8.0)
    retry.told("no connection to here; trying again in 8 s (2 of 3)", 8.0)
    retry.told("too short to be told", 0.5)
    assert [record.getMessage() for record in caplog.records] == ["no connection to here; trying again in 8 s (2 of 3)"]
