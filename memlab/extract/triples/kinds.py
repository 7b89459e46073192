"""The type of an entity, from its head word and what spaCy takes a name for."""

import tomllib
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from memlab.extract.rewrite.words import words as rewrite_words

if TYPE_CHECKING:
    from spacy.tokens import Token

NAMED = MappingProxyType(
    {
        "PERSON": "Person",
        "GPE": "Location",
        "LOC": "Location",
        "FAC": "Location",
        "ORG": "Organization",
        "NORP": "Concept",
        "EVENT": "Event",
        "WORK_OF_ART": "Object",
        "PRODUCT": "Object",
        "LANGUAGE": "Concept",
        "LAW": "Concept",
        "DATE": "Date",
        "TIME": "Date",
    }
)
"""Types of entities by spaCy's labels of names (OntoNotes 5)."""
NUMERIC = frozenset({"CARDINAL", "ORDINAL", "MONEY", "PERCENT", "QUANTITY"})


@cache
def words(name: str) -> frozenset[str]:
    """Return the words of one list of `kinds.toml`."""
    return frozenset(_lists()[name].split())


def kind_of(head: "Token", people: Collection[str]) -> str:
    """Return the type of what a noun, or another word, is the head of; `people` are names known to be persons'."""
    if head.text in people:
        return "Person"
    if head.pos_ == "PROPN":
        known = _of_noun(head.lemma_.lower())
        return "Person" if not known and _acts(head) else NAMED.get(head.ent_type_) or known or "Object"
    if head.pos_ in {"VERB", "AUX"}:
        return "Event"
    if head.pos_ in {"ADJ", "ADV", "NUM"} or head.ent_type_ in NUMERIC:
        return "Attribute"
    if head.ent_type_ in {"DATE", "TIME"}:
        return "Date"
    return _of_noun(head.lemma_.lower()) or ("Event" if head.tag_ == "VBG" else "Object")


def _acts(name: "Token") -> bool:
    """Tell whether a single name stands where persons do; the recogniser misses many, or takes them for companies."""
    single = name.text.istitle() and not any(child.dep_ in {"compound", "det", "amod"} for child in name.children)
    place = name.dep_ == "poss" or (name.dep_ == "nsubj" and not name.is_sent_start)
    return single and place and name.ent_type_ in {"", "ORG", "PRODUCT", "WORK_OF_ART", "NORP"}


def _of_noun(lemma: str) -> str | None:
    for kind in ("Person", "Location", "Event", "Object", "Concept"):
        if lemma in _nouns(kind):
            return kind
    return "Concept" if lemma.endswith(tuple(words("concept_endings"))) else None


@cache
def _nouns(kind: str) -> frozenset[str]:
    own = words(kind.lower())
    if kind != "Person":
        return own
    pets = frozenset({"dog", "cat", "pet", "puppy", "pup", "kitten", "kitty", "turtle", "snake", "bunny", "rabbit"})
    persons = rewrite_words("women", "men", "anybody", "woman", "man", "somebody")
    return own | persons - pets - words("object")


@cache
def _lists() -> dict[str, str]:
    text = (files("memlab.extract.triples") / "kinds.toml").read_text(encoding="utf-8")
    lists: dict[str, str] = tomllib.loads(text)
    return lists
