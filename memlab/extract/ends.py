"""The entities that may be the ends of a relation, and which of them a name means."""

from collections.abc import Iterable, Sequence

from memlab.dialogue import Turn
from memlab.extract.names import name_words, stems
from memlab.extract.transcript import speakers
from memlab.memory import Entity

SPEAKER = frozenset({"i", "me", "myself", "my", "speaker"})


class Ends:
    """Entities by their names: who speaks, and what was found; each once.

    Names are the same but for case, articles, possessives and number; the latter only where it leaves one entity.
    """

    def __init__(self, turns: Iterable[Turn], found: Iterable[Entity]) -> None:
        """Keep the speakers of the turns, each a Person, and the entities found that are none of them."""
        people = [Entity(name, "Person") for name in speakers(turns)]
        self._exact: dict[tuple[str, ...], Entity] = {}
        for entity in (*people, *found):
            self._exact.setdefault(name_words(entity.name), entity)
        self._near: dict[tuple[str, ...], Entity | None] = {}
        for words, entity in self._exact.items():
            near = stems(words)
            self._near[near] = None if near in self._near else entity

    @property
    def entities(self) -> tuple[Entity, ...]:
        """All of them, speakers first."""
        return tuple(self._exact.values())

    def named(self, name: str, sources: Sequence[Turn]) -> Entity | None:
        """Return the entity that a name means in what was said in these turns; None when it is none of them."""
        if name.casefold() in SPEAKER and len(people := speakers(sources)) == 1:
            name = people[0]
        words = name_words(name)
        return self._exact.get(words) or self._near.get(stems(words))
