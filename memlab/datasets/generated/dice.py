"""Chance that comes out the same on every platform and Python version."""

from collections.abc import Collection, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Draws from a seed. Only `Random.random` is used: the one method whose sequence Python promises to keep."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._decks: dict[str, list[int]] = {}
        self._dealt: dict[str, int] = {}

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return self._random.random() < probability

    def between(self, low: int, high: int) -> int:
        """Return an integer, both ends included."""
        return low + int(self._random.random() * (high - low + 1))

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.between(0, len(options) - 1)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order."""
        keys = [(self._random.random(), place) for place in range(len(items))]
        return [items[place] for _, place in sorted(keys)]

    def deal(self, deck: str, options: Sequence[T], *, besides: Collection[T] = ()) -> T:
        """Return an option of a named deck, none of `besides`: all come once before any comes again."""
        if all(option in besides for option in options):
            raise ValueError(f"no option left in the deck {deck!r}: all {len(options)} are taken")
        cards = self._decks.setdefault(deck, [])
        last = self._dealt.get(deck)
        card = next((card for card in cards if options[card] not in besides), None)
        if card is None:
            fresh = self.shuffled([card for card in range(len(options)) if card not in cards])
            cards += sorted(fresh, key=lambda card: card == last)
            card = next(card for card in cards if options[card] not in besides)
        cards.remove(card)
        self._dealt[deck] = card
        return options[card]
