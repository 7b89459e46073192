import pytest

from memlab.llm.chat import ChatFailed, Reply, ToolCall, Usage
from memlab.llm.request_tokens import prompt_tokens
from memlab.llm.scripted import Scripted
from tests.llm.lying_server import ADD, SCHEMA, ask


async def test_replies_come_in_order_and_requests_are_kept() -> None:
    call = ToolCall("ADD", {"text": "a"}, '{"text": "a"}')
    model = Scripted(["one", (call,)])
    first, second = await model.chat(ask("1")), await model.chat(ask("2"))
    assert (first.text, first.finish, first.tool_calls) == ("one", "stop", ())
    assert (second.text, second.finish, second.tool_calls) == ("", "tool_calls", (call,))
    assert model.requests == [ask("1"), ask("2")]


async def test_a_function_answers_the_request() -> None:
    model = Scripted(lambda request: request.messages[-1].content.upper())
    assert (await model.chat(ask("loud"))).text == "LOUD"


async def test_usage_is_counted_and_the_same_each_time() -> None:
    usages = {(await Scripted(["Paris."]).chat(ask())).usage for _ in range(2)}
    assert usages == {Usage(18, 2, estimated=True)}


@pytest.mark.parametrize(("finish", "reason"), [("length", "truncated"), ("content_filter", "refused")])
async def test_a_reply_that_is_not_whole_is_raised_as_by_any_model(finish: str, reason: str) -> None:
    reply = Reply("half", (), finish, Usage(1, 1), seconds=0.0)  # type: ignore[arg-type]
    with pytest.raises(ChatFailed) as caught:
        await Scripted([reply]).chat(ask())
    assert (caught.value.reason, caught.value.reply) == (reason, reply)


async def test_a_script_that_is_too_short_says_so() -> None:
    model = Scripted(["one"])
    await model.chat(ask())
    with pytest.raises(IndexError, match="request 2 came, but the script has 1 replies"):
        await model.chat(ask())


def test_prompt_tokens_grow_with_every_part_of_a_request() -> None:
    longer = ask("Capital of France, please?")
    sizes = [prompt_tokens(request) for request in (ask(), longer, ask(tools=(ADD,)), ask(schema=SCHEMA))]
    assert all(size > sizes[0] for size in sizes[1:])
    assert prompt_tokens(ask("\ud800 odd")) > 0
