import asyncio
import gc
import traceback
import warnings
from typing import Any

import pytest

from memlab.llm.chat import ChatFailed, ChatMisconfigured, ToolCall, Usage
from tests.llm.lying_server import (
    ADD,
    KEY,
    SCHEMA,
    Answer,
    Server,
    ask,
    calls,
    chat,
    completion,
    failing,
    good,
)


async def test_a_text_comes_back_with_the_servers_count_and_the_time(server: Server) -> None:
    server.script(good("Paris.", delay=0.05))
    reply = await chat(server.url).chat(ask())
    assert (reply.text, reply.tool_calls, reply.finish) == ("Paris.", (), "stop")
    assert reply.usage == Usage(12, 3)
    assert 0.05 <= reply.seconds < 5
    assert (reply.retry_seconds, reply.requests, reply.replayed) == (0.0, 1, False)


async def test_what_is_sent_is_the_request_and_the_sampling_settings_that_are_set(server: Server) -> None:
    await chat(server.url, extra_body={"cache_prompt": True}).chat(ask())
    assert server.requests == [
        {
            "model": "small",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Capital of France?"},
            ],
            "temperature": 0.0,
            "max_completion_tokens": 64,
            "seed": 7,
            "cache_prompt": True,
        }
    ]
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


async def test_tools_are_sent_with_the_choice_and_a_schema_by_its_title(server: Server) -> None:
    model = chat(server.url, tool_choice="required")
    await model.chat(ask(tools=(ADD,)))
    await model.chat(ask(schema=SCHEMA))
    with_tools, with_schema = server.requests
    function = {"name": "ADD", "description": "Keep a fact.", "parameters": ADD.parameters}
    assert with_tools["tools"] == [{"type": "function", "function": function}]
    assert with_tools["tool_choice"] == "required"
    assert "response_format" not in with_tools
    json_schema = {"name": "facts", "schema": SCHEMA, "strict": True}
    assert with_schema["response_format"] == {"type": "json_schema", "json_schema": json_schema}
    assert with_schema.keys().isdisjoint({"tools", "tool_choice"})


async def test_every_sample_has_a_seed_of_its_own(server: Server) -> None:
    model = chat(server.url)
    for sample in (0, 1, 2):
        await model.chat(ask(sample=sample))
    await chat(server.url, seed=None).chat(ask(sample=1))
    assert [request.get("seed") for request in server.requests] == [7, 8, 9, None]


async def test_half_a_surrogate_pair_can_be_sent_and_received(server: Server) -> None:
    server.script(good("odd \ud83d reply"))
    reply = await chat(server.url).chat(ask("odd \ud83d and \ud83d\ude42"))
    assert server.requests[0]["messages"][1]["content"] == "odd \ufffd and 🙂"
    assert reply.text == "odd \ufffd reply"


async def test_several_tool_calls_come_back_in_order(server: Server) -> None:
    server.script(
        calls({"name": "ADD", "arguments": '{"text": "a"}'}, {"name": "DELETE", "arguments": '{"id": 3}'}, content="ok")
    )
    reply = await chat(server.url).chat(ask(tools=(ADD,)))
    assert reply.finish == "tool_calls"
    assert reply.text == "ok"
    assert reply.tool_calls == (
        ToolCall("ADD", {"text": "a"}, '{"text": "a"}'),
        ToolCall("DELETE", {"id": 3}, '{"id": 3}'),
    )


@pytest.mark.parametrize(
    "raw", ['{"text": "a', "add a fact", "[1]", '"a"', "", "[" * 100_000, '{"x": NaN}', '{"x": 1e999}', "9" * 5000]
)
async def test_arguments_that_are_no_json_object_are_kept_as_written(server: Server, raw: str) -> None:
    server.script(calls({"name": "ADD", "arguments": raw}))
    assert (await chat(server.url).chat(ask(tools=(ADD,)))).tool_calls == (ToolCall("ADD", None, raw),)


async def test_a_call_that_is_odd_in_itself_is_a_reply_all_the_same(server: Server) -> None:
    server.script(calls({"name": "ADD", "arguments": ["a"]}, {"name": None, "arguments": 3}))
    found = (await chat(server.url).chat(ask())).tool_calls
    assert [(call.name, call.arguments, call.raw) for call in found] == [("ADD", None, '["a"]'), ("", None, "3")]


async def test_a_text_in_parts_is_put_together(server: Server) -> None:
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "Par"}, {"type": "text", "text": "is"}]
    server.script(Answer(completion({"content": parts})))
    assert (await chat(server.url).chat(ask())).text == "Paris"


async def test_arguments_as_an_object_or_left_out_are_understood(server: Server) -> None:
    server.script(calls({"name": "ADD", "arguments": {"text": "é"}}, {"name": "NOOP"}))
    reply = await chat(server.url).chat(ask(tools=(ADD,)))
    assert reply.tool_calls == (ToolCall("ADD", {"text": "é"}, '{"text": "é"}'), ToolCall("NOOP", None, ""))


async def test_text_instead_of_a_tool_call_is_a_reply_that_stopped(server: Server) -> None:
    server.script(Answer(completion({"content": "I would ADD it."}, "tool_calls")))
    reply = await chat(server.url).chat(ask(tools=(ADD,)))
    assert (reply.text, reply.tool_calls, reply.finish) == ("I would ADD it.", (), "stop")


@pytest.mark.parametrize("word", ["stop", "eos", None])
async def test_tool_calls_are_the_finish_whatever_the_server_calls_it(server: Server, word: str | None) -> None:
    message = {"content": None, "tool_calls": [{"function": {"name": "ADD", "arguments": "{}"}}]}
    server.script(Answer(completion(message, word)))
    assert (await chat(server.url).chat(ask(tools=(ADD,)))).finish == "tool_calls"


@pytest.mark.parametrize("usage", [None, {}, "many", {"prompt_tokens": 0, "completion_tokens": 0}, [1]])
async def test_usage_that_is_missing_is_counted_here_and_marked(server: Server, usage: Any) -> None:
    content = completion({"content": "Paris is the capital."})
    if usage is None:
        del content["usage"]
    else:
        content["usage"] = usage
    server.script(Answer(content))
    counted = (await chat(server.url).chat(ask())).usage
    # Two messages of 4 tokens each and theirs (3 + 4), 3 to open the reply.
    assert counted == Usage(18, 5, estimated=True)


async def test_no_more_requests_than_allowed_are_sent_at_once_and_all_that_are(server: Server) -> None:
    server.script(good(delay=0.05))
    model = chat(server.url, requests_at_once=3)
    replies = await asyncio.gather(*(model.chat(ask(str(number))) for number in range(12)))
    assert len(replies) == 12
    assert server.most_at_once == 3
    # The wait for a place is no part of a reply's time.
    assert max(reply.seconds for reply in replies[3:]) < 0.05 * 4


async def test_connections_are_used_again(server: Server) -> None:
    model = chat(server.url)
    for number in range(5):
        await model.chat(ask(str(number)))
    assert len(set(server.ports)) == 1


def test_one_model_serves_one_event_loop_after_another_and_leaves_nothing_open(server: Server) -> None:
    model = chat(server.url, requests_at_once=1)

    async def two() -> list[str]:
        return [reply.text for reply in await asyncio.gather(model.chat(ask()), model.chat(ask("again")))]

    gc.collect()  # what earlier tests left is not this one's
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            assert asyncio.run(two()) == ["Paris.", "Paris."]
        gc.collect()


def test_missing_names_the_unset_key_and_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    url = "http://127.0.0.1:1/v1"
    [fault] = chat(url).missing()
    assert fault.startswith(f"the chat model small needs OPENAI_API_KEY for {url}; set it, or llm.api_key_env=null")
    assert chat(url, api_key_env=None).missing() == []
    monkeypatch.setenv("OTHER_KEY", "x")
    assert chat(url, api_key_env="OTHER_KEY").missing() == []


async def test_an_unset_key_is_reported_at_use_too(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ChatMisconfigured, match="needs OPENAI_API_KEY"):
        await chat(server.url).chat(ask())
    assert server.requests == []


async def test_a_server_without_keys_never_gets_the_one_for_openai(server: Server) -> None:
    await chat(server.url, api_key_env=None).chat(ask())
    assert KEY not in str(server.headers)


@pytest.mark.usefixtures("no_pause")
@pytest.mark.parametrize("status", [200, 400, 401, 429, 500])
async def test_the_key_is_in_no_message_even_when_the_server_repeats_it(server: Server, status: int) -> None:
    server.script(failing(status, f"your key {KEY} is odd"))
    model = chat(server.url, max_retries=1)
    with pytest.raises((ChatFailed, ChatMisconfigured), match=r"your key \*\*\*") as caught:
        await model.chat(ask())
    shown = "".join(traceback.format_exception(caught.value))
    assert KEY not in shown + repr(model) + repr(vars(model))


def test_the_identity_holds_what_changes_a_reply_and_nothing_else() -> None:
    url = "http://127.0.0.1:1/v1"
    plain = chat(url)
    same = chat(url, max_retries=1, timeout_seconds=1.0, requests_at_once=1, api_key_env=None)
    assert plain.identity == same.identity
    changes: list[dict[str, Any]] = [
        {"model": "big"},
        {"temperature": 1.0},
        {"top_p": 0.5},
        {"max_completion_tokens": 65},
        {"seed": 8},
        {"tool_choice": "required"},
        {"extra_body": {"min_p": 0.1}},
    ]
    others = [chat(url, **change).identity for change in changes] + [chat("http://127.0.0.1:2/v1").identity]
    assert all(other != plain.identity for other in others)


@pytest.mark.parametrize(("setting", "value"), [("requests_at_once", 0), ("max_retries", -1), ("timeout_seconds", 0.0)])
def test_a_setting_out_of_range_is_refused_with_its_value(setting: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{setting} is {value}"):
        chat("http://127.0.0.1:1/v1", **{setting: value})


def test_a_base_url_with_a_password_is_refused_without_repeating_it() -> None:
    with pytest.raises(ValueError, match="api_key_env") as caught:
        chat(f"http://user:{KEY}@127.0.0.1:1/v1")
    assert KEY not in str(caught.value)


def test_a_base_url_without_a_scheme_is_refused() -> None:
    with pytest.raises(ValueError, match=r"base_url is 'localhost:8080/v1'; it must start with http://"):
        chat("localhost:8080/v1")
