"""Both stages of graph extraction over HTTP, against a server that lies: repaired or refused, and counted."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from memlab.extract.extractor import Window
from memlab.llm.chat import ChatFailed
from memlab.llm.meter import MeteredChat, metered
from memlab.memory import Candidate, Triple
from tests.extract.facts_asked import PAIR
from tests.extract.triples_asked import FOUND, drawn, kinds, texts, triples, written
from tests.llm.lying_server import KEY, Answer, Server, calls, chat, completion, failing, good, serving

OSLO = drawn("Ada", "moves_to", "Oslo")
HONEST = written(OSLO)
SURROGATE = "\ud83d"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr("memlab.llm.retry.FIRST_PAUSE", 0.001)
    with serving() as server:
        yield server


def of_stages(entities: Answer, *relations: Answer) -> Callable[[dict[str, Any]], Answer]:
    """Answer with entities when those are asked for, else with these relations in turn, the last of them for ever."""
    left = list(relations)

    def behave(body: dict[str, Any]) -> Answer:
        if body["response_format"]["json_schema"]["name"] == "entities":
            return entities
        return left.pop(0) if len(left) > 1 else left[0]

    return behave


async def taken(server: Server) -> tuple[list[Candidate], list[str], int]:
    """Return the candidates of the pair, the flaws, and the calls that were counted."""
    with metered() as meter:
        made = await triples(MeteredChat(chat(server.url))).extract(Window(PAIR))
    assert meter.spent.calls == len(server.requests)
    return made, meter.flaws, meter.spent.calls


def entities(*names: Any) -> Answer:
    return good(json.dumps({"entities": [{"name": name, "type": "Location"} for name in names]}))


def cut_off(text: str) -> Answer:
    return Answer(completion({"role": "assistant", "content": text}, "length"))


async def test_honest_server_is_sent_both_schemas_and_gives_triples_without_flaws(server: Server) -> None:
    server.behave = of_stages(good(FOUND), good(HONEST))
    made, flaws, asked = await taken(server)
    assert (texts(made), flaws, asked) == (["Ada moves to Oslo"], [], 2)
    names = [body["response_format"]["json_schema"]["name"] for body in server.requests]
    assert names == ["entities", "relations"]
    assert all(body["response_format"]["json_schema"]["strict"] for body in server.requests)


async def test_entity_not_in_the_text_is_never_offered_and_a_relation_to_it_is_refused(server: Server) -> None:
    server.behave = of_stages(entities("Oslo", "Atlantis"), good(written(OSLO, drawn("Ada", "visits", "Atlantis"))))
    made, flaws, asked = await taken(server)
    assert (texts(made), asked) == (["Ada moves to Oslo"], 3)
    assert kinds(flaws) == ["not_in_text", "unknown_entity"]
    assert "Atlantis" not in server.requests[1]["messages"][-1]["content"]


LIES: dict[str, tuple[list[Answer], list[str], list[str]]] = {
    "self_loop": ([good(written(drawn("Ada", "likes", "Ada"), OSLO))], ["Ada moves to Oslo"], ["self_loop"]),
    "unknown_repaired": (
        [good(written(drawn("Ada", "moves_to", "Rome"))), good(HONEST)],
        ["Ada moves to Oslo"],
        ["unknown_entity", "repaired"],
    ),
    "unknown_twice": ([good(written(drawn("Ada", "moves_to", "Rome")))], [], ["unknown_entity"]),
    "missing_field": (
        [good(written({"message": 1, "source": "Ada", "destination": "Oslo"}, OSLO))],
        ["Ada moves to Oslo"],
        ["wrong_type"],
    ),
    "all_fields_missing": ([good(written({}, {})), good(HONEST)], ["Ada moves to Oslo"], ["repaired"]),
    "list_for_an_object": ([good('{"relations": [[1, "Ada", "moves_to", "Oslo"]]}')], ["Ada moves to Oslo"], []),
    "object_for_a_list": ([good(json.dumps({"relations": OSLO}))], ["Ada moves to Oslo"], []),
    "dict_for_a_name": ([good(written(drawn({"name": "Ada"}, "moves_to", ["Oslo"])))], ["Ada moves to Oslo"], []),
    "empty_names": ([good(written(drawn("", "moves_to", " "), OSLO))], ["Ada moves to Oslo"], ["wrong_type"]),
    "fenced": ([good(f"Here:\n```json\n{HONEST}\n```")], ["Ada moves to Oslo"], []),
    "broken": ([good(HONEST[:30]), good(HONEST)], ["Ada moves to Oslo"], ["repaired"]),
    "broken_twice": ([good(HONEST[:30])], [], ["unreadable"]),
    "prose": ([good("I see no graph here.")], [], ["unreadable"]),
    "empty": ([good(""), good(HONEST)], ["Ada moves to Oslo"], ["repaired"]),
    "no_text_at_all": ([good(None)], [], ["unreadable"]),
    "a_tool_call": ([calls({"name": "relate", "arguments": "{}"}), good(HONEST)], ["Ada moves to Oslo"], ["repaired"]),
    "truncated": ([cut_off(HONEST[:40]), good(HONEST)], ["Ada moves to Oslo"], ["repaired"]),
    "truncated_twice": ([cut_off(HONEST[:40])], [], ["unreadable"]),
    "surrogate": ([good(written(drawn("Ada", "moves_to", "Oslo", 1, f"2023 {SURROGATE}")))], [], []),
    "twice_the_same": ([good(written(OSLO, OSLO))], ["Ada moves to Oslo"], []),
    "endless": (
        [good(written(*(drawn("Ada", f"likes_{n}", "Oslo") for n in range(500))))],
        [f"Ada likes {n} Oslo" for n in range(20)],
        ["too_many"],
    ),
}


@pytest.mark.parametrize("name", LIES)
async def test_lie_about_relations_is_repaired_or_refused_and_counted(server: Server, name: str) -> None:
    answers, expected, flaws = LIES[name]
    server.behave = of_stages(good(FOUND), *answers)
    made, counted, asked = await taken(server)
    assert kinds(counted) == flaws
    assert asked <= 3, "at most one repair"
    if name == "surrogate":
        assert [one.content.when for one in made if isinstance(one.content, Triple)] == ["2023 \ufffd"]
    else:
        assert texts(made) == expected


@pytest.mark.parametrize(
    ("answer", "flaws"),
    [
        (good('{"entities": "Oslo"}'), ["unreadable"]),
        (good('{"entities": [{"name": {"x": 1}}, {"type": "Person"}]}'), ["unreadable"]),
        (good(""), ["unreadable"]),
        (cut_off('{"entities": [{"na'), ["unreadable"]),
        (good('{"entities": [["Oslo", "Location"], 7]}'), ["not_in_text"]),
        (good('{"entities": [{"name": "Oslo"}]}'), ["wrong_type"]),
    ],
)
async def test_lie_about_entities_is_counted_and_the_speakers_are_left(
    server: Server, answer: Answer, flaws: list[str]
) -> None:
    server.behave = of_stages(answer, good(written(drawn("Ada", "knows", "Ben"))))
    made, counted, _ = await taken(server)
    assert (texts(made), kinds(counted)) == (["Ada knows Ben"], flaws)


@pytest.mark.parametrize("stage", [0, 1])
async def test_refusal_by_a_filter_is_a_failure_and_no_empty_result(server: Server, stage: int) -> None:
    filtered = failing(400, "not nice", "content_filter")
    server.behave = of_stages(*((filtered, good(HONEST)) if stage == 0 else (good(FOUND), filtered)))
    with pytest.raises(ChatFailed):
        await taken(server)


async def test_passing_failures_are_retried_and_change_nothing(server: Server) -> None:
    server.behave = of_stages(good(FOUND), failing(500, "oh", retry_after_ms="1"), good(HONEST))
    with metered() as meter:
        made = await triples(MeteredChat(chat(server.url))).extract(Window(PAIR))
    assert (texts(made), meter.flaws) == (["Ada moves to Oslo"], [])
    assert (meter.spent.calls, meter.spent.requests) == (2, 3)
