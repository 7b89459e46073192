"""What is true of the people of a conversation, and what was."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from memlab.datasets.generated.dice import Dice
from memlab.datasets.synthetic.cast import Subject
from memlab.datasets.synthetic.words import Words

RECENT = 30
TRIES = 24


@dataclass(slots=True)
class Detail:
    """What was told in addition about an instance: the proposition's id, its value, the turn that told it first."""

    id: str
    value: str
    turn: str
    told: set[str] = field(default_factory=set)
    """The templates that told it, of facts and messages."""


@dataclass(slots=True, eq=False)
class Instance:
    """A fact of somebody: one value of a kind, from when it is told until it ends.

    `day` is the date of an event or a plan, `dated` how a question about it is to be answered, where it was told.
    `session` is that in which it was told first, `spoken` the latest in which anything of it was.
    """

    subject: Subject
    words: Words
    value: str
    day: date | None = None
    dated: str | None = None
    previous: "Instance | None" = None
    id: str = ""
    turn: str = ""
    session: int = 0
    spoken: int = 0
    details: dict[str, Detail] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    ended: bool = False

    def open(self, today: date) -> bool:
        """Return whether it can still be spoken of as it was: a plan is only before its day."""
        return not self.ended and (self.words.kind.family != "plan" or (self.day is not None and self.day > today))


class Life:
    """All instances of a conversation, in the order in which they were told."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.instances: list[Instance] = []
        self._live: tuple[list[Instance], list[Instance]] = ([], [])
        self._true: dict[tuple[Subject, str], list[Instance]] = {}
        self._had: dict[tuple[Subject, str], set[str]] = {}
        self._details: dict[tuple[Subject, str, str], set[str]] = {}

    def begin(self, instance: Instance) -> None:
        """Take in a fact that has just been told for the first time."""
        key = (instance.subject, instance.words.kind.name)
        self.instances.append(instance)
        self._live[instance.subject.teller].append(instance)
        self._true.setdefault(key, []).append(instance)
        self._had.setdefault(key, set()).add(instance.value)

    def end(self, instance: Instance) -> None:
        """Let a fact be true no longer."""
        instance.ended = True
        self._true[instance.subject, instance.words.kind.name].remove(instance)

    def elaborate(self, instance: Instance, aspect: str, detail: Detail) -> None:
        """Take in what has been told in addition about a fact."""
        instance.details[aspect] = detail
        key = (instance.subject, instance.words.kind.name, aspect)
        self._details.setdefault(key, set()).add(detail.value)

    def true(self, subject: Subject, kind: str) -> Sequence[Instance]:
        """Return what is true of somebody at present."""
        return self._true.get((subject, kind), ())

    def had(self, subject: Subject, kind: str) -> set[str]:
        """Return the values that somebody has or had: none of them comes twice."""
        return self._had.get((subject, kind), set())

    def ever_told(self, subject: Subject, kind: str, aspect: str) -> set[str]:
        """Return the values of an aspect that were told of somebody, of whatever value of the kind."""
        return self._details.get((subject, kind, aspect), set())

    def some(self, teller: int, suits: Callable[[Instance], bool]) -> Iterator[Instance]:
        """Yield some instances that a speaker has told of and that suit, recent ones more often than others."""
        live = self._live[teller]
        for _ in range(TRIES):
            if not live:
                return
            first = max(0, len(live) - RECENT) if self._dice.chance(0.4) else 0
            place = self._dice.between(first, len(live) - 1)
            if live[place].ended:
                live.pop(place)
            elif suits(live[place]):
                yield live[place]
