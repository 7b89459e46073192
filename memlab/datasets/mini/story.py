"""Stories: what happens to one person over several sessions, how it is told, and what one could ask about it.

A story is a TOML file in `stories/`. A is the one it happens to, B the friend. Its beats are told in order, each in a
session of its own. A line of a beat reads `A #fact relation other: one wording`, with further wordings on lines that
start with `|`, and a picture on one that starts with `[photo:`. The relation says what the fact does to an earlier one
of the story: repeats, elaborates, changes or revokes it. A line `~` marks an answer that may be held up.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

LINE = re.compile(r"(?P<role>[AB])(?: #(?P<fact>\w+)(?: (?P<relation>[a-z]+) (?P<target>\w+))?)?: (?P<text>.+)")
PHOTO = re.compile(r"\[photo: (?P<caption>.+)\]")
RELATIONS = ("repeats", "elaborates", "changes", "revokes")

Slot = str | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Mark:
    """The fact that a line states, and what it does to an earlier fact of the story (None: it is new)."""

    fact: str
    relation: str | None = None
    target: str | None = None


@dataclass(slots=True)
class Line:
    """One message of a beat, in several wordings; `held_up`: something may come between it and the question before."""

    role: str
    wordings: list[str]
    mark: Mark | None
    held_up: bool
    caption: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """When something happens: so many days after (negative: before) the session that tells a beat."""

    beat: str
    earliest: int
    latest: int
    on: str = "any day"
    """`any day` or `workday`: then a weekend's event is moved to the Friday before."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the story: gold is a template, or `when` names the date that answers it."""

    category: int
    text: Sequence[str]
    evidence: Sequence[str]
    gold: str | None = None
    when: str | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """A story before anyone has lived it.

    `groups` holds what the story adds to a list over stories (hobbies, events): a value and the fact that states it.
    `twins`: both speakers of a conversation may live it, each in their way.
    """

    name: str
    beats: Mapping[str, Sequence[Line]]
    asks: Sequence[Ask]
    twins: bool = False
    people: Mapping[str, str] = field(default_factory=dict)
    slots: Mapping[str, Sequence[Slot]] = field(default_factory=dict)
    dates: Mapping[str, Event] = field(default_factory=dict)
    groups: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)

    @property
    def marks(self) -> dict[str, Mark]:
        """The facts of the story, in the order they are stated."""
        return {line.mark.fact: line.mark for beat in self.beats.values() for line in beat if line.mark}


@cache
def stories() -> tuple[Story, ...]:
    """Return all stories, by name."""
    folder = files(__package__) / "stories"
    found = {file.name.removesuffix(".toml"): file for file in folder.iterdir() if file.name.endswith(".toml")}
    return tuple(parse(name, found[name].read_text("utf-8")) for name in sorted(found))


def parse(name: str, text: str) -> Story:
    """Return a story from its TOML; raises ValueError with the story's name when a line or a reference is wrong."""
    table: dict[str, Any] = tomllib.loads(text)
    asks = [Ask(**ask) for ask in table.pop("ask")]
    beats = {beat: list(_lines(name, beat, talk)) for beat, talk in table.pop("beats").items()}
    dates = {event: Event(*when) for event, when in table.pop("dates", {}).items()}
    story = Story(name, beats, asks, dates=dates, **table)
    _check(story)
    return story


def _lines(name: str, beat: str, talk: str) -> Iterator[Line]:
    line: Line | None = None
    held_up = False
    for row in talk.strip().splitlines():
        if row == "~":
            held_up = True
        elif line is not None and row.startswith("| "):
            line.wordings.append(row[2:])
        elif line is not None and (photo := PHOTO.fullmatch(row)):
            line.caption = photo["caption"]
        elif match := LINE.fullmatch(row):
            if line is not None:
                yield line
            mark = Mark(match["fact"], match["relation"], match["target"]) if match["fact"] else None
            line, held_up = Line(match["role"], [match["text"]], mark, held_up), False
        else:
            raise ValueError(f"story {name!r}, beat {beat!r}: cannot read the line {row!r}")
    if line is not None:
        yield line


def _check(story: Story) -> None:
    marks = story.marks
    for mark in marks.values():
        if mark.relation and (mark.relation not in RELATIONS or mark.target not in marks):
            raise ValueError(f"story {story.name!r}: {mark.fact!r} {mark.relation} {mark.target!r}, which is nothing")
    if twice := [name for name in story.dates if name in (*story.slots, *story.people, "since")]:
        raise ValueError(f"story {story.name!r} uses the name {twice[0]!r} for a date and for something else")
    named = [fact for ask in story.asks for fact in ask.evidence]
    named += [fact for entries in story.groups.values() for _, fact in entries]
    if unknown := [fact for fact in named if fact not in marks]:
        raise ValueError(f"story {story.name!r} has no fact {unknown[0]!r}; it has {', '.join(marks)}")
