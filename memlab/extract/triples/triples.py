"""From a heard statement to triples."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memlab.extract.triples.clauses import Clause, clauses
from memlab.extract.triples.ends import End, Ends
from memlab.extract.triples.kinds import words
from memlab.extract.triples.labels import is_past, third_person
from memlab.extract.triples.phrases import phrase
from memlab.extract.triples.referents import Referents
from memlab.extract.triples.replies import answered
from memlab.extract.triples.times import Mark
from memlab.memory import Entity, Triple
from memlab.relations import canonical

if TYPE_CHECKING:
    from spacy.tokens import Doc


OPENING = frozenset({",", ".", "!", "?", ";", ":", "..."})


class Statement:
    """A parsed statement: what it says as triples. `told` is where the speaker's own words begin, after a question."""

    def __init__(
        self, doc: "Doc", *, told: int, marks: Sequence[Mark], speaker: str, people: Collection[str], most_words: int
    ) -> None:
        self._doc = doc
        self._told = told
        self._people = people
        self._most_words = most_words
        self._speaker = Entity(speaker, "Person")
        self._referents = Referents(doc, speaker, people, most_words)
        self._ends = Ends(self._referents, most_words)
        self._clauses = list(clauses(doc, told))
        self._marks = marks
        self._when = self._times(marks)

    def triples(self) -> list[Triple]:
        """Return what the statement says, in the order of its words; no triple comes twice."""
        found = [*self._kin(), *(triple for clause in self._clauses for triple in self._of(clause))]
        told = " ".join(triple.when for triple in found)
        lost = [mark.when for mark in self._marks if mark.when not in told]
        if self._told:
            args = (self._doc, self._told, self._referents, self._ends, self._people, self._most_words)
            if answers := answered(*args):
                found = [*(replace(answer, when=", ".join(lost)) for answer in answers), *found]
                lost = []
        return list(dict.fromkeys([*found, *(self._as_words(", ".join(lost)) if lost else [])]))

    def as_words(self) -> list[Triple]:
        """Return that the speaker says the longest sentence, shortened: for a statement that gives no other triple."""
        return self._as_words("")

    def _as_words(self, when: str) -> list[Triple]:
        sentences = [sentence for sentence in self._doc.sents if sentence.end_char > self._told]
        telling = max((phrase(sentence, self._most_words) for sentence in sentences), key=len, default="")
        if not any(map(str.isalpha, telling)):
            return []
        return [Triple(self._speaker, "says", Entity(telling, "Concept"), when)]

    def _of(self, clause: Clause) -> Iterator[Triple]:
        subjects = [found for token in clause.subjects if (found := self._referents.of(token))]
        when = self._when.get(clause.verb.i, "")
        for end in self._ends.of(clause) if subjects else ():
            for subject in subjects:
                if triple := _edge(subject, end, clause, when):
                    yield triple
        if when and subjects and clause.group.last.lemma_ == "be" and not self._ends.of(clause):
            label = f"{clause.group.label} {'in' if when[0].isdigit() and len(when) == 4 else 'on'}"
            yield Triple(subjects[0], canonical(label), Entity(when, "Date"), when)

    def _times(self, marks: Sequence[Mark]) -> dict[int, str]:
        """Return the times of clauses by the places of their verbs."""
        verbs = {clause.verb.i: clause for clause in self._clauses}
        times: dict[int, str] = {}
        for mark in marks:
            place = self._clause_at(mark.at, verbs)
            if place is not None:
                times[place] = f"{times[place]}, {mark.when}" if place in times else mark.when
        return times | {
            place: lent
            for place, clause in verbs.items()
            if place not in times and (lent := _lent(clause, verbs, times))
        }

    def _clause_at(self, at: int, verbs: "dict[int, Clause]") -> int | None:
        """Return the verb of the clause that a time stood in: of the words before it, or after where it opens one."""
        left = next((token for token in reversed(self._doc) if token.idx < at and not token.is_space), None)
        right = next((token for token in self._doc if token.idx >= at and not token.is_space), None)
        opens = left is None or left.text in OPENING or left.dep_ in {"cc", "mark"}
        for token in (right, left) if opens else (left, right):
            while token is not None and token.i not in verbs:
                token = token.head if token.head != token else None
            if token is not None:
                return int(token.i)
        near = left or right
        return min(verbs, key=lambda place: abs(place - near.i), default=None) if near is not None else None

    def _kin(self) -> Iterator[Triple]:
        """Yield who is whose sister, friend or dog: `Ada's sister Clara`."""
        for token in self._doc:
            owners = [child for child in token.children if child.dep_ == "poss" and child.pos_ != "PRON"]
            if token.lemma_.lower() not in words("kin") or not owners:
                continue
            named = [child for child in token.rights if child.dep_ == "appos" and child.pos_ == "PROPN"]
            if named and (owner := self._referents.of(owners[0])) and (kin := self._referents.of(named[0])):
                end = End(f"has {token.lemma_.lower()}", Entity(kin.name, "Person"))
                if triple := _triple(owner, end, ""):
                    yield triple


def _triple(subject: Entity, end: End, when: str) -> Triple | None:
    """Return an edge; None for one that leads back to where it starts."""
    if subject.name.casefold() == end.object.name.casefold():
        return None
    told = when and when in subject.name
    return Triple(subject, canonical(end.label), end.object, "" if told else when)


def _edge(subject: Entity, end: End, clause: Clause, when: str) -> Triple | None:
    """Return an edge of a clause; `is adopted by` the other way round, where it is the same relation as `adopts`."""
    words = end.label.split()
    if clause.passive and words[:1] == ["is"] and words[2:] == ["by"]:
        return _triple(end.object, End(third_person(clause.verb), subject), when)
    return _triple(subject, end, when)


def _lent(clause: Clause, verbs: dict[int, Clause], times: dict[int, str]) -> str:
    """Return the time of another clause of the sentence that this one shares.

    `and` shares any time where both have one subject; else one simple past shares it with another.
    """
    verb = clause.verb
    for place in sorted(times, key=lambda place: abs(place - verb.i)):
        other = verbs[place]
        joined = "conj" in {verb.dep_, other.verb.dep_} and other.subjects == clause.subjects
        past = is_past(verb) and is_past(other.verb) and verb.dep_ not in {"advcl", "relcl"}
        if other.verb.sent == verb.sent and (joined or past):
            return times[place]
    return ""
