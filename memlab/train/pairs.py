"""Pairs of a memory and a candidate whose relation is known, and how they are parted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from memlab.update.relation import RELATIONS, Pair, Relation


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two texts and what the candidate is to the memory; a split never tears apart the pairs of one `group`."""

    memory: str
    candidate: str
    relation: Relation
    group: str

    @property
    def pair(self) -> Pair:
        """The texts, without the label."""
        return Pair(self.memory, self.candidate)

    @property
    def label(self) -> int:
        """The place of the relation in `RELATIONS`."""
        return RELATIONS.index(self.relation)


@dataclass(frozen=True, slots=True)
class Parts:
    """The pairs of one source: to learn from, to choose by, and to report on once at the end."""

    train: tuple[LabelledPair, ...] = ()
    validation: tuple[LabelledPair, ...] = ()
    test: tuple[LabelledPair, ...] = ()


def held_out(pairs: Sequence[LabelledPair], *, validation: int, test: int) -> Parts:
    """Return the pairs in three parts: the first `test` groups in order of appearance, `validation` more, the rest."""
    groups = list(dict.fromkeys(pair.group for pair in pairs))
    place = {group: number for number, group in enumerate(groups)}
    return Parts(
        train=tuple(pair for pair in pairs if place[pair.group] >= test + validation),
        validation=tuple(pair for pair in pairs if test <= place[pair.group] < test + validation),
        test=tuple(pair for pair in pairs if place[pair.group] < test),
    )


def counts(pairs: Iterable[LabelledPair]) -> dict[str, int]:
    """Return how many pairs there are of each relation."""
    found = dict.fromkeys(RELATIONS, 0)
    for pair in pairs:
        found[pair.relation] += 1
    return {str(relation): number for relation, number in found.items()}


def thinned(pairs: Sequence[LabelledPair], *, unrelated: float | None, seed: str) -> list[LabelledPair]:
    """Return all pairs that are related, and of the others, drawn, at most `unrelated` for each of those; None: all."""
    others = [number for number, pair in enumerate(pairs) if pair.relation == "unrelated"]
    room = len(others) if unrelated is None else round(unrelated * (len(pairs) - len(others)))
    if room >= len(others):
        return list(pairs)
    dropped = set(Random(seed).sample(others, len(others) - room))
    return [pair for number, pair in enumerate(pairs) if number not in dropped]
