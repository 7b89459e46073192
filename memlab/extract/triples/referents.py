"""What a pronoun stands for, as far as the statement itself tells."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.extract.rewrite.words import words as rewrite_words
from memlab.extract.triples.kinds import words
from memlab.extract.triples.phrases import entity, phrase
from memlab.memory import Entity

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

SPEAKER = frozenset({"i", "me", "we", "us", "myself", "ourselves"})
SOMEBODY = frozenset({"he", "him", "she", "her", "himself", "herself"})
SOMETHING = frozenset({"it", "itself", "this", "that"})
SEVERAL = frozenset({"they", "them", "themselves", "these", "those"})
RELATIVE = frozenset({"that", "which", "who", "whom"})
WIDE = frozenset({"nsubj", "nsubjpass", "dobj", "attr", "pobj", "conj", "ROOT", "appos", "oprd"})


@dataclass(frozen=True, slots=True)
class _Named:
    """An entity, and the word of the statement that names it."""

    head: "Token"
    entity: Entity


class Referents:
    """The things and persons of a statement in the order they are named; `people` are the two speakers."""

    def __init__(self, doc: "Doc", speaker: str, people: Collection[str], most_words: int) -> None:
        self.speaker = Entity(speaker, "Person")
        self._people = people
        self._most_words = most_words
        heads = (token for token in doc if token.pos_ in {"NOUN", "PROPN"} and token.dep_ in WIDE)
        self._named = [_Named(head, found) for head in heads if (found := entity(head, people, most_words))]

    def of(self, head: "Token") -> Entity | None:
        """Return what a noun or pronoun stands for; None when that cannot be told."""
        lower = head.lower_
        if head.pos_ in {"VERB", "AUX"}:
            inner = [one for one in head.subtree if not _joined_to(one, head)]
            name = phrase([one for one in inner if one.tag_ != "TO"], self._most_words)
            return Entity(name, "Event") if name else None
        if head.pos_ not in {"PRON", "DET"}:
            return entity(head, self._people, self._most_words)
        if lower in SPEAKER:
            return self.speaker
        if head.dep_ != "det" and lower in RELATIVE and (antecedent := _antecedent(head)) is not None:
            return self.of(antecedent)
        if lower in SOMEBODY:
            return self._latest(head, lambda one: one.entity.kind == "Person" and self._fits(lower, one.head))
        if lower in SOMETHING:
            return self._spoken_of(head)
        if lower in SEVERAL:
            return self._several(head)
        return entity(head, self._people, self._most_words)

    def _latest(self, pronoun: "Token", fits: "Callable[[_Named], bool]") -> Entity | None:
        """Return the nearest named before, of an earlier clause: what is named beside the pronoun is something else."""
        for one in reversed(self._named):
            if one.head.i < pronoun.i and one.head.head != pronoun.head and fits(one):
                return one.entity
        return None

    def _spoken_of(self, pronoun: "Token") -> Entity | None:
        """Return what `it` is: what the clause before is about, else what it does something to, or where."""
        for verb in reversed([token for token in pronoun.doc[: pronoun.i] if _is_main(token)]):
            if verb == pronoun.head:
                continue
            parts = sorted((part for part in _parts(verb) if part.i < pronoun.i), key=lambda part: part.dep_ != "nsubj")
            for part in parts:
                found = next((one.entity for one in self._named if one.head == part), None)
                if found and found.kind not in {"Person", "Date"} and part.tag_ not in {"NNS", "NNPS"}:
                    return found
        return None

    def _fits(self, pronoun: str, token: "Token") -> bool:
        lemma = token.lemma_.lower()
        wrong = rewrite_words("men", "man") if pronoun.startswith(("she", "her")) else rewrite_words("women", "woman")
        # The rewriting rules name the speakers wherever they are spoken of.
        if token.dep_ in {"attr", "oprd"}:
            return False  # `Clara is a nurse`: nobody else is named
        return token.text not in self._people and lemma not in wrong and token.tag_ not in {"NNS", "NNPS"}

    def _several(self, pronoun: "Token") -> Entity | None:
        for one in reversed(self._named):
            token = one.head
            if token.i >= pronoun.i or token.head == pronoun.head:
                continue
            joined = one.entity.kind == "Person" and any(child.dep_ == "conj" for child in token.rights)
            if joined or token.tag_ in {"NNS", "NNPS"} or token.lemma_.lower() in words("groups"):
                return one.entity
        return None


def _joined_to(token: "Token", head: "Token") -> bool:
    """Tell whether a word belongs to what `and` joins to a verb."""
    while token != head:
        if token.head == head:
            return token.dep_ in {"conj", "cc", "punct"}
        token = token.head
    return False


def _is_main(token: "Token") -> bool:
    return token.pos_ in {"VERB", "AUX"} and token.dep_ in {"ROOT", "conj", "ccomp", "parataxis", "advcl"}


def _parts(verb: "Token") -> "Iterator[Token]":
    """Yield the subject and the objects of a verb, and of those that go on it; last what prepositions lead to."""
    later, verbs = [], [verb]
    for one in verbs:
        for child in one.children:
            if child.dep_ in {"nsubj", "nsubjpass", "dobj", "attr"}:
                yield child
            elif child.dep_ == "xcomp":
                verbs.append(child)
            elif child.dep_ in {"prep", "agent"}:
                later += [inner for inner in child.children if inner.dep_ == "pobj"]
    yield from later


def _antecedent(pronoun: "Token") -> "Token | None":
    """Return the noun that a relative clause is about."""
    clause: Token = pronoun
    while clause.dep_ != "relcl":
        if clause.head == clause or clause.dep_ == "ROOT":
            return None
        clause = clause.head
    return clause.head
