"""The four operations as tools and as a JSON form, and what a reply calls."""

import json
import re
from collections.abc import Mapping
from typing import Any

from memlab.gold import Verb
from memlab.llm.chat import Reply, Tool, ToolCall
from memlab.llm.json_text import found_json
from memlab.llm.understood import Misunderstood
from memlab.update.choices import VERBS, BadChoice, Choice, Chosen, agreed, choice, quoted

ID = {"type": "integer", "description": "the number of a memory"}
TEXT = {"type": "string", "description": "what the memory says from now on"}


def parameters(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON schema as strict modes want it: every property required, and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


TOOLS = (
    Tool("add_memory", "Store the new fact as a memory of its own.", parameters()),
    Tool(
        "update_memory", "Add to a memory what the new fact tells about the same thing.", parameters(id=ID, text=TEXT)
    ),
    Tool("delete_memory", "Remove a memory that the new fact shows to be no longer true.", parameters(id=ID)),
    Tool(
        "no_change",
        "Change nothing: a memory says it already.",
        parameters(id={**ID, "type": ["integer", "null"]}),
    ),
)
"""Always the same, so that a server's prompt cache holds them."""
TOOL_OF: Mapping[Verb, str] = {
    "ADD": "add_memory",
    "UPDATE": "update_memory",
    "DELETE": "delete_memory",
    "NOOP": "no_change",
}

ONE_OPERATION: Mapping[str, Mapping[str, Any]] = {
    "operation": {"type": "string", "enum": list(TOOL_OF)},
    "id": {"type": ["integer", "null"]},
    "text": {"type": ["string", "null"]},
}
SCHEMA = {"title": "operation", **parameters(**ONE_OPERATION)}

NAME = re.compile(rf"\b(?:{'|'.join(TOOL_OF.values())}|{'|'.join(TOOL_OF)})\b")
"""An operation named in running text: those of the paper in capitals only, for `add` and `update` are words."""


def called(reply: Reply, shown: int) -> Chosen:
    """Return what a reply calls, in tool calls or else in its text, with `shown` memories to choose from.

    Raises Misunderstood when it calls nothing, a memory that was not shown, or what cannot be carried out.
    """
    if not reply.tool_calls:
        chosen = written(reply.text, shown)
        return Chosen(chosen.choices, ("call_in_text: an operation in text instead of a tool call", *chosen.flaws))
    return agreed([from_call(call, shown) for call in reply.tool_calls])


def from_call(call: ToolCall, shown: int) -> Choice:
    """Return the choice that a tool call is; raises Misunderstood."""
    return choice(call.name, arguments_of(call), shown)


def arguments_of(call: ToolCall) -> Mapping[str, Any]:
    """Return the arguments of a tool call; raises BadChoice when what the model wrote is none."""
    if call.arguments is None and call.raw.strip() not in ("", "null"):
        raise BadChoice("wrong_type", f"the arguments of {call.name} are no JSON object: {quoted(call.raw)}.")
    return call.arguments or {}


def entries_in(text: str) -> tuple[Any, list[Mapping[str, Any]]]:
    """Return the JSON in a text, {} when there is none, and its objects when each of them names an operation."""
    try:
        value = found_json(text)
    except ValueError:
        return {}, []
    entries = value if isinstance(value, list) else [value]
    return value, entries if all(isinstance(entry, Mapping) and named(entry) for entry in entries) else []


def written(text: str, shown: int) -> Chosen:
    """Return what a text calls, as JSON or as the one operation that it names; raises Misunderstood."""
    value, entries = entries_in(text)
    if entries:
        return agreed([from_object(entry, shown) for entry in entries])
    names = {VERBS[name.lower()]: name for name in NAME.findall(text)}
    if len(names) == 1 and isinstance(value, Mapping):
        return agreed([choice(next(iter(names.values())), value, shown)])
    raise Misunderstood("it does not say in a usable form which operation to carry out.")


def named(entry: Mapping[str, Any]) -> object:
    """Return what an object gives as the name of its operation; None when it gives none."""
    function = entry.get("function")
    if isinstance(function, Mapping):
        return named(function)
    return entry.get("operation") or entry.get("name") or entry.get("tool") or function


def from_object(entry: Mapping[str, Any], shown: int) -> Choice:
    """Return the choice that an object is; raises Misunderstood."""
    return choice(named(entry), fields_of(entry), shown)


def fields_of(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of an operation that an object is; raises BadChoice when they are none.

    The object is `{"name": .., "arguments": {..}}` or `{"operation": .., "id": ..}`.
    """
    inner = entry.get("function")
    holder = inner if isinstance(inner, Mapping) else entry
    arguments = next((holder[key] for key in ("arguments", "parameters") if key in holder), holder)
    if isinstance(arguments, str):
        try:
            arguments = found_json(arguments)
        except ValueError:
            arguments = arguments.strip() or {}
    if not isinstance(arguments, Mapping | None):
        raise BadChoice("wrong_type", f"the arguments of {quoted(named(entry))} are no JSON object.")
    return arguments or {}


def as_call(one: Choice) -> ToolCall:
    """Return a choice as the tool call that says it."""
    arguments: dict[str, Any] = {} if one.verb == "ADD" else {"id": one.number}
    if one.verb == "UPDATE":
        arguments["text"] = one.text
    return ToolCall(TOOL_OF[one.verb], arguments, json.dumps(arguments, ensure_ascii=False))


def as_object(one: Choice) -> dict[str, Any]:
    """Return a choice as the JSON object that says it."""
    return {"operation": one.verb, "id": one.number, "text": one.text}
