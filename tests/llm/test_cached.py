import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlab.llm import cached
from memlab.llm.cached import FILE_NAME, CachedChat, Mode
from memlab.llm.chat import ChatFailed, ChatRequest, Message, Reply, ToolCall, Usage
from memlab.llm.reply_file import ChatCacheError
from memlab.llm.reply_json import reply_from_json, reply_json, request_key
from memlab.llm.scripted import Scripted
from tests.llm.lying_server import ADD, KEY, SCHEMA, Answer, Server, ask, calls, chat, completion, failing, good, quick
from tests.llm.slow_model import REPLY, Slow


def rows(folder: Path, table: str = "replies") -> list[Any]:
    connection = sqlite3.connect(folder / FILE_NAME)
    found = connection.execute(f"SELECT * FROM {table}").fetchall()
    connection.close()
    return found


texts = st.text(st.characters(exclude_categories=[]), max_size=40)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
seconds = st.floats(0, 1e6)
tool_calls = st.builds(ToolCall, texts, st.none() | st.dictionaries(texts, values, max_size=3), texts)
usages = st.builds(Usage, st.integers(0, 10**9), st.integers(0, 10**9), st.booleans())
replies = st.builds(
    Reply,
    text=texts,
    tool_calls=st.lists(tool_calls, max_size=3).map(tuple),
    finish=st.sampled_from(["stop", "tool_calls"]),
    usage=usages,
    seconds=seconds,
    retry_seconds=seconds,
    requests=st.integers(1, 9),
)


@given(replies)
def test_a_reply_is_the_same_after_json(reply: Reply) -> None:
    assert reply_from_json(reply_json(reply)) == reply


@given(replies, texts)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_a_stored_reply_comes_back_whole_and_marked(tmp_path: Path, reply: Reply, question: str) -> None:
    request = ask(question)
    first = await CachedChat(Slow(reply, seconds=0), tmp_path, "refresh").chat(request)
    later = Slow()
    again = await CachedChat(later, tmp_path, "use").chat(request)
    assert first == reply
    assert again == replace(reply, replayed=True)
    assert later.asked == 0


async def test_a_second_run_sends_nothing_and_keeps_usage_and_original_times(server: Server, tmp_path: Path) -> None:
    server.script(quick(500), calls({"name": "ADD", "arguments": '{"text": "é"}'}))
    request = ask(tools=(ADD,))
    first = await CachedChat(chat(server.url), tmp_path, "use").chat(request)
    second = await CachedChat(chat(server.url), tmp_path, "use").chat(request)
    assert len(server.requests) == first.requests == 2
    assert second == replace(first, replayed=True)
    assert not first.replayed


@pytest.mark.parametrize(
    "other",
    [
        ask("Capital of Spain?"),
        ask(sample=1),
        ask(tools=(ADD,)),
        ask(tools=(replace(ADD, description="Keep it."),)),
        ask(schema=SCHEMA),
        ChatRequest((Message("user", "Be brief."), Message("user", "Capital of France?"))),
        ChatRequest((Message("system", "Be brief.Capital of France?"),)),
    ],
)
async def test_another_request_has_another_reply(server: Server, tmp_path: Path, other: ChatRequest) -> None:
    model = CachedChat(chat(server.url), tmp_path, "use")
    for request in (ask(), other, other):
        await model.chat(request)
    assert len(server.requests) == 2


async def test_another_sampling_setting_has_another_reply(server: Server, tmp_path: Path) -> None:
    for temperature in (0.0, 1.0, 1.0):
        await CachedChat(chat(server.url, temperature=temperature), tmp_path, "use").chat(ask())
    assert len(server.requests) == 2


def test_the_order_of_a_schemas_properties_is_part_of_the_key() -> None:
    one, two = ({"properties": {name: {} for name in names}} for names in ("ab", "ba"))
    assert request_key({}, ask(schema=one)) != request_key({}, ask(schema=two))


def test_the_key_of_a_request_stays_what_it_was() -> None:
    key = request_key({"model": "small", "seed": None}, ask("é \ud800", tools=(ADD,), schema=SCHEMA, sample=2))
    assert key == "7278898be610cdc7fb8bf731be8d5735971988ec5eaa9d4612bb150b0c2500a2"


async def test_equal_requests_at_once_are_asked_once_and_paid_by_one(tmp_path: Path) -> None:
    inner = Slow()
    model = CachedChat(inner, tmp_path, "use")
    found = await asyncio.gather(*(model.chat(ask()) for _ in range(5)))
    assert inner.asked == 1
    assert sorted(reply.replayed for reply in found) == [False, True, True, True, True]
    assert {reply.text for reply in found} == {"Paris."}


async def test_two_models_on_one_file_ask_once(tmp_path: Path) -> None:
    inner = Slow()
    found = await asyncio.gather(*(CachedChat(inner, tmp_path, "use").chat(ask()) for _ in range(4)))
    assert inner.asked == 1
    assert sorted(reply.replayed for reply in found) == [False, True, True, True]


async def test_a_caller_that_gives_up_loses_nothing_that_is_paid_for(tmp_path: Path) -> None:
    inner = Slow()
    model = CachedChat(inner, tmp_path, "use")
    leaving, staying = (asyncio.create_task(model.chat(ask())) for _ in range(2))
    await asyncio.sleep(0.005)
    leaving.cancel()
    assert (await staying).replayed is False
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert inner.asked == len(rows(tmp_path)) == 1


async def test_a_failure_is_told_to_all_who_wait_and_counted_once(tmp_path: Path) -> None:
    cut = replace(REPLY, finish="length")
    model = CachedChat(Slow(failure=ChatFailed("truncated", "cut off", reply=cut)), tmp_path, "use")
    found = await asyncio.gather(*(model.chat(ask()) for _ in range(3)), return_exceptions=True)
    failures = [failure for failure in found if isinstance(failure, ChatFailed)]
    assert [(failure.reason, str(failure)) for failure in failures] == [("truncated", "cut off")] * 3
    assert sorted(failure.reply.replayed for failure in failures if failure.reply) == [False, True, True]


async def test_a_request_in_vain_is_counted_once_however_many_wait(tmp_path: Path) -> None:
    down = ChatFailed("retries_exhausted", "down", requests=4, retry_seconds=9.0)
    model = CachedChat(Slow(failure=down), tmp_path, "use")
    found = await asyncio.gather(*(model.chat(ask()) for _ in range(3)), return_exceptions=True)
    failures = [failure for failure in found if isinstance(failure, ChatFailed)]
    assert sorted((failure.requests, failure.retry_seconds) for failure in failures) == [(0, 0.0), (0, 0.0), (4, 9.0)]


@pytest.mark.parametrize(
    "answer",
    [
        Answer(completion({"content": "half"}, "length")),
        Answer(completion({"content": ""}, "content_filter")),
        Answer(completion({"content": None, "refusal": "No."})),
        failing(400),
        quick(500),
    ],
)
async def test_failures_are_never_stored_and_asked_again(server: Server, tmp_path: Path, answer: Answer) -> None:
    server.script(answer)
    for _ in range(2):
        with pytest.raises(ChatFailed):
            await CachedChat(chat(server.url, max_retries=0), tmp_path, "use").chat(ask())
    assert rows(tmp_path) == rows(tmp_path, "leases") == []
    server.script(good())
    assert (await CachedChat(chat(server.url), tmp_path, "use").chat(ask())).text == "Paris."
    assert len(server.requests) == 3


async def test_an_error_that_is_no_chat_failure_reaches_the_caller_and_ends_the_lease(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        await CachedChat(Slow(failure=ZeroDivisionError()), tmp_path, "use").chat(ask())
    assert rows(tmp_path, "leases") == []


async def test_refresh_asks_once_more_and_replaces(tmp_path: Path) -> None:
    await CachedChat(Scripted(["old"]), tmp_path, "use").chat(ask())
    inner = Scripted(["new"])
    model = CachedChat(inner, tmp_path, "refresh")
    await asyncio.sleep(0.002)
    found = [await model.chat(ask()) for _ in range(2)]
    assert [(reply.text, reply.replayed) for reply in found] == [("new", False), ("new", True)]
    assert (await CachedChat(Scripted([]), tmp_path, "use").chat(ask())).text == "new"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda reply: reply[:-5],
        lambda reply: "null",
        lambda reply: reply.replace('"stop"', '"odd"'),
        lambda reply: "{}",
    ],
)
async def test_a_damaged_reply_is_asked_for_again_with_a_warning(tmp_path: Path, spoil: Callable[[str], str]) -> None:
    await CachedChat(Slow(), tmp_path, "use").chat(ask())
    [(key, reply, _)] = rows(tmp_path)
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("UPDATE replies SET reply = ? WHERE key = ?", (spoil(reply), key))
    connection.close()
    with pytest.raises(ChatFailed, match="holds a damaged reply"):
        await CachedChat(Slow(), tmp_path, "only").chat(ask())
    inner = Slow()
    with pytest.warns(UserWarning, match=f"a reply in .*{FILE_NAME} is damaged"):
        assert await CachedChat(inner, tmp_path, "use").chat(ask()) == REPLY
    assert (inner.asked, rows(tmp_path)[0][1]) == (1, reply)


async def test_a_file_that_does_not_work_stops_before_anything_is_paid(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"no database" * 1000)
    inner = Slow()
    modes: list[Mode] = ["use", "refresh", "only"]
    for mode in modes:
        with pytest.raises(ChatCacheError, match=rf"{FILE_NAME} does not work .*MEMLAB_CACHE"):
            await CachedChat(inner, tmp_path, mode).chat(ask())
    assert inner.asked == 0


async def test_a_lease_is_renewed_while_its_holder_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached, "LEASE_SECONDS", 1.0)
    inner = Slow(seconds=2.0)
    found = await asyncio.gather(*(CachedChat(inner, tmp_path, "use").chat(ask()) for _ in range(2)))
    assert inner.asked == 1
    assert sorted(reply.replayed for reply in found) == [False, True]


async def test_a_lease_that_is_not_renewed_is_taken_over(tmp_path: Path) -> None:
    await CachedChat(Slow(), tmp_path, "use").chat(ask("other"))
    inner = Slow()
    key = request_key(inner.identity, ask())
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        sooner = "(julianday('now') - 2440587.5) * 86400.0 + 0.5"
        connection.execute(f"INSERT INTO leases VALUES (?, 'a killed process', {sooner})", (key,))
    connection.close()
    waiting = asyncio.create_task(CachedChat(inner, tmp_path, "use").chat(ask()))
    await asyncio.sleep(0.25)
    assert inner.asked == 0
    assert not (await waiting).replayed
    assert (inner.asked, rows(tmp_path, "leases")) == (1, [])


def test_missing_reports_the_inner_fault_and_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    first, second = CachedChat(Slow(), tmp_path / "file" / "cache", "use").missing()
    assert first == "slow needs a key"
    assert f"the chat cache cannot write {tmp_path / 'file' / 'cache' / FILE_NAME}; set MEMLAB_CACHE" in second
    assert CachedChat(Slow(), tmp_path / "file" / "cache", "off").missing() == ["slow needs a key"]
    [fault] = CachedChat(Slow(), tmp_path / "new", "only").missing()
    assert fault.startswith(f"no chat cache at {tmp_path / 'new' / FILE_NAME}; set MEMLAB_CACHE")
    assert not (tmp_path / "new").exists()


async def test_no_key_is_in_any_file(server: Server, tmp_path: Path) -> None:
    model = CachedChat(chat(server.url), tmp_path, "use")
    await model.chat(ask())
    server.script(failing(400, KEY))
    with pytest.raises(ChatFailed):
        await model.chat(ask("other"))
    assert [path.name for path in tmp_path.iterdir() if KEY.encode() in path.read_bytes()] == []
    assert KEY not in repr(model) + repr(vars(model))


def test_one_model_serves_one_event_loop_after_another(server: Server, tmp_path: Path) -> None:
    model = CachedChat(chat(server.url), tmp_path, "use")
    for number in range(3):
        assert asyncio.run(model.chat(ask(str(number)))).text == "Paris."
