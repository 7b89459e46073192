"""From what two people have to tell to the messages in which they tell it."""

import re
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from memlab.datasets.generated.dice import Dice
from memlab.datasets.synthetic.cast import Cast
from memlab.datasets.synthetic.ledger import Ledger
from memlab.datasets.synthetic.life import Life
from memlab.datasets.synthetic.move import Move, suiting
from memlab.datasets.synthetic.plot import Plot
from memlab.datasets.synthetic.words import Vocabulary
from memlab.dialogue import Turn

SESSION_TURNS = (10, 30)
SHORTEST = 10
"""A remainder shorter than this is no session of its own."""
GREETED = 8
"""Messages from which on a session has greetings."""
DAYS_APART, DAYS_APART_IF_LONG, LONG = (2, 20), (1, 3), 4000
"""Days between sessions; fewer in conversations of more messages than LONG, which would last for decades."""
FIRST_DAY, FIRST_DAYS = date(2022, 1, 3), 700
ASKED, HEARD, DOUBLED = 0.3, 0.6, 0.12
"""How often a friend asks before and reacts after, and how often a message tells two things."""
LINKED, LINKED_WITHIN = 0.12, 0.45
"""How often a new subject is announced: at the start of a message, and within one."""
DOUBTS = 0.2
TRIES = 4
HEARD_AS = {"new": "new", "change": "change", "revoke": "end"}


@dataclass(slots=True)
class _Line:
    speaker: int
    texts: list[str] = field(default_factory=list)
    tells: bool = False
    asks: bool = False
    """Whether its last text states a fact, or asks about a subject."""


class Script:
    """The messages of a conversation in the making, session by session."""

    def __init__(
        self, words: Vocabulary, cast: Cast, life: Life, plot: Plot, *, messages: int, chat: float, dice: Dice
    ) -> None:
        self.words, self.cast, self.plot, self.dice = words, cast, plot, dice
        self.messages, self.chat = messages, chat
        self.ledger = Ledger(life)
        self.turns: list[Turn] = []
        self.sessions = 0
        self.day = FIRST_DAY + timedelta(days=dice.between(0, FIRST_DAYS))
        self.small_talk = 0

    def write(self, sessions: int | None) -> None:
        """Write all sessions, or the first so many."""
        while len(self.turns) < self.messages and (sessions is None or self.sessions < sessions):
            left = self.messages - len(self.turns)
            length = self.dice.between(*SESSION_TURNS)
            self.sessions += 1
            hour, minute = self.dice.between(13, 21), self.dice.between(0, 59)
            time = datetime(self.day.year, self.day.month, self.day.day, hour, minute)
            _Session(self, time, left if left - length < SHORTEST else length).write()
            self.day += timedelta(days=self.dice.between(*(DAYS_APART_IF_LONG if self.messages > LONG else DAYS_APART)))


class _Session:
    """One session in the making."""

    def __init__(self, script: Script, time: datetime, length: int) -> None:
        self.script, self.time, self.length = script, time, length
        self.dice, self.number = script.dice, script.sessions
        self.names = [speaker.person.name for speaker in script.cast.speakers]
        self.lines: list[_Line] = []
        self.closing = 0

    @property
    def room(self) -> int:
        return self.length - self.closing - len(self.lines)

    def write(self) -> None:
        opener = self.dice.between(0, 1)
        if self.length >= GREETED and self.greets():
            self.closing = 2
            self.script.small_talk += 4
            for speaker, occasion in ((opener, "hello"), (1 - opener, "reply")):
                self.say(speaker, self.chatter(occasion, A=self.names[opener], B=self.names[1 - opener]))
        while self.room > 0:
            if not (self.room > 1 and self.chat_is_due() and self.small_talk()) and not self.news():
                self.small_talk(forced=True)
        if self.closing:
            leaver = 1 - self.lines[-1].speaker
            names = {"A": self.names[leaver], "B": self.names[1 - leaver], "X": self.names[leaver]}
            self.say(leaver, self.chatter("goodbye", **names))
            self.say(1 - leaver, self.chatter("bye", **names))
        self.script.turns += [
            Turn(self.turn_id(place), self.names[line.speaker], " ".join(line.texts), self.time, self.number)
            for place, line in enumerate(self.lines)
        ]

    def greets(self) -> bool:
        return self.script.chat >= 0.25 or self.script.small_talk < self.script.chat * len(self.script.turns)

    def chat_is_due(self) -> bool:
        written = len(self.script.turns) + len(self.lines) + self.closing
        return self.script.small_talk < self.script.chat * written and self.dice.chance(0.7)

    def turn_id(self, place: int) -> str:
        return f"D{self.number}:{place + 1}"

    def chatter(self, occasion: str, **fields: str) -> str:
        return self.dice.deal(occasion, self.script.words.chatter[occasion])[0].fill(fields)

    def say(self, speaker: int, text: str, *, tells: bool = False, asks: bool = False) -> str:
        """Add a text and return its turn's id; who speaks twice in a row goes on in the same message."""
        if not self.lines or self.lines[-1].speaker != speaker:
            self.lines.append(_Line(speaker))
        self.lines[-1].texts.append(text)
        self.lines[-1].tells, self.lines[-1].asks = tells, asks
        return self.turn_id(len(self.lines) - 1)

    def small_talk(self, *, forced: bool = False) -> bool:
        """Add an exchange that states nothing; return whether one fits."""
        occasion = "doubt" if self.dice.chance(DOUBTS) else "chat"
        exchanges = self.script.words.chatter[occasion]
        long = [one for one in exchanges if len(one) > self.room]
        if len(long) == len(exchanges) and not forced:
            return False
        exchange = self.dice.deal(occasion, exchanges, besides=() if len(long) == len(exchanges) else long)
        first = 1 - self.lines[-1].speaker if self.lines else self.dice.between(0, 1)
        for number, message in enumerate(exchange[: self.room]):
            speaker = first if number % 2 == 0 else 1 - first
            self.say(speaker, message.fill({"A": self.names[first], "B": self.names[1 - first]}))
            self.script.small_talk += 1
        return True

    def news(self) -> bool:
        """Add something that is told, with what the friend asks before and says after; return whether there was any."""
        last = self.lines[-1] if self.lines else None
        speaker = 1 - last.speaker if last and self.room == 1 else self.dice.between(0, 1)
        move = self.next_of(speaker, may_follow=last is None or last.speaker != speaker or not last.tells)
        if move is None and self.room > 1:
            speaker = 1 - speaker
            move = self.next_of(speaker, may_follow=last is None or last.speaker != speaker or not last.tells)
        if move is None:
            return False
        goes_on = last is not None and last.tells and last.speaker == speaker
        if self.can_be_asked(speaker, move) and (goes_on or self.dice.chance(ASKED)):
            self.ask(speaker, move)
        self.tell(speaker, move)
        second = self.next_of(speaker, may_follow=True) if self.dice.chance(DOUBLED) else None
        if second and second.instance.words is not move.instance.words:
            self.tell(speaker, second)
            move = second
        if self.room and self.dice.chance(HEARD):
            self.hear(speaker, move)
        return True

    def next_of(self, speaker: int, *, may_follow: bool) -> Move | None:
        """Return what a speaker tells next; unless it may follow what was said, only what one can be asked about."""
        for _ in range(TRIES):
            move = self.script.plot.next(speaker, self.number, self.time.date())
            if move is None:
                return None
            if self.script.ledger.is_clear(move) and (may_follow or self.can_be_asked(speaker, move)):
                return move
        return None

    def can_be_asked(self, speaker: int, move: Move) -> bool:
        """Return whether there is room for a question and its answer, and the friend would ask it of the speaker."""
        goes_on = self.lines and self.lines[-1].speaker != speaker
        return not move.instance.subject.relation and self.room >= (1 if goes_on else 2)

    def ask(self, speaker: int, move: Move) -> None:
        """Let the friend ask about a subject before the speaker comes to it."""
        question = suiting(self.dice, move.instance.words, "talk.asked")
        assert question is not None
        self.say(1 - speaker, question.fill({}), asks=True)

    def tell(self, speaker: int, move: Move) -> None:
        """Add the message that states something."""
        subject = move.instance.subject
        fields = {**subject.fields, **move.fields(spoken=True)}
        if subject.relation:
            fields["P"] = self.script.cast.called(subject)
        asked = bool(self.lines) and self.lines[-1].asks
        text = move.said.fill(fields)
        turn_id = self.say(speaker, text if asked else self.linked(speaker, text), tells=True)
        self.script.ledger.record(move, turn_id, self.number)
        self.script.plot.told(move)

    def linked(self, speaker: int, text: str) -> str:
        """Return a text that leads over from what was said to another subject, where that is called for."""
        goes_on = bool(self.lines) and self.lines[-1].speaker == speaker
        if not self.lines or not self.dice.chance(LINKED_WITHIN if goes_on else LINKED):
            return text
        links = self.script.words.chatter["link"]
        # After a comma a capital letter is right in "I" alone.
        commas = () if re.match(r"I\b", text) else [one for one in links if one[0].text.endswith(",")]
        return f"{self.dice.deal('link', links, besides=commas)[0].text} {text}"

    def hear(self, speaker: int, move: Move) -> None:
        """Let the friend react."""
        section = "more" if move.operation == "NOOP" else HEARD_AS.get(move.form, "more")
        heard = suiting(self.dice, move.instance.words, f"talk.heard.{section}")
        if heard:
            self.say(1 - speaker, heard.fill({}))
