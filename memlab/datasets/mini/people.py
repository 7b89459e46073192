"""The people of a conversation: those who speak and those they speak of."""

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from memlab.datasets.mini.dice import Dice


@dataclass(frozen=True, slots=True)
class Person:
    """A person, and the words that refer to them: `{sis.she}`, `{sis.her} bike`, `{sis.him}`."""

    name: str
    woman: bool

    def __str__(self) -> str:
        return self.name

    @property
    def she(self) -> str:
        """`she` or `he`."""
        return "she" if self.woman else "he"

    @property
    def She(self) -> str:
        """`She` or `He`, at the start of a sentence."""
        return self.she.capitalize()

    @property
    def her(self) -> str:
        """`her` or `his`."""
        return "her" if self.woman else "his"

    @property
    def him(self) -> str:
        """`her` or `him`."""
        return "her" if self.woman else "him"

    @property
    def self(self) -> str:
        """`herself` or `himself`."""
        return "herself" if self.woman else "himself"


@cache
def names() -> dict[str, list[str]]:
    """Return the first names in stock, by `women` and `men`."""
    return tomllib.loads((files(__package__) / "people.toml").read_text("utf-8"))


def meet(dice: Dice, kind: str, known: Collection[Person]) -> Person:
    """Return a new person (`woman`, `man` or `any`) whose name nobody known has."""
    woman = dice.chance(0.5) if kind == "any" else kind == "woman"
    deck = "women" if woman else "men"
    return Person(dice.deal(deck, names()[deck], besides=[person.name for person in known]), woman)
