"""What a model that lies writes in place of an honest reply, and what a run should make of each."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tests.llm.lying_server import Answer, completion
from tests.realistic_model import draw

SURROGATE = "\ud83d"
NO_ANSWER = "I am afraid that this is beyond me"


@dataclass(frozen=True, slots=True)
class Told:
    """What a request is about: its last words, what they number, and the new facts among them."""

    form: str
    task: str
    repair: bool
    key: int
    words: str
    numbered: dict[str, str]
    """Messages or memories by their numbers."""
    wanted: list[str]
    """The numbers of the messages whose facts are asked for."""
    facts: list[str]
    entities: tuple[str, ...] = ()
    """Those that a relation may be between."""
    window: str = ""
    """The messages that something is taken from: several requests of one window may be about the same ones."""


Message = dict[str, Any]
NONE: Callable[[Told], list[str]] = lambda told: []  # noqa: E731


@dataclass(frozen=True, slots=True)
class Lie:
    """A way to reply. A spoilt reply has to be repaired; `flaws` are the kinds that it is counted by beside that."""

    name: str
    message: Callable[[Told], Message]
    spoilt: bool = False
    flaws: Callable[[Told], list[str]] = NONE
    finish: str = "stop"
    delay: float = 0.0
    partly: bool = False
    """Spoilt, but what is right in it is used: it is never unreadable, and its flaws count once however often told."""


def wire(lie: Lie, told: Told, tokens: tuple[int, int], *, finish: str | None = None) -> Answer:
    """A lie as the server sends it."""
    message = lie.message(told)
    ending = finish or ("tool_calls" if message.get("tool_calls") and lie.finish == "stop" else lie.finish)
    content = completion({"role": "assistant", **message}, ending)
    return Answer(content | {"usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}}, delay=lie.delay)


def text(words: str) -> Message:
    return {"content": words}


def called(*calls: tuple[str, Any]) -> Message:
    """Tool calls by name and arguments; arguments that are a text are sent as they are."""
    written = [(name, given if isinstance(given, str) else json.dumps(given)) for name, given in calls]
    made = [
        {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": given}}
        for n, (name, given) in enumerate(written)
    ]
    return {"content": None, "tool_calls": made}


def odd_call(**function: Any) -> Message:
    """A tool call that is not even of the form that the protocol gives it."""
    return {"content": None, "tool_calls": [{"id": "call_0", "type": "function", "function": function}]}


# The honest replies


def facts(told: Told) -> list[dict[str, Any]]:
    """A fact of each message that is asked about."""
    heard = ((int(number), *told.numbered[number].split(": ", 1)) for number in told.wanted)
    return [{"message": number, "text": f"{who} said: {what}"} for number, who, what in heard]


def operation(told: Told, fact: str) -> tuple[str, dict[str, Any]]:
    """ADD for 60 of 100 facts, UPDATE for 15, DELETE for 10, else NOOP; of the first memory."""
    memory = told.numbered["1"].partition(") ")[2]
    share = draw(fact)
    if memory == fact or share >= 85:
        return "NOOP", {"id": 1}
    if share < 60:
        return "ADD", {}
    return ("UPDATE", {"id": 1, "text": f"{memory} {fact}"}) if share < 75 else ("DELETE", {"id": 1})


TOOLS = {"ADD": "add_memory", "UPDATE": "update_memory", "DELETE": "delete_memory", "NOOP": "no_change"}


def call(told: Told) -> tuple[str, dict[str, Any]]:
    verb, arguments = operation(told, told.facts[0])
    return TOOLS[verb], arguments


def decisions(told: Told, **changed: Any) -> list[dict[str, Any]]:
    """One for each fact; only that of the first touches a memory, for two could contradict each other."""
    chosen = [operation(told, fact) if place == 0 else ("ADD", {}) for place, fact in enumerate(told.facts)]
    nothing = {"id": None, "text": None}
    return [
        {"fact": place, "operation": verb, **nothing, **own, **changed}
        for place, (verb, own) in enumerate(chosen, start=1)
    ]


def relation(told: Told) -> str:
    memory = told.words.partition("\n")[0].removeprefix("Memory: ")
    return (
        "same"
        if memory == told.facts[0]
        else ("same", "more", "changed", "other", "other", "other")[draw(told.words) % 6]
    )


HONEST: dict[str, Callable[[Told], str]] = {
    "facts": lambda told: json.dumps({"facts": facts(told)}),
    "decisions": lambda told: json.dumps({"decisions": decisions(told)}),
    "verdict": lambda told: json.dumps({"label": "CORRECT" if draw(told.words) < 70 else "WRONG"}),
    "word": relation,
    "summary": lambda told: f"They talked about matter {draw(told.words)}.",
    "answer": lambda told: f"matter {draw(told.words)}",
}


# The lies


def spoilt(name: str, message: Callable[[Told], Message], *kinds: str, each: bool = False) -> Lie:
    """A lie that has to be repaired; with `each`, its kinds count for each fact."""
    return Lie(name, message, True, lambda told: [*kinds] * (len(told.facts) if each else 1))


def anywhere(honest: Callable[[Told], str]) -> Iterable[Lie]:
    """What goes for every form but tool calls."""
    yield Lie("honest", lambda told: text(honest(told)))
    yield Lie("slow", lambda told: text(honest(told)), delay=0.1)
    yield spoilt("empty", lambda told: text(""))
    yield Lie("truncated", lambda told: text(honest(told)[:20]), True, finish="length")


def json_lies(honest: Callable[[Told], str]) -> Iterable[Lie]:
    """Those of a form that is JSON."""
    yield Lie("fenced", lambda told: text(f"```json\n{honest(told)}\n```"))
    yield Lie("chatty", lambda told: text(f"Sure, here you are:\n{honest(told)}\nI hope that this helps."))
    yield spoilt("broken", lambda told: text(honest(told)[:12]))
    yield spoilt("prose", lambda told: text(NO_ANSWER))


def surrogate(words: Callable[[Told], str]) -> Lie:
    return Lie("surrogate", lambda told: text(words(told)))


def odd_facts(told: Told, **changed: Any) -> Message:
    return text(json.dumps({"facts": [{**fact, **changed} for fact in facts(told)]}))


def unsure_source(told: Told) -> list[str]:
    """Where only one message is asked about, a fact comes from that one whatever its number."""
    return ["wrong_type"] * len(told.wanted) if len(told.wanted) > 1 else []


def both(told: Told) -> Message:
    """For each fact two decisions that cannot both be meant."""
    pairs = [{**one, "operation": verb, "id": 1} for one in decisions(told) for verb in ("NOOP", "DELETE")]
    return text(json.dumps({"decisions": pairs}))


def tool_lies() -> Iterable[Lie]:
    """Those of tool calls."""
    in_text: Callable[[Told], list[str]] = lambda told: ["call_in_text"]  # noqa: E731

    def named(told: Told) -> str:
        name, arguments = call(told)
        return json.dumps({"name": name, "arguments": arguments})

    def with_number(told: Told, number: Any, says: str = "") -> Message:
        return called(("update_memory", {"id": number, "text": says or told.facts[0]}))

    yield Lie("honest", lambda told: called(call(told)))
    yield Lie("slow", lambda told: called(call(told)), delay=0.1)
    yield spoilt("hallucinated", lambda told: with_number(told, 99), "unknown_id")
    yield Lie("fenced", lambda told: text(f"```json\n{named(told)}\n```"), flaws=in_text)
    yield Lie("chatty", lambda told: text(f"I will do this: {named(told)} and no more."), flaws=in_text)
    yield Lie("prose", lambda told: text("I would call add_memory for that."), flaws=in_text)
    yield spoilt("broken", lambda told: called(("update_memory", '{"id": 1, "te')), "wrong_type")
    yield Lie("truncated", lambda told: called(("update_memory", '{"id": 1, "te')), True, finish="length")
    yield Lie("several", lambda told: called(("delete_memory", {"id": 1}), ("add_memory", {})), flaws=deletes_itself)
    yield spoilt("contradictory", lambda told: called(("no_change", {"id": 1}), ("add_memory", {})), "conflict")
    yield spoilt("wrong_type", lambda told: called(("update_memory", "[1]")), "wrong_type")
    yield spoilt("listed", lambda told: odd_call(name="update_memory", arguments=[1, "text"]), "wrong_type")
    yield spoilt("nameless", lambda told: odd_call(name=None, arguments={"id": 1}))
    yield Lie("string_ids", lambda told: called(("no_change", {"id": "1"})))
    yield spoilt("empty", lambda told: text(""))
    yield Lie("surrogate", lambda told: with_number(told, 1, f"{told.numbered['1']} {told.facts[0]} {SURROGATE}"))


def deletes_itself(told: Told) -> list[str]:
    return ["conflict"] if told.numbered["1"].partition(") ")[2] == told.facts[0] else []


def by_name(*lies: Lie) -> dict[str, Lie]:
    return {lie.name: lie for lie in lies}


LIES: dict[str, dict[str, Lie]] = {
    "facts": by_name(
        *anywhere(HONEST["facts"]),
        *json_lies(HONEST["facts"]),
        Lie("hallucinated", lambda told: odd_facts(told, message=99), flaws=unsure_source),
        Lie(
            "string_ids",
            lambda told: text(json.dumps([{**one, "message": str(one["message"])} for one in facts(told)])),
        ),
        spoilt("wrong_type", lambda told: text('{"facts": "Ada said so."}')),
        surrogate(
            lambda told: json.dumps({"facts": [{**one, "text": one["text"] + SURROGATE} for one in facts(told)]})
        ),
    ),
    "decisions": by_name(
        *anywhere(HONEST["decisions"]),
        *json_lies(HONEST["decisions"]),
        spoilt(
            "hallucinated",
            lambda told: text(json.dumps({"decisions": decisions(told, operation="DELETE", id=99)})),
            "unknown_id",
            each=True,
        ),
        spoilt("contradictory", both, "conflict", each=True),
        spoilt("wrong_type", lambda told: text('{"decisions": "ADD"}'), "wrong_type"),
        Lie(
            "string_ids",
            lambda told: text(json.dumps([{**one, "fact": str(one["fact"])} for one in decisions(told)])),
        ),
    ),
    "verdict": by_name(
        *anywhere(HONEST["verdict"]),
        *json_lies(HONEST["verdict"]),
        spoilt("wrong_type", lambda told: text('{"label": 1}')),
        spoilt("contradictory", lambda told: text("It is CORRECT, or else it is WRONG.")),
    ),
    "word": by_name(
        *anywhere(HONEST["word"]),
        Lie("fenced", lambda told: text(f"```\n{relation(told)}\n```")),
        spoilt("prose", lambda told: text(NO_ANSWER)),
        spoilt("wrong_type", lambda told: text('{"relation": 3}')),
        surrogate(lambda told: relation(told) + SURROGATE),
    ),
    "summary": by_name(*anywhere(HONEST["summary"]), surrogate(lambda told: HONEST["summary"](told) + SURROGATE)),
    "answer": by_name(
        *anywhere(HONEST["answer"]),
        Lie("fenced", lambda told: text(f"```\n{HONEST['answer'](told)}\n```")),
        Lie("in_parts", lambda told: {"content": [{"type": "text", "text": HONEST["answer"](told)}]}),
        Lie("chatty", lambda told: text(f"The answer is:\n{HONEST['answer'](told)}")),
        spoilt("broken", lambda told: text('{"answer": ')),
        spoilt("wrong_type", lambda told: text('{"answer": {"text": "matter"}}')),
        surrogate(lambda told: HONEST["answer"](told) + SURROGATE),
    ),
    "tools": by_name(*tool_lies()),
}
