"""What happens to two people over some months, and in which session they speak of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import combinations

from memlab.datasets.generated.dice import Dice
from memlab.datasets.generated.person import Person
from memlab.datasets.mini.people import meet
from memlab.datasets.mini.story import Story, stories

SESSIONS = (5, 7)
DAYS_BETWEEN_SESSIONS = (14, 33)
FIRST_DAY = date(2022, 1, 3)
FIRST_DAYS = 700
"""Conversations begin on FIRST_DAY or up to so many days later."""
LONG_BEATS = 2.5
BEATS = 2.9
"""Beats per session: of stories that take several sessions, and of all stories."""
TWIN_BEATS = 2
"""How far the second speaker gets with the story that both live, so that their lives do not run in step."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A story as one speaker lives it: who and what is in it, when it happens, which session tells each beat."""

    story: Story
    owner: Person
    friend: Person
    values: Mapping[str, object]
    sessions: Mapping[str, int]
    events: Mapping[str, date]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Two speakers, the times of their sessions (session 1 first), and all they live through."""

    id: str
    speakers: tuple[Person, Person]
    times: Sequence[datetime]
    tellings: Sequence[Telling]


def conversation_id(number: int) -> str:
    """Return the id of the conversation with a number, from 1."""
    return f"mini-{number}"


def timelines(dice: Dice, count: int) -> Iterator[Timeline]:
    """Yield conversations `mini-1`, `mini-2`, ...; the first ones do not depend on how many follow."""
    for number in range(1, count + 1):
        yield _timeline(conversation_id(number), dice)


def _timeline(name: str, dice: Dice) -> Timeline:
    times = _times(dice)
    first = meet(dice, "any", ())
    speakers = (first, meet(dice, "any", [first]))
    known: list[Person] = list(speakers)
    tellings: list[Telling] = []
    for story, teller in _cast(dice, len(times)):
        people = {role: meet(dice, kind, known) for role, kind in story.people.items()}
        known += people.values()
        sessions = _sessions(dice, story, tellings, len(times))
        values = {**people, **_slots(dice, story)}
        events = _events(dice, story, times, sessions)
        tellings.append(Telling(story, speakers[teller], speakers[1 - teller], values, sessions, events))
    return Timeline(name, speakers, times, tellings)


def _times(dice: Dice) -> list[datetime]:
    """Return when the sessions take place: in the afternoon or evening, some weeks apart."""
    day = FIRST_DAY + timedelta(days=dice.between(0, FIRST_DAYS))
    times = []
    for _ in range(dice.between(*SESSIONS)):
        times.append(datetime(day.year, day.month, day.day, dice.between(13, 21), dice.between(0, 59)))
        day += timedelta(days=dice.between(*DAYS_BETWEEN_SESSIONS))
    return times


def _cast(dice: Dice, sessions: int) -> Iterator[tuple[Story, int]]:
    """Yield stories and who lives them (0 or 1): first one that both share, then long ones, then short ones."""
    long = [story for story in stories() if len(story.beats) > 1]
    decks = {
        "shared": [story for story in long if story.twins],
        "long": [story for story in long if not story.twins],
        "short": [story for story in stories() if len(story.beats) == 1],
    }
    shared = dice.deal("shared", decks["shared"])
    yield shared, 0
    yield shared, 1
    beats = len(shared.beats) + TWIN_BEATS
    teller = dice.between(0, 1)
    used: list[Story] = []
    for deck, until in (("long", LONG_BEATS * sessions), ("short", BEATS * sessions)):
        while beats < until:
            story = dice.deal(deck, decks[deck], besides=used)
            used.append(story)
            beats += len(story.beats)
            yield story, teller
            teller = 1 - teller


def _sessions(dice: Dice, story: Story, tellings: Sequence[Telling], count: int) -> dict[str, int]:
    """Return the session that tells each beat: in order, where the least is told so far, and apart from a twin's."""
    told = [session for telling in tellings for session in telling.sessions.values()]
    twin = next((telling for telling in tellings if telling.story is story), None)
    beats = list(story.beats)[: TWIN_BEATS if twin else None]
    taken = [twin.sessions[beat] if twin else 0 for beat in beats]

    def cost(chosen: tuple[int, ...]) -> tuple[int, int, int]:
        together = sum(session == other for session, other in zip(chosen, taken, strict=True))
        loads = [told.count(session) for session in chosen]
        return together, max(loads), sum(loads)

    options: list[tuple[int, ...]] = dice.shuffled(list(combinations(range(1, count + 1), len(beats))))
    best = min(options, key=cost)
    return dict(zip(beats, best, strict=True))


def _slots(dice: Dice, story: Story) -> dict[str, object]:
    """Return what fills the story's slots; a row with a `sex` also gets the pronouns."""
    values: dict[str, object] = {}
    for slot, options in story.slots.items():
        row = dice.deal(f"{story.name}.{slot}", options)
        if isinstance(row, str):
            values[slot] = row
        else:
            being = Person("", row.get("sex") == "f")
            values[slot] = {"she": being.she, "She": being.She, "her": being.her, "him": being.him, **row}
    return values


def _events(dice: Dice, story: Story, times: Sequence[datetime], sessions: Mapping[str, int]) -> dict[str, date]:
    """Return the dates of the events that are reached."""
    days = {}
    for name, event in story.dates.items():
        if event.beat in sessions:
            told = times[sessions[event.beat] - 1].date()
            day = told + timedelta(days=dice.between(event.earliest, event.latest))
            weekend = max(0, day.weekday() - 4) if event.on == "workday" else 0
            days[name] = day - timedelta(days=weekend)
    return days
