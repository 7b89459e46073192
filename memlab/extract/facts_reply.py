"""What a model answers that was asked for facts: reading it, and whose and which message's each fact is."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memlab.context import day
from memlab.dialogue import Turn
from memlab.extract.attribution import number_in, proposed, sources_of
from memlab.extract.rewrite.dates import absolute
from memlab.llm.chat import Reply
from memlab.llm.json_text import found_json
from memlab.llm.understood import Misunderstood
from memlab.memory import Candidate, Fact

FORM = 'write {"facts": [{"message": 1, "text": "..."}]}, or {"facts": []} when there is none.'


def facts_schema(most: int) -> dict[str, Any]:
    """Return the JSON schema of a reply with at most so many facts: a model that repeats itself would never end."""
    fact = {
        "type": "object",
        # The message first: a model that has settled on one attributes what it then writes better.
        "properties": {"message": {"type": "integer"}, "text": {"type": "string"}},
        "required": ["message", "text"],
        "additionalProperties": False,
    }
    return {
        "title": "facts",
        "type": "object",
        "properties": {"facts": {"type": "array", "maxItems": most, "items": fact}},
        "required": ["facts"],
        "additionalProperties": False,
    }


Make = Callable[[str, Sequence[Turn]], Candidate]


@dataclass(frozen=True, slots=True)
class Told:
    """A fact as the model gave it, and the number of the message that tells it, None when it gave no number."""

    text: str
    message: int | None


def read_facts(reply: Reply) -> tuple[Told | None, ...]:
    """Return the facts of a reply, None for an entry that is none; raises Misunderstood when it is no list of facts.

    Besides the form that was asked for, the list alone, a fact alone and facts as plain texts are understood.
    """
    try:
        value = found_json(reply.text)
    except ValueError as error:
        raise Misunderstood(f"{error}; {FORM}") from error
    if isinstance(value, dict):
        value = value.get("facts", [value] if "text" in value else None)
    if not isinstance(value, list):
        raise Misunderstood(f'it has no list "facts"; {FORM}')
    told = tuple(told_in(entry) for entry in value)
    if value and not any(told):
        raise Misunderstood(f"its facts have no texts; {FORM}")
    return told


def told_in(entry: object) -> Told | None:
    """Return the fact that an entry of the list holds, None when it holds none."""
    text, message = (entry.get("text"), entry.get("message")) if isinstance(entry, dict) else (entry, None)
    return Told(" ".join(text.split()), number_in(message)) if isinstance(text, str) else None


def candidates(
    told: Sequence[Told | None], turns: Sequence[Turn], owner: str | None, *, most: int, make: Make
) -> tuple[list[Candidate], list[str]]:
    """Return the candidates that facts make, and what was wrong with them.

    `turns` are the messages in the order of their numbers, and at least one is the owner's. `make` makes a candidate of
    a text.
    """
    flaws = ["wrong_type: an entry of the facts is no text"] * told.count(None)
    facts = list(dict.fromkeys(fact for fact in told if fact is not None and fact.text))
    if len(facts) > most:
        flaws.append(f"too_many: {len(facts)} facts in one reply, of which the first {most} are kept")
    found: dict[str, Candidate] = {}
    for fact in facts[:most]:
        sources, wrong = sources_of(fact.text, fact.message, turns, owner)
        flaws += wrong
        if sources:
            candidate = make(fact.text, sources)
            found.setdefault(candidate.content.text, candidate)
    return list(found.values()), flaws


def candidate_of(text: str, sources: Sequence[Turn], *, dated: bool, absolutely: bool) -> Candidate:
    """Return a fact that comes from these turns.

    `dated`: its text carries the day it was said on; `absolutely`: "yesterday" in it becomes a date.
    """
    said_at = sources[-1].said_at
    if absolutely:
        text = absolute(text, said_at)
    return proposed(Fact(with_date(text, said_at) if dated else text), sources)


def with_date(text: str, when: datetime) -> str:
    """Return a text that carries a date: `... (8 May 2023)`, unless it already does, in whatever order."""
    month = f"{when:%B}"
    written = rf"0?{when.day}(?:st|nd|rd|th)?(?: of)? {month}|{month} 0?{when.day}(?:st|nd|rd|th)?"
    if re.search(rf"(?<!\d)(?:(?:{written}),? {when.year}|{when:%Y-%m-%d})(?!\d)", text, re.IGNORECASE):
        return text
    return f"{text} ({day(when)})"
