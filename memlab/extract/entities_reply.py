"""What a model answers that was asked for entities: reading it, and which of them the text really names."""

from collections.abc import Mapping, Sequence
from typing import Any

from memlab.extract.attribution import QUOTED
from memlab.extract.names import is_named, name_words, vocabulary
from memlab.llm.chat import Reply
from memlab.llm.json_text import found_json
from memlab.llm.understood import Misunderstood
from memlab.memory import ENTITY_KINDS, Entity

FORM = 'write {"entities": [{"name": "...", "type": "..."}]}, or {"entities": []} when there is none.'
KINDS = {kind.casefold(): kind for kind in ENTITY_KINDS}
UNTYPED = "Concept"
"""The type of an entity that was given none."""
LONGEST_KIND = 40
"""Characters of a type that are kept."""
NAME_KEYS = ("name", "entity", "text", "value")
KIND_KEYS = ("type", "kind", "label", "category")


def entities_schema(most: int) -> dict[str, Any]:
    """Return the JSON schema of a reply with at most so many entities: a model that repeats itself would never end."""
    entity = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "type": {"type": "string", "enum": list(ENTITY_KINDS)}},
        "required": ["name", "type"],
        "additionalProperties": False,
    }
    return {
        "title": "entities",
        "type": "object",
        "properties": {"entities": {"type": "array", "maxItems": most, "items": entity}},
        "required": ["entities"],
        "additionalProperties": False,
    }


def read_entities(reply: Reply) -> tuple[Entity | None, ...]:
    """Return the entities of a reply, None for an entry that is none; raises Misunderstood when it is no list of them.

    Besides the form that was asked for, the list alone, an entity alone, names as plain texts, pairs, and types by name
    are understood. The type of an entity without any is "".
    """
    try:
        value = found_json(reply.text)
    except ValueError as error:
        raise Misunderstood(f"{error}; {FORM}") from error
    if isinstance(value, dict):
        value = value.get("entities", value)
    if isinstance(value, dict) and first_of(value, NAME_KEYS) is not None:
        value = [value]
    elif isinstance(value, dict) and value and all(isinstance(kind, str) for kind in value.values()):
        value = list(value.items())
    if not isinstance(value, list):
        raise Misunderstood(f'it has no list "entities"; {FORM}')
    read = tuple(entity_in(entry) for entry in value)
    if value and not any(read):
        raise Misunderstood(f"its entities have no names; {FORM}")
    return read


def entity_in(entry: object) -> Entity | None:
    """Return the entity that an entry of the list is, None when it is none or has no name."""
    if isinstance(entry, Mapping):
        name, kind = text_in(first_of(entry, NAME_KEYS)), text_in(first_of(entry, KIND_KEYS))
    elif isinstance(entry, list | tuple) and len(entry) == 2:
        name, kind = text_in(entry[0]), text_in(entry[1])
    else:
        name, kind = text_in(entry), None
    return Entity(name, clean_kind(kind or "")) if name else None


def first_of(entry: Mapping[str, Any], keys: Sequence[str]) -> object:
    """Return the value of the first of the keys that an object has; None when it has none."""
    return next((entry[key] for key in keys if key in entry), None)


def text_in(value: object) -> str | None:
    """Return the one text that a value plainly means: itself, a number, the one of a list, the name of an object."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, list) and len(value) == 1:
        return text_in(value[0])
    return text_in(first_of(value, NAME_KEYS)) if isinstance(value, Mapping) else None


def clean_kind(kind: str) -> str:
    """Return a type in the spelling of memlab's own ones, or as it was given, with a capital and not too long."""
    kept = " ".join(kind.replace("_", " ").split())[:LONGEST_KIND].strip()
    return KINDS.get(kept.casefold(), kept[:1].upper() + kept[1:])


def kept_entities(
    read: Sequence[Entity | None], text: str, *, most: int, grounded: bool
) -> tuple[list[Entity], list[str]]:
    """Return each entity once, at most so many, and what was wrong with them.

    `grounded`: only those whose name is in the text.
    """
    flaws = ["wrong_type: an entry of the entities has no name"] * read.count(None)
    words = vocabulary(text) if grounded else frozenset[str]()
    found: dict[tuple[str, ...], Entity] = {}
    for entity in read:
        if entity is None or (same := name_words(entity.name)) in found:
            continue
        if grounded and not is_named(entity.name, text, words):
            flaws.append(f"not_in_text: {entity.name[:QUOTED]!r}")
            continue
        if not entity.kind:
            flaws.append(f"wrong_type: {entity.name[:QUOTED]!r} has no type")
        found[same] = Entity(entity.name, entity.kind or UNTYPED)
    if len(found) > most:
        flaws.append(f"too_many: {len(found)} entities in one reply, of which the first {most} are kept")
    return list(found.values())[:most], flaws
