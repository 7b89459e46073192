"""What an answer says together with the question it answers."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from memlab.extract.triples.clauses import Clause, asked_clause
from memlab.extract.triples.ends import Ends
from memlab.extract.triples.kinds import kind_of
from memlab.extract.triples.phrases import phrase
from memlab.extract.triples.referents import Referents
from memlab.memory import Entity, Triple
from memlab.relations import canonical

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

YES = frozenset({"yes", "yeah", "yep", "yup", "sure", "definitely", "absolutely", "totally", "indeed", "yea"})
NO = frozenset({"no", "nope", "nah", "not"})
WH = frozenset({"WDT", "WP", "WP$", "WRB"})


def answered(
    doc: "Doc", told: int, referents: Referents, ends: Ends, people: Collection[str], most_words: int
) -> list[Triple]:
    """Return a question as what its answer makes of it: affirmed, denied, or with the answer as what was asked for."""
    questions = [sentence for sentence in doc.sents if sentence.start_char < told]
    answers = [sentence for sentence in doc.sents if sentence.start_char >= told]
    if not questions or not answers or (clause := asked_clause(questions[-1])) is None:
        return []
    subjects = [found for token in clause.subjects if (found := referents.of(token))]
    if not subjects or any(token.tag_ in WH for one in clause.subjects for token in one.subtree):
        return []
    if any(token.tag_ in WH for token in questions[-1]):
        return _filled(subjects[0], clause, answers[0], people, most_words)
    first = answers[0][0].lower_
    if first not in YES | NO:
        return []
    denied = "not " if first in NO else ""
    return [Triple(subjects[0], canonical(f"{denied}{end.label}"), end.object) for end in ends.of(clause)]


def _filled(subject: Entity, clause: Clause, answer: "Span", people: Collection[str], most_words: int) -> list[Triple]:
    """Return the answer to a question word: only one that is no sentence of its own."""
    if any(token.dep_ in {"nsubj", "nsubjpass"} for token in answer):
        return []
    name = phrase([token for token in answer if token.lower_ not in YES and token.dep_ != "intj"], most_words)
    if not any(map(str.isalnum, name)) or name.casefold() == subject.name.casefold():
        return []
    objects = [child for child in clause.group.last.rights if child.dep_ == "dobj"]
    middle = [phrase([*objects[0].lefts, objects[0]], 2)] if objects else []
    stranded = [child.lower_ for child in clause.group.last.rights if child.dep_ == "prep" and not list(child.children)]
    where = any(token.lower_ == "where" for token in clause.verb.lefts) and not stranded
    label = " ".join([clause.group.label, *middle, *stranded, *(["in"] if where else [])])
    return [Triple(subject, canonical(label), Entity(name, kind_of(answer.root, people)))]
