"""What a clause says of its subject: relations and what they lead to."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.extract.triples.clauses import Clause, content_clause, is_finite, is_unreal
from memlab.extract.triples.kinds import words
from memlab.extract.triples.labels import particles, plain_form
from memlab.extract.triples.phrases import coordinated, phrase
from memlab.extract.triples.referents import Referents
from memlab.memory import Entity

if TYPE_CHECKING:
    from spacy.tokens import Token

OBJECTS = frozenset({"dobj", "dative", "oprd", "attr"})
BROKEN_OFF = frozenset({"conj", "cc", "advcl", "relcl", "nsubj", "nsubjpass", "mark", "csubj", "parataxis", "punct"})
POINTING = frozenset({"PRON", "ADP", "DET", "PUNCT", "PART", "SCONJ", "SPACE", "INTJ"})
SHORT_OBJECT = 2
"""Words that an object may have to stand within a relation: `takes pottery class at`."""


@dataclass(frozen=True, slots=True)
class End:
    """A relation and the entity that it leads to."""

    label: str
    object: Entity


class Ends:
    """Finds what clauses of one statement lead to."""

    def __init__(self, referents: Referents, most_words: int) -> None:
        self._referents = referents
        self._most_words = most_words

    def of(self, clause: Clause) -> list[End]:
        """Return what a clause says; what fits no pattern is told in its own words, as an event."""
        verb, label = clause.group.last, clause.group.label
        objects = list(self._objects(clause))
        ends = [End(label, found) for _, found in objects]
        # A short object is told with the place it belongs to; by itself it would say the same again.
        with_place = list(self._places(verb, label, [head for head, _ in objects]))
        if with_place and len(objects) == 1 and _says_little(verb, objects[0][1]):
            ends = []
        named = {found for _, found in objects}
        ends += [end for end in with_place if end.object not in named]
        if not (with_place and _adjective(verb)):
            ends += self._attributes(verb, label)
        return ends or self._content(verb, label) or self._rest(clause)

    def _objects(self, clause: Clause) -> Iterator[tuple["Token", Entity]]:
        verb = clause.group.last
        for child in verb.children:
            if child.dep_ == "dative" and any(one.dep_ == "dobj" for one in verb.rights):
                continue
            if child.dep_ in OBJECTS and child.pos_ != "ADP" and not (child.dep_ == "attr" and child.pos_ == "ADJ"):
                for head in coordinated(child):
                    if found := self._referents.of(head):
                        yield head, found
        whose = clause.verb.head
        if clause.verb.dep_ == "relcl" and whose not in clause.subjects and not clause.passive:
            taken = any(child.dep_ in {"dobj", "attr", "prep", "advmod"} for child in verb.children)
            if not taken and (found := self._referents.of(whose)):
                yield whose, found

    def _places(self, verb: "Token", label: str, objects: list["Token"]) -> Iterator[End]:
        """Yield what prepositions lead to, the object in the relation: `takes class at`, `lives in`."""
        middle = ""
        if objects and verb.lemma_ != "be":
            name = phrase([one for one in (*objects[0].lefts, objects[0]) if one.dep_ != "poss"], SHORT_OBJECT)
            middle = f" {name.lower() if objects[0].pos_ != 'PROPN' else name}" if name else ""
            if objects[0].pos_ == "PRON":
                middle = ""
        if adjective := _adjective(verb):
            middle = f" {adjective.lower_}"
        for prep in (*verb.rights, *(inner for one in particles(verb) for inner in one.rights)):
            if prep.dep_ == "dative" and prep.pos_ != "ADP" and middle and (found := self._referents.of(prep)):
                yield End(f"{label}{middle} to", found)
            if prep.dep_ in {"prep", "agent", "dative"} and prep.pos_ in {"ADP", "SCONJ", "PART", "ADV"}:
                yield from self._through(prep, f"{label}{middle}")

    def _through(self, prep: "Token", label: str) -> Iterator[End]:
        """Yield what a preposition leads to; one that follows another adds to it, `out of`."""
        label = f"{label} {prep.lower_}"
        for child in prep.children:
            if child.dep_ == "pobj" and child.ent_type_ not in {"DATE", "TIME"}:
                for head in coordinated(child):
                    if found := self._referents.of(head):
                        yield End(label, found)
            elif child.dep_ == "pcomp" and child.pos_ in {"VERB", "AUX"}:
                if told := self._words(child.subtree):
                    yield End(label, Entity(told, "Event"))
            elif child.dep_ == "prep":
                yield from self._through(child, label)

    def _attributes(self, verb: "Token", label: str) -> Iterator[End]:
        """Yield what adjectives say: `is happy`, and `is allergic to` with what comes after."""
        for child in verb.rights:
            if child.dep_ == "acomp" or (child.dep_ == "attr" and child.pos_ == "ADJ"):
                for adjective in coordinated(child):
                    if any(one.dep_ == "ccomp" and is_finite(one) for one in adjective.rights):
                        continue  # `is glad that ...`: its clause tells more
                    own = [one for one in adjective.children if one.dep_ in {"amod", "npadvmod", "advmod", "neg"}]
                    with_own = [inner for one in own for inner in one.subtree]
                    if not (name := phrase([*with_own, adjective], self._most_words)):
                        continue
                    led = list(self._led_on(adjective, f"{label} {name.lower()}"))
                    yield from led or [End(label, Entity(name, "Attribute"))]

    def _led_on(self, adjective: "Token", label: str) -> Iterator[End]:
        for child in adjective.rights:
            if child.dep_ == "prep":
                yield from self._through(child, label)
            elif child.dep_ in {"ccomp", "xcomp"} and (told := self._words(child.subtree)):
                yield End(label, Entity(told, "Event"))

    def _content(self, verb: "Token", label: str) -> list[End]:
        """Return what is hoped or wanted, in its words; what is said or known is told by its own clause."""
        inner = content_clause(verb)
        if inner is None or not (is_unreal(verb) or not is_finite(inner)):
            return []
        told = self._words(inner.subtree)
        return [End(label, Entity(told, "Event"))] if told else []

    def _rest(self, clause: Clause) -> list[End]:
        """Return the words after a verb that has no object; the verb itself where there are none."""
        verb = clause.group.last
        if verb.lemma_ == "be" or content_clause(verb) is not None:
            return []
        after = [one for child in verb.rights if child.dep_ not in BROKEN_OFF for one in child.subtree]
        in_label = {one.i for one in particles(verb)}
        told = self._words([one for one in after if one.i not in in_label])
        if told and any(one.pos_ not in POINTING for one in after):
            return [End(clause.group.label, Entity(told, "Event"))]
        return self._bare(clause)

    def _bare(self, clause: Clause) -> list[End]:
        verb = clause.group.last
        if plain_form(verb) in words("needs_object") or any(child.dep_ in OBJECTS for child in verb.children):
            return []
        with_it = [one.lower_ for one in particles(verb)]
        *lead, last = clause.group.words[: len(clause.group.words) - len(with_it)]
        plain = verb == clause.verb and not clause.passive
        name = " ".join([plain_form(verb) if plain else last, *with_it])
        if lead and lead != ["not"]:
            return [End(" ".join(lead), Entity(name, "Attribute" if lead[-1] == "is" else "Event"))]
        return [End(" ".join([*lead, "does"]), Entity(name, "Event"))]

    def _words(self, tokens: "Iterable[Token]") -> str:
        kept = [one for one in tokens if one.dep_ not in {"punct", "mark", "intj"} and one.tag_ != "TO"]
        return phrase(kept, self._most_words)


def _says_little(verb: "Token", found: Entity) -> bool:
    """Tell whether an object says little without the place it belongs to."""
    return len(found.name.split()) == 1 and (found.kind != "Person" or plain_form(verb) in words("light"))


def _adjective(verb: "Token") -> "Token | None":
    """Return the one adjective that a verb gives its subject: `is hard`."""
    found = [child for child in verb.rights if child.dep_ == "acomp"]
    return found[0] if len(found) == 1 and len(coordinated(found[0])) == 1 else None
