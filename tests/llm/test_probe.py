import time
from typing import Any, cast

import pytest
from omegaconf import OmegaConf

from memlab.conf_files import conf_folder
from memlab.llm.chat import Reply, ToolCall, Usage
from memlab.llm.endpoint import Endpoint
from memlab.llm.json_text import read_object
from memlab.llm.openai_chat import OpenAIChat
from memlab.llm.probe import STRATEGIES, Finding, abilities, outlook, probe, speed_finding
from memlab.llm.probe_requests import call_fault, is_journey
from memlab.llm.request_tokens import tokens
from tests.llm.able_server import JOURNEY, able, prompt, refusing, said, unable
from tests.llm.lying_server import KEY, Answer, Server, completion, failing, good, models

pytestmark = pytest.mark.usefixtures("no_pause")

EVERYTHING = dict.fromkeys(STRATEGIES, "works")
CALLERS = ("updater=tool_call", "updater=resolve_conflict")


def endpoint_of(url: str, **settings: Any) -> Endpoint:
    usual = cast("dict[str, Any]", OmegaConf.to_container(OmegaConf.load(conf_folder() / "llm" / "server.yaml")))
    del usual["_target_"]
    own = {"base_url": url, "model": "small", "timeout_seconds": 10.0, **settings}
    return Endpoint({**usual, **own}, lambda settings: OpenAIChat(**settings))


async def probed(
    server: Server, *, long: bool = False, salt: str = "0", **settings: Any
) -> tuple[dict[str, Finding], dict[str, str]]:
    """Return the findings and the outlook, each by name."""
    endpoint = endpoint_of(server.url, **settings)
    found = await probe(endpoint, long=long, salt=salt)
    return {finding.about: finding for finding in found}, dict(outlook(abilities(found), endpoint.overrides))


async def test_all_is_well_with_a_server_that_can_do_everything(server: Server) -> None:
    server.behave, server.listing = able, models("large", "small")
    found, works = await probed(server)
    assert works == EVERYTHING
    assert [finding.about for finding in found.values() if not finding.good] == []
    assert found["several calls"].words.startswith("2 in one reply")
    assert "at least 6,9" in found["context"].words


async def test_what_it_takes_is_counted_and_no_more_than_a_dozen_requests(server: Server) -> None:
    answers: list[Answer] = []

    def behave(body: dict[str, Any]) -> Answer:
        answers.append(failing(400) if "tools" in body else able(body))
        return answers[-1]

    server.behave = behave
    endpoint = endpoint_of(server.url)
    await probe(endpoint, long=False, salt="0")
    used = [answer.content["usage"] for answer in answers if answer.status == 200]
    assert endpoint.requests == len(server.requests) <= 12
    assert endpoint.prompt_tokens == sum(usage["prompt_tokens"] for usage in used)
    assert endpoint.completion_tokens == sum(usage["completion_tokens"] for usage in used)


async def test_long_prompts_begin_with_the_salt_and_ask_for_few_tokens(server: Server) -> None:
    server.behave = able
    await probed(server, long=True, salt="73f0")
    long = [body for body in server.requests if len(prompt(body)) > 1000]
    assert [round(tokens(prompt(body)), -2) for body in long] == [2_000, 7_000, 29_000]
    assert all(prompt(body).startswith("Log 73f0.") and body["max_completion_tokens"] == 8 for body in long)


TEXT_CALL = '```json\n{"name": "keep_note", "arguments": {"text": "Maria has a cat."}}\n```'


@pytest.mark.parametrize(
    ("text", "call", "words"),
    [
        (TEXT_CALL, None, "the call is in the text"),
        ("Very well!", None, "ignored: 'Very well!'"),
        ("", ("keep_note", "{}"), "other arguments than asked for: keep_note({})"),
        ("", ("keep_note", '{"text": ["a cat"]}'), "other arguments"),
        ("", ("keep_note", '["a cat"]'), "other arguments"),
        ("", ("drop_note", '{"number": true}'), "other arguments"),
        ("", ("remember", '{"text": "a cat"}'), "not offered is called: remember("),
    ],
)
def test_what_is_wrong_with_a_call_is_named(text: str, call: tuple[str, str] | None, words: str) -> None:
    made = (ToolCall(call[0], read_object(call[1]), call[1]),) if call else ()
    assert words in (call_fault(Reply(text, made, "stop", Usage(1, 1), 0.1)) or "")


@pytest.mark.parametrize("answer", [failing(404, "no tool use here"), good(TEXT_CALL)])
async def test_a_model_without_tool_calls_can_be_asked_by_schema(server: Server, answer: Answer) -> None:
    server.behave = unable(tools=answer)
    found, works = await probed(server)
    assert "no tool use here" in found["tools"].words or "the call is in the text" in found["tools"].words
    assert "no better with llm.tool_choice=required" in found["tools"].words
    assert works == EVERYTHING | dict.fromkeys(CALLERS, "works with updater.ask=schema")


async def test_calls_in_the_text_do_where_there_are_no_schemas(server: Server) -> None:
    server.behave = unable(tools=good(TEXT_CALL), schema=failing(400))
    _, works = await probed(server)
    assert works["updater=tool_call"] == "works"


async def test_a_model_that_calls_tools_only_when_it_has_to_needs_a_setting(server: Server) -> None:
    def behave(body: dict[str, Any]) -> Answer:
        return good("Very well!") if body.get("tool_choice") == "auto" else able(body)

    server.behave = behave
    found, works = await probed(server)
    assert works == EVERYTHING | dict.fromkeys(CALLERS, "works with llm.tool_choice=required")
    assert found["several calls"].good


@pytest.mark.parametrize(
    ("text", "as_asked"),
    [
        (JOURNEY, True),
        (f"Here it is:\n```json\n{JOURNEY}\n```", True),
        ('{"left_from": "Oslo"}', False),
        ('{"left_from": ["Oslo"], "by_plane": true}', False),
        ('{"left_from": "Oslo", "by_plane": "yes"}', False),
        ("[]", False),
        ("She flew.", False),
        (JOURNEY[:-1], False),
    ],
)
def test_json_counts_only_in_the_shape_that_was_asked_for(text: str, as_asked: bool) -> None:
    assert is_journey(Reply(text, (), "stop", Usage(1, 1), 0.1)) == as_asked


@pytest.mark.parametrize("answer", [good("She flew from Oslo to Rome."), failing(400)])
async def test_a_server_without_schemas_is_asked_for_json_in_words(server: Server, answer: Answer) -> None:
    server.behave = unable(schema=answer)
    found, works = await probed(server)
    assert not found["JSON schema"].good
    assert works["extractor=triples"] == "works with extractor.reply=text extractor.entities.reply=text"
    assert works["entities@question_entities=llm"] == "works with question_entities.reply=text"
    assert (works["updater=tool_call"], works["answerer=llm"]) == ("works", "works")


async def test_without_json_and_tools_only_plain_words_are_left(server: Server) -> None:
    server.behave = unable(tools=good("No."), schema=good("No."), json=good("No."))
    _, works = await probed(server)
    assert works == {
        "extractor=facts": "will not work: no JSON by schema, no JSON as text",
        "extractor=triples": "will not work: no JSON by schema, no JSON as text",
        "updater=tool_call": "will not work: no tool calls, no JSON by schema",
        "updater=resolve_conflict": "will not work: no tool calls, no JSON by schema",
        "updater=joint_json": "will not work: no JSON by schema, no JSON as text",
        "updater=pairwise": "works with updater.ask=word",
        "summary=rolling": "works",
        "entities@question_entities=llm": "will not work: no JSON by schema, no JSON as text",
        "answerer=llm": "works",
        "judge=llm": "works with judge.reply=text",
    }


@pytest.mark.parametrize("status", [400, 404])
async def test_a_wrong_model_name_is_told_with_those_that_there_are(server: Server, status: int) -> None:
    server.behave, server.listing = unable(chat=failing(status, "no such model")), models("small-2", "other")
    found, works = await probed(server)
    assert not found["chat"].good
    assert f"answered {status}" in found["chat"].words
    assert "it lists small-2, other; did you mean 'small-2'?; set llm.model" in found["chat"].words
    assert set(works.values()) == {"will not work: no plain chat"}
    assert len(server.requests) == 1


async def test_a_server_that_answers_to_any_name_is_known_by_its_list(server: Server) -> None:
    server.behave, server.listing = able, models("/models/a.gguf")
    found, _ = await probed(server)
    assert found["model"].words == "small; not among those it lists, /models/a.gguf"


@pytest.mark.parametrize(
    "listing", [Answer(b"<html>"), Answer([1]), Answer({"data": None}), failing(500), failing(403)]
)
async def test_a_server_need_not_list_its_models(server: Server, listing: Answer) -> None:
    server.behave, server.listing = able, listing
    found, works = await probed(server)
    assert found["model"].words == "small; it lists none"
    assert works == EVERYTHING


@pytest.mark.parametrize(
    ("field", "override"),
    [
        ("seed", "llm.seed=null"),
        ("temperature", "llm.temperature=null"),
        ("max_completion_tokens", "llm.max_completion_tokens=null +llm.extra_body.max_tokens=1024"),
    ],
)
async def test_a_setting_that_is_refused_is_named_and_left_out_from_then_on(
    server: Server, field: str, override: str
) -> None:
    server.behave = refusing(field)
    found, works = await probed(server)
    assert not found["chat"].good
    assert f"works with {override}; without: " in found["chat"].words
    assert f"unknown field {field}" in found["chat"].words
    assert works == dict.fromkeys(STRATEGIES, f"works with {override}")


@pytest.mark.parametrize("listed", [True, False])
async def test_a_refused_key_is_told_with_the_remedy(server: Server, listed: bool) -> None:
    refusal = failing(401, f"Incorrect API key provided: {KEY}")
    server.behave, server.listing = unable(chat=refusal), models("small") if listed else refusal
    found, _ = await probed(server, api_key_env="OPENAI_API_KEY")
    assert "set another in OPENAI_API_KEY" in found["key"].words
    assert KEY not in found["key"].words
    assert not {"chat", "tools"} & found.keys()
    nameless, _ = await probed(server, api_key_env=None)
    assert "name its variable: llm.api_key_env" in nameless["key"].words


async def test_cut_connections_are_no_chat(server: Server) -> None:
    server.behave, server.listing = lambda body: good(cut=20), models("small")
    found, _ = await probed(server, max_retries=8)
    assert "no connection" in found["chat"].words
    assert len(server.requests) == 3, "few retries, whatever the llm's are"
    server.listing = Answer({"data": []}, cut=5)
    found, _ = await probed(server)
    assert not found["server"].good
    assert "llm.base_url" in found["server"].words


async def test_a_slow_server_is_waited_for_once_and_no_longer_than_the_timeout(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memlab.llm.retry.FIRST_PAUSE", 0.5)  # as it is outside of tests
    server.behave = lambda body: good(delay=2)
    began = time.monotonic()
    found, _ = await probed(server, timeout_seconds=0.3)
    assert time.monotonic() - began < 1.5
    assert "did not answer in 0.3 s" in found["chat"].words
    assert len(server.requests) == 1


async def test_a_context_that_ends_is_told_in_the_servers_words(server: Server) -> None:
    def behave(body: dict[str, Any]) -> Answer:
        return failing(400, "exceeds 4096") if len(prompt(body)) > 20_000 else able(body)

    server.behave = behave
    found, _ = await probed(server, long=True)
    assert found["context"].words.startswith("at least 1,9")
    assert "a prompt of about 7,000: " in found["context"].words
    assert "exceeds 4096" in found["context"].words
    assert len([body for body in server.requests if len(prompt(body)) > 20_000]) == 1


async def test_a_prompt_that_is_cut_without_a_word_is_noticed(server: Server) -> None:
    def behave(body: dict[str, Any]) -> Answer:
        if len(prompt(body)) < 20_000:
            return able(body)
        answer = said(body, "I do not know")
        return Answer({**answer.content, "usage": {"prompt_tokens": 4096, "completion_tokens": 4}})

    server.behave = behave
    found, _ = await probed(server)
    assert "at least 4,096 tokens; it read only so much of a prompt of about 7,000" in found["context"].words


async def test_without_usage_the_word_at_the_beginning_tells_what_was_read(server: Server) -> None:
    def behave(body: dict[str, Any]) -> Answer:
        text = "I do not know" if len(prompt(body)) > 20_000 else "Marigold"
        return able(body) if "tools" in body else Answer({**completion({"content": text}), "usage": None})

    server.behave = behave
    found, _ = await probed(server)
    assert not found["usage"].good
    assert found["context"].words.startswith("at least 2,0")
    assert "without the word at its beginning" in found["context"].words


async def test_no_larger_prompt_follows_a_slow_one(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memlab.llm.probe.PATIENCE_SECONDS", 0.0)
    server.behave = able
    found, _ = await probed(server)
    assert "larger ones were not tried" in found["context"].words
    assert not [body for body in server.requests if len(prompt(body)) > 20_000]


def test_speed_is_solved_from_two_calls() -> None:
    def reply(prompt_tokens: int, completion_tokens: int, seconds: float) -> Reply:
        return Reply("", (), "stop", Usage(prompt_tokens, completion_tokens), seconds)

    read, wrote = reply(2000, 8, 2000 / 50 + 8 / 10), reply(20, 64, 20 / 50 + 64 / 10)
    assert speed_finding(read, wrote).words == "about 50 prompt and 10 completion tokens/s, from one sample"
    assert speed_finding(read, reply(20, 64, 0.1)).words.startswith("at least 49 prompt and 640 completion tokens/s")
