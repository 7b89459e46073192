"""What a model that lies writes when it is asked for entities, relations or conflicts between these."""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from tests.lies import (
    NO_ANSWER,
    SURROGATE,
    Lie,
    Message,
    Told,
    anywhere,
    by_name,
    called,
    json_lies,
    odd_call,
    spoilt,
    surrogate,
    text,
    unsure_source,
)
from tests.realistic_model import draw

LABELS = ("likes", "lives_in", "visits", "likes", "has_pet")
"""Few, so that a source often has several edges of one label, and the resolver is asked."""
NOWHERE = "Zanzibar"


# The honest replies


def entities(told: Told) -> list[dict[str, Any]]:
    """Who speaks in each line, and its longest word."""
    found = []
    for line in told.window.splitlines() or [told.words.rpartition("Text:\n")[2]]:
        who, _, said = line.rpartition(": ")
        found += [{"name": who, "type": "Person"}] if who else []
        found += [{"name": max(re.findall(r"\b[A-Za-z]+\b", said), key=len), "type": "Object"}]
    return found


def names(told: Told) -> list[str]:
    return list(dict.fromkeys(entity["name"] for entity in entities(told)))


def relations(told: Told) -> list[dict[str, Any]]:
    """From who speaks in each message to an entity that a hash of the message chooses."""
    drawn = []
    for number in told.wanted:
        who, _, said = told.numbered[number].partition(": ")
        if others := [name for name in told.entities if name.casefold() != who.casefold()]:
            ends = {"source": who, "relation": LABELS[draw(said) % 5], "destination": others[draw(said) % len(others)]}
            drawn.append({"message": int(number), **ends, "when": ""})
    return drawn


def resolution(told: Told) -> tuple[str, dict[str, Any]]:
    """Nothing for 55 of 100 new relations, for 15 the first known one, and for the others the end of that one."""
    share = draw(told.facts[0])
    if share < 55:
        return "no_conflict", {}
    return ("duplicate", {"id": 1}) if share < 70 else ("invalidate", {"ids": [1]})


def entities_reply(told: Told) -> str:
    return json.dumps({"entities": entities(told)})


def relations_reply(told: Told) -> str:
    return json.dumps({"relations": relations(told)})


# The lies


def entities_and(*more: Any) -> Callable[[Told], Message]:
    return lambda told: text(json.dumps({"entities": [*entities(told), *more]}))


def entity_lies() -> Iterable[Lie]:
    """Entities that nobody named, without names or types, and in other forms than asked for."""
    yield from anywhere(entities_reply)
    yield from json_lies(entities_reply)
    yield Lie("not_in_text", entities_and({"name": NOWHERE, "type": "Location"}), flaws=lambda told: ["not_in_text"])
    yield Lie("missing_field", entities_and({"type": "Person"}), flaws=lambda told: ["wrong_type"])
    yield Lie("string_ids", entities_and(["its", "pair", "of three"]), flaws=lambda told: ["wrong_type"])
    yield Lie(
        "plain_names",
        lambda told: text(json.dumps(names(told))),
        flaws=lambda told: ["wrong_type"] * len({name.casefold() for name in names(told)}),
    )
    yield Lie("listed", lambda told: text(json.dumps({"entities": [[name, "Person"] for name in names(told)]})))
    yield Lie("object", lambda told: text(json.dumps({"entities": dict.fromkeys(names(told), "person")})))
    yield spoilt("wrong_type", lambda told: text('{"entities": "Ada"}'))
    yield spoilt("nameless", lambda told: text('{"entities": [{"type": "Person"}, {"kind": "Date"}]}'))
    yield surrogate(
        lambda told: json.dumps({"entities": [{**one, "name": one["name"] + SURROGATE} for one in entities(told)]})
    )


def odd_relations(told: Told, **changed: Any) -> Message:
    return text(json.dumps({"relations": [{**one, **changed} for one in relations(told)]}))


def relations_and(change: dict[str, Any]) -> Callable[[Told], Message]:
    """The honest ones and one that is like the first, but for these fields; None leaves a field out."""

    def message(told: Told) -> Message:
        honest = relations(told)
        more = [{name: value for name, value in {**one, **change}.items() if value is not None} for one in honest[:1]]
        return text(json.dumps({"relations": [*honest, *more]}))

    return message


def for_one(kind: str) -> Callable[[Told], list[str]]:
    """A flaw where there is any relation to spoil."""
    return lambda told: [kind] if relations(told) else []


def relation_lies() -> Iterable[Lie]:
    """Relations to what is no entity, to themselves, of no message, without an end, and in other forms."""
    yield from anywhere(relations_reply)
    yield from json_lies(relations_reply)
    unknown, loop = {"destination": NOWHERE}, {"destination": "I"}
    yield Lie("stranger", relations_and(unknown), True, for_one("unknown_entity"), partly=True)
    yield Lie("self_loop", relations_and(loop), flaws=for_one("self_loop"))
    yield Lie("missing_field", relations_and({"destination": None}), flaws=for_one("wrong_type"))
    yield Lie("untold_time", relations_and({"when": "the last eclipse"}), flaws=for_one("not_in_text"))
    yield Lie(
        "hallucinated",
        lambda told: odd_relations(told, message=99),
        flaws=lambda told: unsure_source(told)[: len({json.dumps({**r, "message": 0}) for r in relations(told)})],
    )
    yield Lie(
        "string_ids", lambda told: text(json.dumps([{**r, "message": str(r["message"])} for r in relations(told)]))
    )
    yield Lie("listed", lambda told: text(json.dumps({"relations": [[*one.values()] for one in relations(told)]})))
    yield spoilt("wrong_type", lambda told: text('{"relations": "Ada likes Rome"}'))
    yield spoilt("nameless", lambda told: text('{"relations": [{"message": 1, "when": "today"}]}'))
    yield surrogate(
        lambda told: json.dumps(
            {"relations": [{**one, "relation": one["relation"] + SURROGATE} for one in relations(told)]}
        )
    )


def resolver_lies() -> Iterable[Lie]:
    """Those of the resolver's tool calls."""
    in_text: Callable[[Told], list[str]] = lambda told: ["call_in_text"]  # noqa: E731

    def named(told: Told) -> str:
        name, arguments = resolution(told)
        return json.dumps({"name": name, "arguments": arguments})

    yield Lie("honest", lambda told: called(resolution(told)))
    yield Lie("slow", lambda told: called(resolution(told)), delay=0.1)
    yield Lie("fenced", lambda told: text(f"```json\n{named(told)}\n```"), flaws=in_text)
    yield Lie("chatty", lambda told: text(f"I will do this: {named(told)} and no more."), flaws=in_text)
    yield Lie("in_words", lambda told: text("I would call no_conflict here."), flaws=in_text)
    yield spoilt("prose", lambda told: text(NO_ANSWER))
    yield spoilt("empty", lambda told: text(""))
    yield spoilt("hallucinated", lambda told: called(("invalidate", {"ids": [1, 99]})), "unknown_id")
    yield spoilt("missing_field", lambda told: called(("duplicate", {})), "wrong_type")
    yield spoilt("broken", lambda told: called(("invalidate", '{"ids": [1')), "wrong_type")
    yield Lie("truncated", lambda told: called(("invalidate", '{"ids": [1')), True, finish="length")
    yield spoilt("contradictory", lambda told: called(("no_conflict", {}), ("invalidate", {"ids": [1]})), "conflict")
    yield Lie("several", lambda told: called(*[("duplicate", {"id": 1})] * 2), flaws=lambda told: ["repeated"])
    yield spoilt("wrong_type", lambda told: called(("invalidate", {"ids": {"first": 1}})), "wrong_type")
    yield spoilt("listed", lambda told: odd_call(name="invalidate", arguments=[[1]]), "wrong_type")
    yield spoilt("nameless", lambda told: odd_call(name=None, arguments={"ids": [1]}))
    yield spoilt("other_tool", lambda told: called(("delete_memory", {"id": 1})))
    yield Lie("string_ids", lambda told: called(("invalidate", {"ids": ["1"]})))


GRAPH_LIES: dict[str, dict[str, Lie]] = {
    "entities": by_name(*entity_lies()),
    "relations": by_name(*relation_lies()),
    "resolution": by_name(*resolver_lies()),
}
