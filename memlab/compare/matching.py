"""Which questions of two sources are the same: those of one conversation with one text, in order where repeated."""

from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from memlab.compare.answers import Answers, NotComparable, Row

Key = tuple[str | None, str, int]
"""Conversation (None: nobody tells it), text, and how often that text was asked in it before."""


@dataclass(frozen=True, slots=True)
class Matched:
    """What two sources both asked, by key in the first one's order, and the keys that only one of them has."""

    first: Answers
    other: Answers
    pairs: dict[Key, tuple[Row, Row]]
    only_first: tuple[Key, ...]
    only_other: tuple[Key, ...]

    @property
    def other_golds(self) -> int:
        """Return how many of the pairs have different gold answers."""
        return sum(folded(one.gold) != folded(two.gold) for one, two in self.pairs.values())


def folded(text: str) -> str:
    """Return a text as it is compared: whatever its case and spaces."""
    return " ".join(text.casefold().split())


def completed(sources: Sequence[Answers]) -> list[Answers]:
    """Return sources with the conversations, categories and ids that they do not tell taken from those that do."""
    homes: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        for row in source.rows:
            if row.conversation is not None:
                homes[folded(row.question)].add(row.conversation)
    placed = [replace(source, rows=tuple(at_home(row, homes) for row in source.rows)) for source in sources]
    categories: dict[Key, int] = {}
    ids: dict[Key, str] = {}
    for source in placed:
        for key, row in keyed(source).items():
            if row.category is not None:
                categories.setdefault(key, row.category)
            if row.id is not None:
                ids.setdefault(key, row.id)
    return [
        replace(
            source,
            rows=tuple(
                replace(row, category=row.category or categories.get(key), id=row.id or ids.get(key))
                for key, row in keyed(source).items()
            ),
        )
        for source in placed
    ]


def at_home(row: Row, homes: Mapping[str, Set[str]]) -> Row:
    """Return a row in its conversation; one that several conversations ask, or none, stays without."""
    known = homes.get(folded(row.question), set())
    return row if row.conversation is not None or len(known) != 1 else replace(row, conversation=next(iter(known)))


def keyed(source: Answers) -> dict[Key, Row]:
    """Return the rows of a source by key."""
    seen: Counter[tuple[str | None, str]] = Counter()
    found = {}
    for row in source.rows:
        asked = row.conversation, folded(row.question)
        found[*asked, seen[asked]] = row
        seen[asked] += 1
    return found


def matched(first: Answers, other: Answers) -> Matched:
    """Return what two sources have in common; raises NotComparable when that is nothing."""
    ours, theirs = located(first), located(other)
    pairs = {key: (row, theirs[key]) for key, row in ours.items() if key in theirs}
    if not pairs:
        raise NotComparable(
            f"no common questions: {first.name} asks {asked(ours)}, {other.name} asks {asked(theirs)}; "
            "give runs and files on the same data"
        )
    only_first, only_other = (tuple(key for key in own if key not in pairs) for own in (ours, theirs))
    return Matched(first, other, pairs, only_first, only_other)


def located(source: Answers) -> dict[Key, Row]:
    """Return the rows of a source whose conversation is known, by key; raises NotComparable when there are none."""
    found = {key: row for key, row in keyed(source).items() if row.conversation is not None}
    if not found:
        raise NotComparable(
            f"{source.name} does not tell which conversation a question belongs to; give a run or a file of the "
            "same questions beside it that does"
        )
    return found


def asked(rows: dict[Key, Row]) -> str:
    """Return how many questions of which conversations there are."""
    conversations = list(dict.fromkeys(row.conversation or "-" for row in rows.values()))
    told = ", ".join(conversations[:3]) + (", ..." if len(conversations) > 3 else "")
    return f"{len(rows):,} of {told}"


def only(source: Answers, pattern: str) -> Answers:
    """Return a source with the questions alone whose id a pattern of the shell's kind matches.

    Raises NotComparable when there are none.
    """
    rows = tuple(row for row in source.rows if row.id is not None and fnmatchcase(row.id, pattern))
    if not rows:
        ids = [row.id for row in source.rows if row.id is not None]
        shown = f"its ids are like {', '.join(ids[:3])}" if ids else "it tells no ids of questions"
        raise NotComparable(f"no question of {source.name} has an id like {pattern}; {shown}")
    told = f"Only questions with an id like {pattern}: {len(rows)} of {len(source.rows)}."
    return replace(source, rows=rows, notes=(*source.notes, told))


def without(source: Answers, bad: Container[str]) -> Answers:
    """Return a source without some questions, and without those that nobody tells the id of.

    Raises NotComparable when it has no ids at all.
    """
    if source.rows and not any(row.id for row in source.rows):
        raise NotComparable(
            f"{source.name} tells no ids of questions, so those with wrong golds cannot be found in it; give a run or "
            "a file of the same questions beside it that does"
        )
    rows = tuple(row for row in source.rows if row.id is not None and row.id not in bad)
    nameless = sum(row.id is None for row in source.rows)
    told = f"{len(source.rows) - len(rows) - nameless} questions of {source.name} with wrong golds are left out"
    if nameless:
        told += f", and {nameless} that nobody tells the id of"
    return replace(source, rows=rows, notes=(*source.notes, f"{told}."))
