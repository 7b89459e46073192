"""What a model answers that was asked for relations: reading it, and the triples that it makes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memlab.dialogue import Turn
from memlab.extract.attribution import QUOTED, number_in, proposed, sources_of
from memlab.extract.ends import Ends
from memlab.extract.entities_reply import first_of, text_in
from memlab.extract.names import is_named, vocabulary
from memlab.extract.rewrite.dates import absolute
from memlab.llm.chat import Reply
from memlab.llm.json_text import found_json
from memlab.llm.understood import Misunderstood
from memlab.memory import Candidate, Entity, Triple
from memlab.relations import canonical

KEYS = ("message", "source", "relation", "destination", "when")
ALIASES: Mapping[str, Sequence[str]] = {
    "message": ("message", "number", "id"),
    "source": ("source", "subject", "head", "from"),
    "relation": ("relation", "relationship", "predicate", "label"),
    "destination": ("destination", "object", "target", "tail", "to"),
    "when": ("when", "date", "time"),
}
"""By the names that models use: those that were asked for, and those of other graphs."""
LISTS = ("relations", "relationships", "triples")
FORM = (
    'write {"relations": [{"message": 1, "source": "...", "relation": "...", "destination": "...", "when": "..."}]}, '
    'or {"relations": []} when there is none.'
)
NO_TIME = frozenset(
    {"", "-", "none", "null", "n/a", "unknown", "unspecified", "not specified", "now", "currently", "present"}
)
WILL_BE = "will be "
LEAD = re.compile(r"(?:on|in|at) (?=\S)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A relation as the model gave it; `message` is None when it gave no number."""

    message: int | None
    source: str
    relation: str
    destination: str
    when: str

    @property
    def text(self) -> str:
        """It in words, for a flaw."""
        return f"{self.source} {self.relation} {self.destination}"


@dataclass(frozen=True, slots=True)
class Made:
    """The candidates that relations make, what was wrong with the others, and names that are no entities."""

    candidates: tuple[Candidate, ...] = ()
    flaws: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def and_of(self, later: "Made") -> "Made":
        """Return what this and a later reply make together: what is in both counts once."""
        known = {one.content for one in self.candidates}
        new = (one for one in later.candidates if one.content not in known)
        flaws = (flaw for flaw in later.flaws if flaw not in self.flaws)
        return Made((*self.candidates, *new), (*self.flaws, *flaws), later.unknown)


class Refused(ValueError):
    """A relation makes no triple; the message is the flaw, `unknown` those of its ends that are no entities."""

    def __init__(self, kind: str, words: str, unknown: tuple[str, ...] = ()) -> None:
        super().__init__(f"{kind}: {words}")
        self.unknown = unknown


def relations_schema(most: int, ends: Sequence[Entity] | None = None) -> dict[str, Any]:
    """Return the JSON schema of a reply with at most so many relations, between these entities only where given."""
    words: dict[str, Any] = {"type": "string"}
    end = words if ends is None else {"type": "string", "enum": [entity.name for entity in ends]}
    relation = {
        "type": "object",
        # The message first: a model that has settled on one attributes what it then writes better.
        "properties": {
            "message": {"type": "integer"},
            "source": end,
            "relation": words,
            "destination": end,
            "when": words,
        },
        "required": list(KEYS),
        "additionalProperties": False,
    }
    return {
        "title": "relations",
        "type": "object",
        "properties": {"relations": {"type": "array", "maxItems": most, "items": relation}},
        "required": ["relations"],
        "additionalProperties": False,
    }


def read_relations(reply: Reply) -> tuple[Drawn | None, ...]:
    """Return the relations of a reply, None for an entry that is none; raises Misunderstood when it is no list of them.

    Besides the form that was asked for, the list alone, a relation alone, a list in place of an object, and several
    names for one end, which make as many relations, are understood.
    """
    try:
        value = found_json(reply.text)
    except ValueError as error:
        raise Misunderstood(f"{error}; {FORM}") from error
    if isinstance(value, dict) and first_of(value, ALIASES["source"]) is None:
        value = first_of(value, LISTS)
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        raise Misunderstood(f'it has no list "relations"; {FORM}')
    if value and all(isinstance(part, str | int | float) for part in value):
        value = [value]
    read = tuple(drawn for entry in value for drawn in drawn_in(entry))
    if value and not any(read):
        raise Misunderstood(f"its relations lack a source, a relation or a destination; {FORM}")
    return read


def drawn_in(entry: object) -> tuple[Drawn | None, ...]:
    """Return the relations that an entry of the list holds, None for one that lacks what it cannot do without."""
    if isinstance(entry, list) and 3 <= len(entry) <= len(KEYS):
        keys = KEYS if number_in(entry[0]) is not None else KEYS[1:]
        entry = dict(zip(keys, entry, strict=False))
    if not isinstance(entry, Mapping):
        return (None,)
    given = {key: first_of(entry, ALIASES[key]) for key in KEYS}
    label = text_in(given["relation"])
    sources, destinations = ends_in(given["source"]), ends_in(given["destination"])
    if not (label and sources and destinations):
        return (None,)
    number, when = number_in(given["message"]), text_in(given["when"]) or ""
    when = "" if when.casefold().strip(" .") in NO_TIME else when
    return tuple(Drawn(number, source, label, destination, when) for source in sources for destination in destinations)


def ends_in(value: object) -> list[str]:
    """Return the names that one end of a relation has; none when any of them is no name."""
    names = [text_in(one) for one in (value if isinstance(value, list) else [value])]
    return [name for name in names if name] if all(names) else []


def made_of(
    read: Sequence[Drawn | None], ends: Ends, turns: Sequence[Turn], owner: str | None, *, most: int, absolutely: bool
) -> Made:
    """Return what relations make, each once, at most so many.

    `turns` are the messages in the order of their numbers, and at least one is the owner's. `absolutely`: "yesterday"
    becomes a date.
    """
    flaws = ["wrong_type: an entry of the relations lacks a source, a relation or a destination"] * read.count(None)
    relations = list(dict.fromkeys(drawn for drawn in read if drawn is not None))
    if len(relations) > most:
        flaws.append(f"too_many: {len(relations)} relations in one reply, of which the first {most} are kept")
    found: dict[Triple, Candidate] = {}
    unknown: dict[str, None] = {}
    for drawn in relations[:most]:
        sources, wrong = sources_of(drawn.text, drawn.message, turns, owner)
        flaws += wrong
        if not sources:
            continue
        if drawn.when and not is_told(drawn.when, turns):
            flaws.append(f"not_in_text: the time {drawn.when[:QUOTED]!r} of {drawn.text[:QUOTED]!r}")
            drawn = replace(drawn, when="")
        try:
            triple = triple_of(drawn, ends, sources, absolutely=absolutely)
        except Refused as refused:
            flaws.append(str(refused))
            unknown |= dict.fromkeys(refused.unknown)
        else:
            found.setdefault(triple, proposed(triple, sources))
    return Made(tuple(found.values()), tuple(flaws), tuple(unknown))


def triple_of(drawn: Drawn, ends: Ends, sources: Sequence[Turn], *, absolutely: bool) -> Triple:
    """Return the triple that a relation is; raises Refused."""
    source, destination = ends.named(drawn.source, sources), ends.named(drawn.destination, sources)
    if source is None or destination is None:
        unknown = tuple(name for name, end in ((drawn.source, source), (drawn.destination, destination)) if end is None)
        strangers = " and ".join(repr(name[:QUOTED]) for name in unknown)
        raise Refused("unknown_entity", f"{strangers} in {drawn.text[:QUOTED]!r}", unknown)
    if source == destination:
        raise Refused("self_loop", repr(drawn.text[:QUOTED]))
    said_at = sources[-1].said_at
    if absolutely:
        source, destination = placed(source, said_at), placed(destination, said_at)
    return Triple(source, canonical(drawn.relation), destination, time_in(drawn.when, said_at, absolutely=absolutely))


def placed(entity: Entity, said_at: datetime) -> Entity:
    """Return an entity under a name that means the same at any time: `yesterday` is a date."""
    return replace(entity, name=time_in(entity.name, said_at, absolutely=True)) if entity.kind == "Date" else entity


def time_in(words: str, said_at: datetime, *, absolutely: bool) -> str:
    """Return the words for a time without `on` or `in` before them."""
    if absolutely:
        # "in two weeks" lies ahead; the rules for whole sentences want that said.
        ahead = WILL_BE if words.casefold().startswith("in ") else ""
        words = absolute(f"{ahead}{words}", said_at).removeprefix(ahead)
    return LEAD.sub("", words, count=1).strip()


def is_told(when: str, turns: Sequence[Turn]) -> bool:
    """Return whether a time is one that the messages tell, or is counted out: a date has a digit, `last week` none."""
    text = " ".join(f"{turn.text} {turn.caption or ''}" for turn in turns)
    return bool(re.search(r"\d", when)) or is_named(when, text, vocabulary(text))
