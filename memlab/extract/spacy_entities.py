"""Entities without an LLM: names, and the nouns that a text is about."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memlab.extract.entities import EntityFinder
from memlab.extract.spacy_model import missing_packages, parsed_anew
from memlab.extract.triples.kinds import NAMED, words
from memlab.extract.triples.phrases import entity
from memlab.extract.triples.times import without_times
from memlab.memory import Entity

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

ACTIVITY = frozenset({"pcomp", "xcomp", "dobj", "nsubj", "csubj", "pobj", "conj"})
"""Where a verb in -ing stands for something that is done: `went biking`."""


class SpacyEntities(EntityFinder):
    """Finds names, noun phrases, activities and absolute dates by spaCy's tagger, parser and recogniser of names.

    Articles, `her` and pronouns are left out; a name has at most `most_words` words. The context changes nothing.
    """

    def __init__(self, *, most_words: int) -> None:
        if most_words < 1:
            raise ValueError(f"most_words={most_words} is below 1; 8 is usual")
        self._most_words = most_words

    async def find(self, text: str, context: str = "") -> list[Entity]:
        """Return the entities of a text in the order they are named; of two that differ by case only, the first."""
        left, marks = without_times(" ".join(text.split()))
        doc = await parsed_anew(left)
        dated = [(mark.at, Entity(mark.when, "Date")) for mark in marks if any(map(str.isdigit, mark.when))]
        found = sorted([*dated, *self._named(doc)], key=lambda one: one[0])
        first: dict[str, Entity] = {}
        for _, one in found:
            first.setdefault(one.name.casefold(), one)
        return list(first.values())

    def missing(self) -> list[str]:
        """Return the packages that are not installed, each with the remedy."""
        return missing_packages("entities=spacy")

    def _named(self, doc: "Doc") -> "Iterator[tuple[int, Entity]]":
        for head in _heads(doc):
            if head.pos_ == "VERB":
                yield head.idx, Entity(head.text, "Event")
            elif found := entity(head, _persons(doc), self._most_words):
                yield head.idx, found
        for span in doc.ents:
            kind = NAMED.get(span.label_, "")
            if kind and kind != "Date" and (found := entity(span.root, _persons(doc), self._most_words)):
                yield span.start_char, found


def _heads(doc: "Doc") -> "Iterator[Token]":
    """Yield the head words of noun phrases, of those that own something, and of activities."""
    for token in doc:
        question_word = token.tag_ in {"WP", "WDT", "WRB", "WP$"} or any(
            one.tag_ in {"WDT", "WP$"} for one in token.lefts
        )
        if question_word and token.lemma_.lower() in {"kind", "type", "thing", "sort", "what", "which", "who"}:
            continue
        hyphenated = token.i + 1 < len(doc) and doc[token.i + 1].tag_ == "HYPH"
        if token.pos_ in {"NOUN", "PROPN"} and token.dep_ not in {"compound", "nmod"} and not hyphenated:
            if token.dep_ == "poss" and not any(one.tag_ == "POS" for one in token.rights):
                continue
            yield token
        elif token.tag_ == "VBG" and _is_activity(token) and not any(one.dep_ == "aux" for one in token.lefts):
            yield from (one for one in (token,) if one.lemma_ not in words("needs_object"))


def _is_activity(verb: "Token") -> bool:
    return verb.dep_ in ACTIVITY or (verb.dep_ == "advcl" and verb.head.lemma_ == "go")


def _persons(doc: "Doc") -> frozenset[str]:
    return frozenset(token.text for token in doc if token.ent_type_ == "PERSON" and token.pos_ == "PROPN")
