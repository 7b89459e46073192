"""Relation labels: their one spelling, and which of them cannot both hold of the same source."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from memlab.labels import canonical as canonical
from memlab.verbs import form

FAVORITE = re.compile(r"(?:has_|is_)?(?:my_|his_|her_|their_)?(favorite_.+?)(?:_is)?")
NAMES_AN_END = ("stops_", "quits_")


@dataclass(frozen=True, slots=True)
class Slot:
    """What labels have in common that say the same thing of a source.

    `single`: a source has one destination at a time. `names`: that holds only between destinations that are names.
    """

    name: str
    single: bool
    names: bool = False


@lru_cache(maxsize=1 << 14)
def slot(label: str) -> Slot | None:
    """Return what a canonical label speaks of, as a home or an age; None for most labels."""
    known = _tables().slots.get(label)
    if known is None and (found := FAVORITE.fullmatch(label)):
        return Slot(found[1], single=True)
    return known


def single_valued(label: str) -> bool:
    """Return whether a source has one destination at a time by this label, as a home; not so `likes`."""
    found = slot(label)
    return found is not None and found.single


def synonyms(new: str, old: str) -> bool:
    """Return whether two canonical labels say the same of a source: one label, or two of one slot."""
    return new == old or ((found := slot(new)) is not None and found == slot(old))


def may_conflict(new: str, old: str) -> bool:
    """Return whether two canonical labels of one source can exclude each other: the same, of one slot, or opposed."""
    return synonyms(new, old) or opposed(new, old)


def opposed(new: str, old: str) -> bool:
    """Return whether a new label denies an old one of the same source and destination.

    `likes` and `dislikes`, `x` and `not_x` deny each other; `sells` denies `owns`, but not the other way round.
    """
    tables = _tables()
    if (new, old) in tables.opposed:
        return True
    return any(synonyms(denied, old) for denied in _denied(new)) or (
        old.startswith("not_") and synonyms(new, old.removeprefix("not_"))
    )


def lasting(label: str) -> bool:
    """Return whether a canonical label is known to tell of a state, as a home or a liking, not of what happens."""
    return slot(label) is not None or label in _tables().states


def passing(label: str) -> bool:
    """Return whether a canonical label, or the one that it denies, tells of what is done at some time: `does`."""
    return label.removeprefix("not_") in _tables().passing


@lru_cache(maxsize=1 << 14)
def _denied(label: str) -> tuple[str, ...]:
    """Return the label that a label itself denies, `lives_in` for `not_lives_in`; none for most."""
    if label.startswith("not_"):
        return (label.removeprefix("not_"),)
    if label.startswith("used_to_"):
        return (canonical(label.removeprefix("used_to_")),)
    for head in NAMES_AN_END:
        first, _, rest = label.removeprefix(head).partition("_")
        known = form(first) if label.startswith(head) else None
        if known and "ing" in known.kinds:
            return (f"{known.third}_{rest}" if rest else known.third,)
    return ()


@dataclass(frozen=True, slots=True)
class _Tables:
    slots: dict[str, Slot]
    opposed: frozenset[tuple[str, str]]
    states: frozenset[str]
    passing: frozenset[str]


@cache
def _tables() -> _Tables:
    table: dict[str, Any] = tomllib.loads((files("memlab") / "relations.toml").read_text(encoding="utf-8"))
    slots = {
        label: Slot(name, one["single"], one.get("names", False))
        for name, one in table["slots"].items()
        for label in one["labels"].split()
    }
    opposites = [(one["one"].split(), one["other"].split()) for one in table["opposed"]]
    ended = [(one["by"].split(), one["states"].split()) for one in table["ended"]]
    one_way = [*opposites, *((other, one) for one, other in opposites), *ended]
    return _Tables(
        slots,
        opposed=frozenset((new, old) for side, other in one_way for new in side for old in other),
        states=frozenset(label for sides in opposites for side in sides for label in side),
        passing=frozenset(table["passing"]["labels"].split()),
    )
