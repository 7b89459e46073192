"""The forms of English verbs: which verb a form is of, and its third person singular present."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Kind = Literal["base", "third", "past", "participle", "ing", "noun"]
"""noun: a base form that is far more often a noun where it stands first in a label."""

AUXILIARIES: tuple[tuple[str, str, Kind], ...] = (
    ("be", "is", "base"),
    ("am", "is", "third"),
    ("is", "is", "third"),
    ("are", "is", "third"),
    ("was", "is", "past"),
    ("were", "is", "past"),
    ("been", "is", "participle"),
    ("being", "is", "ing"),
    ("have", "has", "base"),
    ("has", "has", "third"),
    ("had", "has", "past"),
    ("had", "has", "participle"),
    ("having", "has", "ing"),
)
DOUBLES = re.compile(r"(?:[^aeiou]|qu)[aeiou][bdgklmnprtvz]$")
"""Ends in one vowel and one consonant, which is doubled before an ending where the last syllable is stressed."""
ONE_SYLLABLE = re.compile(r"(?:[^aeiouy]|qu|y(?=[aeiou]))*[aeiou][^aeiou]+")


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a verb: its third person singular present, and the kinds of form that it is."""

    third: str
    kinds: frozenset[Kind]


def form(word: str) -> Form | None:
    """Return what a lower-case word is as a form of a verb; None when it is of no verb that is known."""
    return _forms().get(word)


@cache
def _forms() -> dict[str, Form]:
    table = tomllib.loads((files("memlab") / "verbs.toml").read_text(encoding="utf-8"))
    found: dict[str, Form] = {}
    irregular = [one for verb, pasts in table["irregular"].items() for one in _irregular(verb, pasts)]
    regular = [one for verb in table["regular"].split() for one in _regular(verb)]
    as_nouns = [one for verb in table["as_nouns"].split() for one in _regular(verb, "noun")]
    for word, third, kind in (*AUXILIARIES, *irregular, *regular, *as_nouns):
        # A word can be a form of two verbs: `found`. The irregular ones come first, for they are said more often.
        known = found.setdefault(word, Form(third, frozenset()))
        if known.third == third:
            found[word] = Form(third, known.kinds | {kind})
    return found


def _irregular(verb: str, pasts: str) -> Iterator[tuple[str, str, Kind]]:
    past, _, participle = pasts.partition(" ")
    yield from _present(verb)
    for word in past.split("/"):
        yield word, _third(verb), "past"
    for word in (participle or past).split("/"):
        yield word, _third(verb), "participle"


def _regular(verb: str, base: Kind = "base") -> Iterator[tuple[str, str, Kind]]:
    yield from _present(verb, base)
    for stem in _stems(verb):
        past = stem[:-1] + "ied" if re.search("[^aeiou]y$", stem) else stem.removesuffix("e") + "ed"
        yield past, _third(verb), "past"
        yield past, _third(verb), "participle"


def _present(verb: str, base: Kind = "base") -> Iterator[tuple[str, str, Kind]]:
    yield verb, _third(verb), base
    yield _third(verb), _third(verb), "third"
    for stem in _stems(verb):
        silent = stem.endswith("e") and not stem.endswith(("ee", "oe", "ye"))
        yield (
            re.sub("ie$", "y", stem)[: -1 if silent and not stem.endswith("ie") else None] + "ing",
            _third(verb),
            "ing",
        )


def _stems(verb: str) -> Iterator[str]:
    """Yield what endings are added to: with more than one syllable, spellings differ, `traveling` and `travelling`."""
    doubles = bool(DOUBLES.search(verb))
    if not (doubles and ONE_SYLLABLE.fullmatch(verb)):
        yield verb
    if doubles:
        yield verb + verb[-1]


def _third(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if re.search("[^aeiou]y$", verb) else verb + "s"
