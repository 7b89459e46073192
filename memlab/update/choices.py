"""What a model chose for a fact: operations on memories that it was shown, free of contradictions."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar, assert_never

from memlab.context import day
from memlab.gold import Verb
from memlab.llm.chat import Reply
from memlab.llm.understood import Misunderstood
from memlab.memory import Candidate, Memory

Read = TypeVar("Read")

VERBS: Mapping[str, Verb] = {
    "add_memory": "ADD",
    "update_memory": "UPDATE",
    "delete_memory": "DELETE",
    "no_change": "NOOP",
    "add": "ADD",
    "update": "UPDATE",
    "delete": "DELETE",
    "noop": "NOOP",
    "none": "NOOP",
}
"""By the names that models use: those of the tools, and the paper's."""


class BadChoice(Misunderstood):
    """A choice that cannot be carried out; `flaw` is how it is counted."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.flaw = f"{kind}: {message}"


@dataclass(frozen=True, slots=True)
class Choice:
    """One operation; `number` is that of a memory as shown, from 1, and `text` what an UPDATE makes of it."""

    verb: Verb
    number: int | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The choices for one fact, in order, and what was odd about how they came."""

    choices: tuple[Choice, ...]
    flaws: tuple[str, ...] = ()


def choice(name: object, fields: Mapping[str, Any], shown: int) -> Choice:
    """Return the choice that a name and its fields are, with `shown` memories to choose from; raises Misunderstood."""
    verb = VERBS.get(name.strip().lower()) if isinstance(name, str) else None
    if verb is None:
        raise Misunderstood(f"there is no operation {quoted(name)}.")
    match verb:
        case "ADD":
            return Choice(verb)
        case "NOOP":
            return Choice(verb, number(fields.get("id"), shown))
        case "DELETE" | "UPDATE":
            if (named := number(fields.get("id"), shown)) is None:
                raise BadChoice("wrong_type", f"{name} needs the id of a memory, 1 to {shown}.")
            return Choice(verb, named, words(fields.get("text")) if verb == "UPDATE" else None)
        case _:
            assert_never(verb)


def number(value: object, shown: int) -> int | None:
    """Return the number of a shown memory, None when none is named; raises BadChoice for anything else."""
    if value is None:
        return None
    if isinstance(value, str) and value.isascii() and value.strip().isdigit():
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or value % 1:
        raise BadChoice("wrong_type", f"the id {quoted(value)} is not a number, as the ids 1 to {shown} are.")
    if not 1 <= value <= shown:
        raise BadChoice("unknown_id", f"there is no memory {quoted(int(value))}; the ids are 1 to {shown}.")
    return int(value)


def words(value: object) -> str | None:
    """Return a text without white space around it, None when there is none; raises BadChoice for anything else."""
    if not isinstance(value, str | None):
        raise BadChoice("wrong_type", f"the text {quoted(value)} is not a text.")
    return (value or "").strip() or None


def agreed(choices: Sequence[Choice]) -> Chosen:
    """Return the choices for one fact, each once; raises BadChoice when they cannot all be meant."""
    once = tuple(dict.fromkeys(choices))
    verbs = {one.verb for one in once}
    if "NOOP" in verbs and len(verbs) > 1:
        raise BadChoice("conflict", f"to change nothing and to {min(verbs - {'NOOP'})} cannot both be meant.")
    numbers = [one.number for one in once if one.number is not None]
    if twice := sorted({one for one in numbers if numbers.count(one) > 1}):
        raise BadChoice("conflict", f"memory {twice[0]} can be changed in one way only.")
    repeated = len(choices) - len(once)
    return Chosen(once, (f"repeated: the same operation {repeated + 1} times",) if repeated else ())


def noting(read: Callable[[Reply], Read], flaws: list[str]) -> Callable[[Reply], Read]:
    """Return a reader that notes in `flaws` each choice that cannot be carried out, and raises it as `read` does."""

    def reading(reply: Reply) -> Read:
        try:
            return read(reply)
        except BadChoice as error:
            flaws.append(error.flaw)
            raise

    return reading


def numbered(memories: Sequence[Memory]) -> str:
    """Return memories as a model is shown them: a line each, numbered from 1, with the day they were last said."""
    return "\n".join(f"{place}. {dated(one.text, one.updated_at)}" for place, one in enumerate(memories, 1))


def dated(text: str, said_at: datetime) -> str:
    """Return a text on one line after the day it was said."""
    return f"({day(said_at)}) {one_line(text)}"


def one_line(text: str) -> str:
    """Return a text on one line, so that it cannot pass for more memories than one."""
    return " ".join(text.split())


def quoted(value: object) -> str:
    """Return the beginning of a value as JSON."""
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= 60 else f"{written[:57]}..."


def typical(candidate: Candidate, memories: Sequence[Memory]) -> Choice:
    """Return what models mostly choose: 85 of 100 facts are new, 10 add to the closest memory, 5 are known."""
    text = candidate.content.text
    share = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:4], "big") % 100
    if share >= 15 or not memories:
        return Choice("ADD")
    return Choice("NOOP", 1) if share < 5 else Choice("UPDATE", 1, one_line(f"{memories[0].text} {text}"))
