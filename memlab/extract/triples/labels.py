"""The words of a relation: a verb with what makes it another one, `wants to learn`, `is allergic to`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.extract.rewrite.verbs import singular
from memlab.verbs import form

if TYPE_CHECKING:
    from spacy.tokens import Token

MODALS = {"'ll": "will", "’ll": "will", "wo": "will", "ca": "can", "'d": "would", "’d": "would"}
OWN = frozenset({"aux", "auxpass", "nsubj", "nsubjpass"})
"""What a verb has that shares nothing with the one before `and`."""
LONGEST_LABEL = 5
"""Words of a relation; a verb below further verbs belongs to the object."""


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """The words of a relation, and the last of its verbs: that has the objects."""

    words: tuple[str, ...]
    last: "Token"

    @property
    def label(self) -> str:
        """The words as one."""
        return " ".join(self.words)


def is_verb(token: "Token") -> bool:
    """Tell whether a word is a verb of a clause, not a helper of one."""
    return token.pos_ in {"VERB", "AUX"} and token.dep_ not in {"aux", "auxpass", "amod", "compound", "prt"}


def verb_group(verb: "Token") -> VerbGroup:
    """Return the relation that a verb starts: with `not`, modals, the passive, particles, and verbs that follow."""
    words = [*_auxiliaries(verb), *(one.lower_ for one in particles(verb))]
    current = verb
    while following := _following(current):
        link, adjective = following
        if len(words) + 2 + bool(adjective) > LONGEST_LABEL:
            break
        if _is_going_to(current, link):
            words = [word for word in words if word == "not"] + ["will", plain_form(link)]
        else:
            words += [*adjective, *_linked(link)]
        words += [one.lower_ for one in particles(link)]
        current = link
    return VerbGroup(tuple(words), current)


def denied(token: "Token") -> bool:
    """Tell whether a verb stands with `not` or `never`."""
    return any(child.dep_ == "neg" for child in token.children)


def is_passive(verb: "Token") -> bool:
    """Tell whether the subject of a verb is what it is done to."""
    marked = [child for child in verb.children if child.dep_ in {"auxpass", "nsubjpass"}]
    has = any(child.lower_ in {"'s", "’s"} for child in marked) and any(child.dep_ == "dobj" for child in verb.rights)
    return bool(marked) and not has and verb.lemma_ != "be"


def _auxiliaries(verb: "Token") -> list[str]:
    words = ["not"] if denied(verb) else []
    modal = _modal(verb)
    if modal:
        words.append(modal)
    if is_passive(verb):
        return [*words, "be" if modal else "is", verb.lower_]
    auxiliaries = {child.lemma_ for child in verb.lefts if child.dep_ == "aux"}
    if verb.lower_ == "got" and "have" in auxiliaries:
        return [*words, "has"]
    if verb.dep_ == "acl" and verb.tag_ == "VBN":
        return [*words, "is", verb.lower_]
    if verb.lower_ == "used" and _following(verb):
        return [*words, "used"]
    if verb.lemma_ == "be":
        been = verb.tag_ == "VBN" and "have" in auxiliaries and not modal
        return [*words, *(["has", "been"] if been else ["be" if modal else "is"])]
    return [*words, plain_form(verb) if modal else third_person(verb)]


def is_past(verb: "Token") -> bool:
    """Tell whether a verb stands in the simple past: `went`, `was noticed`."""
    return verb.tag_ == "VBD" or any(child.dep_ == "auxpass" and child.tag_ == "VBD" for child in verb.lefts)


def third_person(verb: "Token") -> str:
    """Return a verb as it stands after `she`."""
    lemma = plain_form(verb)
    return "has" if lemma == "have" else singular(lemma)


def plain_form(verb: "Token") -> str:
    """Return the infinitive of a verb; spaCy's for `hopes` is `hop`."""
    lemma: str = verb.lemma_.lower()
    known = form(verb.lower_)
    if (
        known is not None
        and lemma not in {"be", "have"}
        and singular(lemma) != known.third
        and singular(known.third[:-1]) == known.third
    ):
        return known.third[:-1]
    return lemma


def _modal(verb: "Token") -> str:
    """Return `will` of `will write and mail` for both verbs."""
    while True:
        for child in verb.children:
            if child.tag_ == "MD" and child.dep_ == "aux":
                modal: str = child.lower_
                return MODALS.get(modal, modal)
        if verb.dep_ != "conj" or verb.tag_ != "VB" or any(child.dep_ in OWN for child in verb.lefts):
            return ""
        verb = verb.head


def _linked(verb: "Token") -> list[str]:
    """Return a verb that follows another: `to learn`, `working`."""
    to = any(child.tag_ == "TO" for child in verb.lefts)
    passive = ["be"] if is_passive(verb) else []
    return [*(["not"] if denied(verb) else []), *(["to"] if to else []), *passive, verb.lower_]


def particles(verb: "Token") -> list["Token"]:
    """Return the words that make a verb another one: `gives up`, `gets back`."""
    return [child for child in verb.rights if child.dep_ == "prt" or child.lower_ in {"forward", "back"}]


def _following(verb: "Token") -> "tuple[Token, list[str]] | None":
    """Return the verb that goes on the relation, and the adjective between: `is excited to try`."""
    for child in verb.rights:
        if child.dep_ == "xcomp" and _goes_on(child) and not any(one.dep_ in {"dobj", "attr"} for one in verb.rights):
            return child, []
        if child.dep_ == "acomp":
            for inner in child.rights:
                if inner.dep_ == "xcomp" and _goes_on(inner) and any(one.tag_ == "TO" for one in inner.lefts):
                    return inner, [child.lower_]
    return None


def _goes_on(verb: "Token") -> bool:
    own_subject = any(child.dep_ in {"nsubj", "nsubjpass", "mark"} for child in verb.lefts)
    return verb.pos_ in {"VERB", "AUX"} and not own_subject


def _is_going_to(verb: "Token", following: "Token") -> bool:
    to = any(child.tag_ == "TO" for child in following.lefts)
    return verb.lower_ == "going" and to and any(child.dep_ == "aux" for child in verb.lefts)
