"""The words of the synthetic conversations: read from words/<split>/, checked, kept."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from memlab.datasets.dataset import DatasetError
from memlab.datasets.synthetic.kinds import Kind, kinds
from memlab.datasets.synthetic.template import Template
from memlab.datasets.synthetic.word_rules import CHATTER, Split, chatter_faults, faults

SHOWN_FAULTS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """How a kind of fact is spoken of: its values, those of its aspects, templates by their dotted section."""

    kind: Kind
    values: tuple[str, ...]
    aspects: Mapping[str, tuple[str, ...]]
    templates: Mapping[str, tuple[Template, ...]]
    inferences: tuple[tuple[Template, Template], ...]
    """What follows from the fact without being said: question and gold."""


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """All words of a split: of each kind, and around the facts (a text is one or several messages)."""

    kinds: Mapping[str, Words]
    chatter: Mapping[str, tuple[tuple[Template, ...], ...]]


def word_folder(split: Split) -> Traversable:
    """Return the folder of a split's words."""
    return files(__package__) / "words" / split


@cache
def vocabulary(split: Split) -> Vocabulary:
    """Return the words of a split; raises DatasetError with what is missing or malformed, file by file."""
    return read_words(word_folder(split), split)


def read_words(folder: Traversable, split: Split, wanted: Sequence[str] | None = None) -> Vocabulary:
    """Return the words in a folder, of all kinds unless some are named; raises DatasetError with all that is wrong."""
    found: list[str] = []
    words = {}
    for kind in kinds().values():
        if wanted is not None and kind.name not in wanted:
            continue
        sections = _sections(folder / f"{kind.name}.toml", found)
        wrong = [] if sections is None else list(faults(kind, sections, split))
        found += [f"{kind.name}.toml: {fault}" for fault in wrong]
        if sections is not None and not wrong:
            words[kind.name] = _words(kind, sections)
    sections = _sections(folder / "chatter.toml", found) or {}
    found += [f"chatter.toml: {fault}" for fault in chatter_faults(sections, split)] if sections else []
    if found:
        more = f"; and {len(found) - SHOWN_FAULTS} more" if len(found) > SHOWN_FAULTS else ""
        raise DatasetError(
            f"synthetic: the words of split={split} cannot be used: {'; '.join(found[:SHOWN_FAULTS])}{more}"
        )
    chatter = {
        name: tuple(
            tuple(Template(message) for message in ([text] if isinstance(text, str) else text))
            for text in sections[name]
        )
        for name in CHATTER
    }
    return Vocabulary(words, chatter)


def _sections(file: Traversable, found: list[str]) -> dict[str, list[Any]] | None:
    """Return the lists of a file by their dotted names, None after noting why there are none."""
    if not file.is_file():
        found.append(f"{file.name} is missing")
        return None
    try:
        return dict(_flat(tomllib.loads(file.read_text("utf-8"))))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        found.append(f"{file.name}: {error}")
        return None


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, list[Any]]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value if isinstance(value, list) else [value]


def _words(kind: Kind, sections: Mapping[str, list[Any]]) -> Words:
    plain = {"values", "ask.infer", *(f"aspects.{aspect}" for aspect in kind.aspects)}
    return Words(
        kind,
        apart(sections["values"]),
        {aspect: apart(sections[f"aspects.{aspect}"]) for aspect in kind.aspects},
        {name: tuple(map(Template, texts)) for name, texts in sections.items() if name not in plain},
        tuple((Template(one["text"]), Template(one["gold"])) for one in sections.get("ask.infer", ())),
    )


def apart(values: Sequence[str]) -> tuple[str, ...]:
    """Return the values without those that contain an earlier one or are contained in it: no text could tell them."""
    kept: list[str] = []
    for value in values:
        text = value.casefold()
        if not any(text in other.casefold() or other.casefold() in text for other in kept):
            kept.append(value)
    return tuple(kept)
