"""The resolver over HTTP, against a server that lies: repaired or given up, counted, and no other relation touched."""

from collections.abc import Iterator
from typing import Any

import pytest

from memlab.embed.hashed import Hashed
from memlab.llm.chat import ChatFailed
from memlab.memory import Add
from memlab.store.dense import DenseStore
from tests.llm.lying_server import KEY, Answer, Server, calls, chat, completion, failing, good, serving
from tests.update.asked import fed, kinds
from tests.update.relations_asked import KNOWN, ROME, resolver, said


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving() as server:
        yield server


async def resolved(server: Server, **settings: Any) -> tuple[dict[str, bool], list[str]]:
    """Return which relations are live after a new one, by their words, and the flaws of its decision."""
    store = DenseStore(Hashed(64), exact_up_to=None)
    for memory in KNOWN:
        await store.apply(Add(said(memory.content, memory.sources[0])))  # type: ignore[arg-type]
    (decision,) = await fed(resolver(chat(server.url), **settings), store, [ROME], s=10)
    return {one.text: one.retired_at is None for one in store.memories(retired=True)}, kinds(decision)


def called(name: str, arguments: str) -> Answer:
    return calls({"name": name, "arguments": arguments})


NO_CONFLICT = called("no_conflict", "{}")
BEFORE = {memory.text: True for memory in KNOWN}
ADDED = {**BEFORE, "Ada lives in Rome": True}

LIES: dict[str, tuple[list[Answer], dict[str, bool], list[str]]] = {
    "honest": ([NO_CONFLICT], ADDED, []),
    "id_never_shown": ([called("invalidate", '{"ids": [99]}'), NO_CONFLICT], ADDED, ["unknown_id", "repaired"]),
    "id_never_shown_twice": (
        [called("invalidate", '{"ids": [1, 99]}')],
        ADDED,
        ["unknown_id", "unknown_id", "unreadable", "fallback"],
    ),
    "no_ids": ([called("invalidate", "{}"), NO_CONFLICT], ADDED, ["wrong_type", "repaired"]),
    "list_for_an_object": ([called("invalidate", "[1]"), NO_CONFLICT], ADDED, ["wrong_type", "repaired"]),
    "broken": ([called("invalidate", '{"ids": [1'), NO_CONFLICT], ADDED, ["wrong_type", "repaired"]),
    "unknown_tool": ([called("delete_all", "{}"), NO_CONFLICT], ADDED, ["repaired"]),
    "contradictory": (
        [calls({"name": "no_conflict", "arguments": "{}"}, {"name": "invalidate", "arguments": '{"ids": [1]}'})],
        ADDED,
        ["conflict", "conflict", "unreadable", "fallback"],
    ),
    "call_in_text": ([good("no_conflict()")], ADDED, ["call_in_text"]),
    "json_in_text": ([good('```json\n{"name": "no_conflict", "arguments": {}}\n```')], ADDED, ["call_in_text"]),
    "prose": ([good("They may well be in conflict.")], ADDED, ["unreadable", "fallback"]),
    "empty": ([good(""), NO_CONFLICT], ADDED, ["repaired"]),
    "nothing": ([good(None)], ADDED, ["unreadable", "fallback"]),
    "truncated": (
        [Answer(completion({"role": "assistant", "content": "invalidate([1"}, "length")), NO_CONFLICT],
        ADDED,
        ["repaired"],
    ),
}


@pytest.mark.parametrize("name", LIES)
async def test_lie_ends_no_relation_and_is_counted(server: Server, name: str) -> None:
    answers, live, flaws = LIES[name]
    server.script(*answers)
    assert await resolved(server) == (live, flaws)
    assert len(server.requests) <= 2, "at most one repair"


async def test_call_in_text_ends_only_what_it_names(server: Server) -> None:
    server.script(good("I would call invalidate(ids=[1]) here."))
    live, flaws = await resolved(server)
    shown = server.requests[0]["messages"][-1]["content"].splitlines()
    first = next(line.partition(") ")[2] for line in shown if line.startswith("1. "))
    assert [text for text, is_live in live.items() if not is_live] == [first]
    assert (live["Ada lives in Rome"], flaws) == (True, ["call_in_text"])


@pytest.mark.parametrize("name", [name for name, (_, _, flaws) in LIES.items() if "fallback" in flaws])
async def test_skip_leaves_the_store_unchanged(server: Server, name: str) -> None:
    server.script(*LIES[name][0])
    live, flaws = await resolved(server, fallback="skip")
    assert (live, flaws[-1]) == (BEFORE, "fallback")


async def test_by_schema_no_tools_are_sent(server: Server) -> None:
    server.script(good('{"operation": "no_conflict", "ids": []}'))
    assert await resolved(server, ask="schema") == (ADDED, [])
    assert "tools" not in server.requests[0]
    assert server.requests[0]["response_format"]["json_schema"]["strict"]


async def test_refusal_by_a_filter_is_a_failure(server: Server) -> None:
    server.script(failing(400, "not nice", "content_filter"))
    with pytest.raises(ChatFailed):
        await resolved(server)
