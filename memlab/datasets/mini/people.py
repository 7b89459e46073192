"""The people of a conversation: those who speak and those they speak of."""

import tomllib
from collections.abc import Collection
from functools import cache
from importlib.resources import files

from memlab.datasets.generated.dice import Dice
from memlab.datasets.generated.person import Person


@cache
def names() -> dict[str, list[str]]:
    """Return the first names in stock, by `women` and `men`."""
    return tomllib.loads((files(__package__) / "people.toml").read_text("utf-8"))


def meet(dice: Dice, kind: str, known: Collection[Person]) -> Person:
    """Return a new person (`woman`, `man` or `any`) whose name nobody known has."""
    woman = dice.chance(0.5) if kind == "any" else kind == "woman"
    deck = "women" if woman else "men"
    return Person(dice.deal(deck, names()[deck], besides=[person.name for person in known]), woman)
