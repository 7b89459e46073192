"""The three outcomes of a conflict between relations as tools and as a JSON form, and which one a reply calls."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from memlab.llm.chat import Reply, Tool, ToolCall
from memlab.llm.understood import Misunderstood
from memlab.memory import Candidate
from memlab.update.calls import arguments_of, entries_in, fields_of, named, parameters
from memlab.update.choices import BadChoice, number, quoted

Outcome = Literal["no_conflict", "duplicate", "invalidate"]

IDS = {"type": "array", "items": {"type": "integer"}}
TOOLS = (
    Tool("no_conflict", "The new relation and all others can be true at the same time.", parameters()),
    Tool(
        "duplicate",
        "One of the relations says the very same as the new one.",
        parameters(id={"type": "integer", "description": "the number of that relation"}),
    ),
    Tool(
        "invalidate",
        "The new relation shows that these relations are over. They are kept as the past.",
        parameters(ids={**IDS, "description": "the numbers of the relations that are over"}),
    ),
)
"""Always the same, so that a server's prompt cache holds them."""
SCHEMA = {
    "title": "resolution",
    **parameters(operation={"type": "string", "enum": list(get_args(Outcome))}, ids=IDS),
}

NAME = re.compile(rf"\b({'|'.join(get_args(Outcome))})\b")
CALL = re.compile(rf"{NAME.pattern}\s*\(([^()]*)\)")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?![\w.])")
SHARE_OF_INVALID, SHARE_OF_KNOWN = 30, 10
"""Of 100 relations that may conflict with another, those taken to end it and those taken to say the same."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What is to be done about a new relation; `numbers` are those of relations as shown, from 1, each once."""

    outcome: Outcome
    numbers: tuple[int, ...] = ()
    flaws: tuple[str, ...] = ()


def called(reply: Reply, shown: int) -> Resolution:
    """Return what a reply calls, in tool calls or else in its text, with `shown` relations to choose from.

    Raises Misunderstood when it calls nothing, a relation that was not shown, or what cannot be carried out.
    """
    if not reply.tool_calls:
        found = written(reply.text, shown)
        flaws = ("call_in_text: an operation in text instead of a tool call", *found.flaws)
        return Resolution(found.outcome, found.numbers, flaws)
    return agreed([resolution(call.name, arguments_of(call), shown) for call in reply.tool_calls])


def written(text: str, shown: int) -> Resolution:
    """Return what a text calls, as JSON, as a call such as `invalidate([1])`, or by name; raises Misunderstood."""
    value, entries = entries_in(text)
    if entries:
        return agreed([resolution(named(entry), fields_of(entry), shown) for entry in entries])
    if made := CALL.findall(text):
        return agreed([resolution(name, {"ids": NUMBER.findall(given)}, shown) for name, given in made])
    names = set(NAME.findall(text))
    if len(names) == 1:
        fields = value if isinstance(value, Mapping) else {"ids": value}
        return agreed([resolution(names.pop(), fields, shown)])
    raise Misunderstood(f"it does not say which of {', '.join(get_args(Outcome))} to call.")


def resolution(name: object, fields: Mapping[str, Any], shown: int) -> Resolution:
    """Return the resolution that a name and its fields are, with `shown` relations to choose from.

    Raises Misunderstood.
    """
    outcome = name.strip().lower() if isinstance(name, str) else None
    if outcome == "no_conflict":
        return Resolution("no_conflict")
    if outcome not in ("invalidate", "duplicate"):
        raise Misunderstood(f"there is no operation {quoted(name)}.")
    given = next((fields[key] for key in ("ids", "id") if fields.get(key) is not None), None)
    numbers = [number(one, shown) for one in (given if isinstance(given, list) else [given])]
    meant = tuple(dict.fromkeys(one for one in numbers if one is not None))
    if not meant:
        raise BadChoice("wrong_type", f"{outcome} needs the number of a relation, 1 to {shown}.")
    return Resolution("invalidate" if outcome == "invalidate" else "duplicate", meant)


def agreed(found: Sequence[Resolution]) -> Resolution:
    """Return what several resolutions are together; raises BadChoice when they cannot all be meant."""
    once = list(dict.fromkeys(found))
    outcomes = sorted({one.outcome for one in once})
    if len(outcomes) > 1:
        raise BadChoice("conflict", f"{' and '.join(outcomes)} cannot both be meant.")
    numbers = tuple(dict.fromkeys(each for one in once for each in one.numbers))
    if once[0].outcome == "duplicate" and len(numbers) > 1:
        raise BadChoice("conflict", "duplicate names one relation, the one that says the very same.")
    repeated = len(found) - len(once)
    flaws = (f"repeated: the same operation {repeated + 1} times",) if repeated else ()
    return Resolution(once[0].outcome, numbers, flaws)


def as_call(one: Resolution) -> ToolCall:
    """Return a resolution as the tool call that says it."""
    arguments: dict[str, Any] = {}
    if one.outcome == "invalidate":
        arguments["ids"] = list(one.numbers)
    elif one.outcome == "duplicate":
        arguments["id"] = one.numbers[0]
    return ToolCall(one.outcome, arguments, json.dumps(arguments))


def as_json(one: Resolution) -> str:
    """Return a resolution as the JSON object that says it."""
    return json.dumps({"operation": one.outcome, "ids": list(one.numbers)})


def typical(candidate: Candidate) -> Resolution:
    """Return what models mostly choose: most relations of one source stand beside each other."""
    text = candidate.content.text.encode("utf-8", "surrogatepass")
    share = int.from_bytes(hashlib.sha256(text).digest()[:4], "big") % 100
    if share < SHARE_OF_INVALID:
        return Resolution("invalidate", (1,))
    return Resolution("duplicate", (1,)) if share < SHARE_OF_INVALID + SHARE_OF_KNOWN else Resolution("no_conflict")
