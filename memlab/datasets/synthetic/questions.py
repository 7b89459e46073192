"""Questions about what is true at the end of a conversation, and what was, in LOCOMO's categories."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from memlab.datasets.generated.dice import Dice
from memlab.datasets.synthetic.cast import Cast, Subject
from memlab.datasets.synthetic.life import Instance, Life
from memlab.datasets.synthetic.move import NOTHING, suiting
from memlab.datasets.synthetic.words import Words
from memlab.dialogue import Question

MESSAGES_PER_QUESTION = 8
SHARES = {1: 0.15, 2: 0.20, 3: 0.05, 4: 0.45, 5: 0.15}
"""Share of each category: lists, questions of time, inferences, single facts, what was never told."""
CHANGED = ("now", "before")
OF_CHANGES = 0.5
"""The share of a category that questions about what has changed may take, before all others."""
VALUE = frozenset(("v",))


@dataclass(frozen=True, slots=True)
class _Draft:
    """A possible question; `asks` tells what it is after, as the end of its id."""

    asks: str
    category: int
    text: str
    gold: str | None
    evidence: tuple[str, ...]


class Questions:
    """Asks about the people of one conversation on the day of its last session."""

    def __init__(self, kinds: Mapping[str, Words], cast: Cast, life: Life, today: date, dice: Dice) -> None:
        self._kinds, self._cast, self._life = kinds, cast, life
        self._today, self._dice = today, dice

    def asked(self, conversation: str, messages: int) -> tuple[Question, ...]:
        """Return about one question per eight messages, categories mixed; fewer where nothing more can be asked.

        Of few things that are told, many stay as they are: what has changed is asked about first.
        """
        drafts = self._dice.shuffled(list({draft.text: draft for draft in self._drafts()}.values()))
        count = max(1, round(messages / MESSAGES_PER_QUESTION))
        chosen: list[_Draft] = []
        for category, share in SHARES.items():
            quota = round(share * count)
            own = [draft for draft in drafts if draft.category == category]
            first = [draft for draft in own if draft.asks in CHANGED][: round(OF_CHANGES * quota)]
            chosen += (first + [draft for draft in own if draft not in first])[:quota]
        taken = {draft.text for draft in chosen}
        rest = sorted((draft for draft in drafts if draft.text not in taken), key=lambda draft: draft.category != 4)
        chosen = (chosen + rest)[:count] if len(chosen) < count else chosen[:count]
        return tuple(
            Question(f"{conversation}/q{number}:{draft.asks}", draft.text, draft.gold, draft.category, draft.evidence)
            for number, draft in enumerate(self._dice.shuffled(chosen))
        )

    def _drafts(self) -> Iterator[_Draft]:
        listed: set[tuple[int, str]] = set()
        for one in self._life.instances:
            if one.ended:
                continue
            kind = one.words.kind
            yield from self._of_value(one)
            yield from self._of_time(one)
            yield from self._of_details(one)
            yield from self._inferred(one)
            yield from self._never_told(one)
            # By number: a subject has no other order than that in which it comes up.
            if kind.family == "item" and (key := (id(one.subject), kind.name)) not in listed:
                listed.add(key)
                yield from self._listed(one.subject, one.words)

    def _text(
        self, subject: Subject, words: Words, section: str, value: str | None, needs: frozenset[str]
    ) -> str | None:
        """Return a question of a section, None when none names what is needed, or all name what there is not."""
        without = VALUE if value is None else NOTHING
        found = suiting(self._dice, words, f"ask.{section}", needs=needs, without=without)
        return found.fill({**subject.fields, "v": value or ""}) if found else None

    def _rivals(self, one: Instance) -> Sequence[Instance]:
        """Return what somebody has or plans of a kind: where it is more than one, a question must say which."""
        return [rival for rival in self._life.true(one.subject, one.words.kind.name) if rival.open(self._today)]

    def _of_value(self, one: Instance) -> Iterator[_Draft]:
        if one.words.kind.family in ("attribute", "plan") and self._rivals(one) == [one]:
            text = self._text(one.subject, one.words, "now", None, NOTHING)
            if text:
                yield _Draft("now" if one.previous else "value", 4, text, one.value, (one.turn,))

    def _of_time(self, one: Instance) -> Iterator[_Draft]:
        if one.words.kind.dated and one.dated and one.open(self._today):
            text = self._text(one.subject, one.words, "when", one.value, VALUE)
            if text:
                yield _Draft("when", 2, text, one.dated, (one.turn,))
        if one.words.kind.family == "attribute" and one.previous:
            changes = len(self._life.had(one.subject, one.words.kind.name)) - 1
            text = self._text(one.subject, one.words, "before", one.value, VALUE if changes > 1 else NOTHING)
            if text:
                yield _Draft("before", 2, text, one.previous.value, (one.previous.turn, one.turn))

    def _of_details(self, one: Instance) -> Iterator[_Draft]:
        if not one.open(self._today):
            return
        for aspect, detail in one.details.items():
            needs = VALUE if len(self._rivals(one)) > 1 else NOTHING
            text = self._text(one.subject, one.words, f"aspects.{aspect}", one.value, needs)
            if text:
                yield _Draft(aspect, 4, text, detail.value, (detail.turn,))

    def _inferred(self, one: Instance) -> Iterator[_Draft]:
        if one.words.inferences and one.open(self._today) and self._rivals(one) == [one]:
            text, gold = self._dice.pick(one.words.inferences)
            fields = {**one.subject.fields, "v": one.value}
            yield _Draft("infer", 3, text.fill(fields), gold.fill(fields), (one.turn,))

    def _listed(self, subject: Subject, words: Words) -> Iterator[_Draft]:
        present = self._life.true(subject, words.kind.name)
        text = self._text(subject, words, "list", None, NOTHING) if len(present) > 1 else None
        if text:
            turns = tuple(dict.fromkeys(one.turn for one in present))
            yield _Draft("list", 1, text, ", ".join(one.value for one in present), turns)

    def _never_told(self, one: Instance) -> Iterator[_Draft]:
        """Yield questions that would be answered of this fact, about somebody of whom nothing like it was told."""
        kind = one.words.kind
        for speaker in self._cast.speakers:
            if speaker is not one.subject and not self._life.had(speaker, kind.name):
                section = {"attribute": "now", "item": "list", "event": "when", "plan": "now"}[kind.family]
                needed = one.value if section == "when" else None
                if text := self._text(speaker, one.words, section, needed, NOTHING):
                    yield _Draft("unknown", 5, text, None, ())
        for aspect in kind.aspects:
            # Of what has changed, the day it was told gives some things away, such as since when.
            if one.previous or self._life.ever_told(one.subject, kind.name, aspect) or not one.open(self._today):
                continue
            needs = VALUE if len(self._rivals(one)) > 1 else NOTHING
            if text := self._text(one.subject, one.words, f"aspects.{aspect}", one.value, needs):
                yield _Draft("unknown", 5, text, None, ())
