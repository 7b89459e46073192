"""From a timeline to messages."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from memlab.datasets.generated.dates import When, elapsed, when
from memlab.datasets.generated.dice import Dice
from memlab.datasets.generated.person import Person
from memlab.datasets.mini.story import Mark
from memlab.datasets.mini.timeline import Timeline
from memlab.dialogue import Turn

INTERRUPTED = 0.6
INTERRUPTIONS = 2
"""How often an answer that may be held up is held up, and how often that may happen in a session."""
CHAT = 0.6
"""How often a session starts with something that does not matter."""
LINKED = 0.3
"""How often a new subject is announced when somebody else spoke last."""
SENTENCE_START = re.compile(r"(^[\"]?|[.!?] )([a-z])")


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact as it was stated: by which turn, in which telling, and what it did to an earlier fact."""

    telling: int
    mark: Mark
    turn_id: str


@dataclass(slots=True)
class Script:
    """The messages of a conversation, what each states, and how dates were spoken of: (telling, beat, event).

    `exchanges` is the small talk used up so far.
    """

    turns: list[Turn] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    dates: dict[tuple[int, str, str], When] = field(default_factory=dict)
    exchanges: list[Sequence[str]] = field(default_factory=list)


def sentence_case(text: str) -> str:
    """Return a text whose sentences start with a capital letter."""
    return SENTENCE_START.sub(lambda match: match[1] + match[2].upper(), text)


@cache
def small_talk() -> dict[str, list[Any]]:
    """Return what is said around the stories, by occasion; an interruption is a list of messages."""
    return tomllib.loads((files(__package__) / "small_talk.toml").read_text("utf-8"))


def write(timeline: Timeline, dice: Dice) -> Script:
    """Return the messages of a conversation."""
    script = Script()
    for session in range(1, len(timeline.times) + 1):
        _Session(timeline, session, script, dice).write()
    return script


class _Session:
    """One session in the making: appends to the script."""

    def __init__(self, timeline: Timeline, number: int, script: Script, dice: Dice) -> None:
        self.timeline, self.number, self.script, self.dice = timeline, number, script, dice
        self.time = timeline.times[number - 1]
        self.first = len(script.turns)
        self.interruptions = 0

    def write(self) -> None:
        opener, other = self.dice.shuffled(self.timeline.speakers)
        kind = ("first_hello", "first_reply") if self.number == 1 else ("hello", "reply")
        for speaker, occasion in zip((opener, other), kind, strict=True):
            self.say(speaker, self.chatter(occasion).format(A=opener, B=other))
        if chatting := self.dice.chance(CHAT):
            self.exchange("chat", opener, other)
        beats = [
            (place, beat)
            for place, telling in enumerate(self.timeline.tellings)
            for beat, session in telling.sessions.items()
            if session == self.number
        ]
        for number, (place, beat) in enumerate(self.dice.shuffled(beats)):
            self.beat(place, beat, "turn_to_next" if number or chatting else "first_topic")
        leaver = next(person for person in self.timeline.speakers if person.name != self.script.turns[-1].speaker)
        stayer = next(person for person in self.timeline.speakers if person != leaver)
        self.say(leaver, self.chatter("goodbye"))
        self.say(stayer, self.chatter("bye").format(X=leaver))

    def chatter(self, occasion: str) -> str:
        text: str = self.dice.deal(occasion, small_talk()[occasion])
        return text

    def say(self, speaker: Person, text: str, caption: str | None = None) -> str:
        """Add a message and return its turn's id; who speaks twice in a row goes on in the same message."""
        last = self.script.turns[-1] if len(self.script.turns) > self.first else None
        if last and last.speaker == speaker.name and not (last.caption and caption):
            self.script.turns[-1] = replace(last, text=f"{last.text} {text}", caption=last.caption or caption)
            return last.id
        turn_id = f"D{self.number}:{len(self.script.turns) - self.first + 1}"
        self.script.turns.append(Turn(turn_id, speaker.name, text, self.time, self.number, caption))
        return turn_id

    def beat(self, place: int, beat: str, link: str) -> None:
        telling = self.timeline.tellings[place]
        values = self.values(place, beat)
        lines = telling.story.beats[beat]
        variant = self.dice.deal(
            f"wording {telling.story.name}.{beat}", range(max(len(line.wordings) for line in lines))
        )
        for number, line in enumerate(lines):
            speaker = telling.owner if line.role == "A" else telling.friend
            text = sentence_case(line.wordings[variant % len(line.wordings)].format_map(values))
            if line.held_up and self.interruptions < INTERRUPTIONS and self.dice.chance(INTERRUPTED):
                self.interruptions += 1
                self.exchange("interruption", speaker, telling.friend if line.role == "A" else telling.owner)
                text = f"{self.chatter('back')} {text}"
            same = self.script.turns[-1].speaker == speaker.name
            if number == 0 and (same or self.dice.chance(LINKED)):
                text = f"{self.chatter(link)} {text}"
            turn_id = self.say(speaker, text, line.caption and line.caption.format_map(values))
            if line.mark:
                self.script.statements.append(Statement(place, line.mark, turn_id))

    def exchange(self, occasion: str, first: Person, second: Person) -> None:
        """Add an exchange of small talk that has not come up in this conversation."""
        exchange = self.dice.deal(occasion, small_talk()[occasion], besides=self.script.exchanges)
        self.script.exchanges.append(exchange)
        for number, text in enumerate(exchange):
            self.say(second if number % 2 else first, text)

    def values(self, place: int, beat: str) -> Mapping[str, object]:
        """Return what a beat's templates may name; dates are as one speaks of them in this session."""
        telling, today = self.timeline.tellings[place], self.time.date()
        said = {event: when(day, today, self.dice) for event, day in telling.events.items()}
        self.script.dates |= {(place, beat, event): spoken for event, spoken in said.items()}
        since = {event: elapsed(day, today) for event, day in telling.events.items() if day < today}
        spoken = {event: date.said for event, date in said.items()}
        return {"A": telling.owner, "B": telling.friend, **telling.values, **spoken, "since": since}
