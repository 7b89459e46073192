"""Who a synthetic conversation is about: its two speakers, and third persons that one of them knows."""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from memlab.datasets.generated.dice import Dice
from memlab.datasets.generated.person import Person
from memlab.datasets.synthetic.word_rules import Split
from memlab.datasets.synthetic.words import Vocabulary, vocabulary

TRIES = 20


@dataclass(frozen=True, slots=True)
class Relation:
    """What somebody is to a speaker: a noun, for `woman`, `man` or `any`, and how many there may be (0: any number)."""

    noun: str
    sex: str
    most: int


@dataclass(frozen=True, slots=True)
class People:
    """The names and relations of a split."""

    women: tuple[str, ...]
    men: tuple[str, ...]
    relations: tuple[Relation, ...]


@cache
def people(split: Split) -> People:
    """Return the names and relations of a split; names that are also a word of some value are left out."""
    table = tomllib.loads((files(__package__) / "people.toml").read_text("utf-8"))[split]
    taken = _words_of_values(vocabulary(split))
    women, men = (tuple(name for name in table[sex] if name not in taken) for sex in ("women", "men"))
    relations = [Relation(noun, sex, most) for sex, nouns in table["relations"].items() for noun, most in nouns.items()]
    return People(women, men, tuple(relations))


def _words_of_values(words: Vocabulary) -> set[str]:
    texts = [text for kind in words.kinds.values() for text in (*kind.values, *sum(kind.aspects.values(), ()))]
    return {word for text in texts for word in re.findall(r"\w+", text)}


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """Somebody of whom facts are told: a speaker, or a third person.

    `teller` is the speaker (0 or 1) who tells them, and alone does so.
    """

    person: Person
    teller: int
    full: str
    """How facts call them: `Ann`, `Ann's sister Mia`."""
    relation: str = ""
    """What a third person is to the speaker; "" for the speaker."""

    @property
    def fields(self) -> Mapping[str, str]:
        """What a template may name of them, in a fact or a question."""
        one = self.person
        return {"P": self.full, "she": one.she, "She": one.She, "her": one.her, "him": one.him, "herself": one.self}


class Cast:
    """The people of one conversation; third persons join as they are spoken of."""

    def __init__(self, members: People, dice: Dice) -> None:
        self._people = members
        self._dice = dice
        self._named: Counter[str] = Counter()
        self._counts: Counter[tuple[int, str]] = Counter()
        self._full: set[str] = set()
        self._mentioned: set[Subject] = set()
        first, second = self._speaker(0), self._speaker(1)
        self.speakers = (first, second)
        self.others: tuple[list[Subject], list[Subject]] = ([], [])

    def _speaker(self, number: int) -> Subject:
        person = self._person("any")
        self._named[person.name] += 1
        return Subject(person, number, person.name)

    def _person(self, sex: str) -> Person:
        woman = self._dice.chance(0.5) if sex == "any" else sex == "woman"
        names = self._people.women if woman else self._people.men
        free = [name for name in names if name not in self._named]
        return Person(self._dice.pick(free or self._reusable(names)), woman)

    def _reusable(self, names: Sequence[str]) -> Sequence[str]:
        speakers = [speaker.person.name for speaker in self.speakers]
        return [name for name in names if name not in speakers]

    def meet(self, teller: int) -> Subject | None:
        """Return a new third person whom a speaker knows, None when all that can be told apart are known."""
        for _ in range(TRIES):
            relation = self._dice.pick(self._people.relations)
            if relation.most and self._counts[teller, relation.noun] >= relation.most:
                continue
            person = self._person(relation.sex)
            full = f"{self.speakers[teller].person.name}'s {relation.noun} {person.name}"
            if full in self._full:
                continue
            self._full.add(full)
            self._named[person.name] += 1
            self._counts[teller, relation.noun] += 1
            subject = Subject(person, teller, full, relation.noun)
            self.others[teller].append(subject)
            return subject
        return None

    def called(self, subject: Subject) -> str:
        """Return what the speaker calls a third person in a message: first `my sister Mia`, later also `Mia`."""
        introduced = f"my {subject.relation} {subject.person.name}"
        known = subject in self._mentioned and self._named[subject.person.name] == 1
        self._mentioned.add(subject)
        return subject.person.name if known and self._dice.chance(0.5) else introduced
