"""The clauses of a parse: whose they are, what they say, and which of them tell nothing that is the case."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.extract.triples.kinds import words
from memlab.extract.triples.labels import VerbGroup, is_passive, is_verb, plain_form, verb_group
from memlab.extract.triples.phrases import coordinated

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

SUBJECTS = frozenset({"nsubj", "nsubjpass"})
ON_CONDITION = frozenset({"if", "unless", "whether", "though", "than"})


@dataclass(frozen=True, slots=True)
class Clause:
    """One verb and whose it is. `passive`: the subjects are what it is done to."""

    verb: "Token"
    subjects: tuple["Token", ...]
    group: VerbGroup
    passive: bool


def clauses(doc: "Doc", start: int = 0) -> Iterator[Clause]:
    """Yield the clauses that tell something, from character `start` on; questions and orders tell nothing."""
    for sentence in doc.sents:
        if sentence.end_char <= start or asks(sentence):
            continue
        supposed = _supposed(sentence)
        for token in sentence:
            if not is_verb(token) or token.i in supposed or _goes_on_another(token):
                continue
            subjects = _subjects(token)
            if subjects:
                yield Clause(token, tuple(subjects), _group(token), _is_done_to(token))


def asked_clause(sentence: "Span") -> Clause | None:
    """Return the main clause of a question; None for one without a verb or without somebody it is about."""
    verb = sentence.root
    subjects = _subjects(verb) if is_verb(verb) else []
    return Clause(verb, tuple(subjects), _group(verb), _is_done_to(verb)) if subjects else None


def asks(sentence: "Span") -> bool:
    """Tell whether a sentence is a question."""
    return str(sentence.text).rstrip(" \"'”)").endswith("?")


def is_finite(verb: "Token") -> bool:
    """Tell whether a verb stands in a tense, by itself or by its helper."""
    helpers = [child for child in verb.lefts if child.dep_ in {"aux", "auxpass"}]
    return any(one.tag_ in {"MD", "VBD", "VBZ", "VBP"} for one in (verb, *helpers))


def content_clause(verb: "Token") -> "Token | None":
    """Return the verb of what is said or thought: of `Tim will win` in `hopes Tim will win`."""
    return next((child for child in verb.rights if child.dep_ == "ccomp" and is_verb(child)), None)


def is_unreal(verb: "Token") -> bool:
    """Tell whether what a verb speaks of need not be the case: hoped, asked or imagined."""
    return plain_form(verb) in words("unreal")


def _supposed(sentence: "Span") -> frozenset[int]:
    """Return the places of all words of clauses that are only supposed."""
    places: set[int] = set()
    for token in sentence:
        conditional = token.dep_ == "mark" and token.lower_ in ON_CONDITION
        hoped = token.dep_ == "ccomp" and (is_unreal(token.head) or not is_finite(token)) and token.head.i < token.i
        if conditional:
            places |= {one.i for one in token.head.subtree}
        elif hoped:
            places |= {one.i for one in token.subtree}
    return frozenset(places)


def _goes_on_another(verb: "Token") -> bool:
    """Tell whether a verb is a part of the relation or of the object of another one."""
    return verb.dep_ in {"xcomp", "pcomp", "csubj"} or (verb.dep_ == "conj" and verb.head.dep_ in {"pcomp", "csubj"})


def _group(verb: "Token") -> VerbGroup:
    """Return the relation of a verb; one joined to a verb that goes on another takes what comes before that, too."""
    group = verb_group(verb)
    if verb.dep_ == "conj" and verb.head.dep_ == "xcomp" and not _own_subjects(verb):
        before = verb_group(_first_of_chain(verb.head))
        if verb.head.lower_ in before.words and verb.tag_ == verb.head.tag_:
            lead = before.words[: before.words.index(verb.head.lower_)]
            return VerbGroup((*lead, verb.lower_, *group.words[1:]), group.last)
    return group


def _first_of_chain(verb: "Token") -> "Token":
    while verb.dep_ in {"xcomp", "acomp"}:
        verb = verb.head
    return verb


def _is_done_to(verb: "Token") -> bool:
    return is_passive(verb) or (verb.dep_ == "acl" and verb.tag_ == "VBN")


def _own_subjects(verb: "Token") -> list["Token"]:
    own = [child for child in verb.children if child.dep_ in SUBJECTS]
    # A name that looks like a word, `Tim`, is taken for a time or a cry by the parser.
    return own or [child for child in verb.lefts if child.pos_ == "PROPN" and child.dep_ in {"npadvmod", "intj", "dep"}]


def _subjects(verb: "Token") -> list["Token"]:
    """Return whose a verb is, several where `and` joins them; none for an order."""
    while not (own := _own_subjects(verb)):
        match verb.dep_:
            case "conj" | "xcomp" | "advcl" if verb.head != verb and is_verb(verb.head):
                orders = verb.dep_ == "conj" and verb.tag_ == "VB" and is_finite(verb.head)
                if orders and not _has_helper(verb.head):
                    return []
                verb = verb.head
            case "acl" if verb.tag_ in {"VBG", "VBN"}:
                return [verb.head]
            case "relcl" if is_finite(verb):
                return [verb.head]
            case _:
                return []
    return [one for one in coordinated(own[0]) if one.lower_ != "others"]


def _has_helper(verb: "Token") -> bool:
    return any(child.dep_ == "aux" for child in verb.lefts)
