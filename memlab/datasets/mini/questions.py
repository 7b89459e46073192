"""Questions about a conversation, in LOCOMO's categories, with their evidence."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from memlab.datasets.generated.dice import Dice
from memlab.datasets.generated.person import Person
from memlab.datasets.mini.story import Ask
from memlab.datasets.mini.timeline import Telling, Timeline
from memlab.datasets.mini.wording import Script, sentence_case
from memlab.dialogue import Question

QUOTA = MappingProxyType({1: 5, 2: 6, 3: 2, 4: 13, 5: 6})
"""Questions per conversation and category, in LOCOMO's proportions."""
GROUPS = MappingProxyType(
    {
        "hobbies": ("What does {A} do in {A.her} free time?", "What hobbies do {A} and {B} have between them?"),
        "sports": ("Which sports does {A} do?", "Which sports do {A} and {B} do?"),
        "places": ("Where has {A} been on holiday?", "Where have {A} and {B} been on holiday?"),
        "events": ("Which events has {A} taken part in?", "Which events have {A} and {B} taken part in?"),
        "books": ("What has {A} read?", "What have {A} and {B} been reading?"),
    }
)
"""How one asks for a list over several stories: of one speaker, and of both."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A possible question; `source` is what it is about, so that questions spread over subjects."""

    source: str
    category: int
    text: str
    gold: str | None
    evidence: tuple[str, ...]


def questions(timeline: Timeline, script: Script, dice: Dice) -> tuple[Question, ...]:
    """Return the questions of a conversation, categories mixed."""
    turn_ids = {(said.telling, said.mark.fact): said.turn_id for said in script.statements}
    drafts = [*_lists(timeline, turn_ids)]
    for place, telling in enumerate(timeline.tellings):
        drafts += _asked(place, telling, script, turn_ids, dice)
        if sum(other.story is telling.story for other in timeline.tellings) == 1:
            drafts += _adversarial(place, telling, turn_ids, dice)
    chosen = [draft for category, count in QUOTA.items() for draft in _spread(drafts, category, count, dice)]
    return tuple(
        Question(f"{timeline.id}/q{number}", draft.text, draft.gold, draft.category, draft.evidence)
        for number, draft in enumerate(dice.shuffled(chosen))
    )


def _spread(drafts: list[_Draft], category: int, count: int, dice: Dice) -> list[_Draft]:
    """Return some drafts of a category: one of each source before a second of any."""
    rounds: dict[str, int] = {}
    ranked: list[tuple[int, int, _Draft]] = []
    for draft in dice.shuffled([draft for draft in drafts if draft.category == category]):
        rounds[draft.source] = rounds.get(draft.source, -1) + 1
        ranked.append((rounds[draft.source], len(ranked), draft))
    return [draft for _, _, draft in sorted(ranked, key=lambda entry: entry[:2])[:count]]


def _asked(
    place: int, telling: Telling, script: Script, turn_ids: Mapping[tuple[int, str], str], dice: Dice
) -> Iterator[_Draft]:
    for ask in _answered(telling, place, turn_ids):
        text = _text(ask, telling, telling.owner, telling.friend, dice)
        evidence = tuple(turn_ids[place, fact] for fact in ask.evidence)
        if ask.when:
            gold = script.dates[place, _beat(telling, ask.evidence[0]), ask.when].gold
        else:
            said = (ask.gold or "").format_map({"A": telling.owner, "B": telling.friend, **telling.values})
            gold = third_person(said, telling.owner)
        yield _Draft(str(place), ask.category, text, gold, evidence)


def _adversarial(place: int, telling: Telling, turn_ids: Mapping[tuple[int, str], str], dice: Dice) -> Iterator[_Draft]:
    """Yield questions about the friend that only the owner's story answers."""
    for ask in _answered(telling, place, turn_ids):
        if ask.category in (2, 4) and all("{A}" in text for text in ask.text):
            text = _text(ask, telling, telling.friend, telling.owner, dice)
            yield _Draft(str(place), 5, text, None, tuple(turn_ids[place, fact] for fact in ask.evidence))


def _answered(telling: Telling, place: int, turn_ids: Mapping[tuple[int, str], str]) -> Iterator[Ask]:
    """Yield the questions whose evidence was told."""
    for ask in telling.story.asks:
        if all((place, fact) in turn_ids for fact in ask.evidence):
            yield ask


def third_person(text: str, person: Person) -> str:
    """Return what a person said of themselves as others say it: `my keys` -> `her keys`."""
    words = {"I": person.she, "my": person.her, "me": person.him, "myself": person.self}
    return re.sub(r"\b(I|my|me|myself)\b", lambda match: words[match[0]], text)


def _lists(timeline: Timeline, turn_ids: Mapping[tuple[int, str], str]) -> Iterator[_Draft]:
    """Yield questions whose answer is gathered from several stories, of one speaker or else of both."""
    for group, (of_one, of_both) in GROUPS.items():
        entries: dict[str, list[tuple[str, str]]] = {person.name: [] for person in timeline.speakers}
        for place, telling in enumerate(timeline.tellings):
            for value, fact in telling.story.groups.get(group, ()):
                if (place, fact) not in turn_ids:
                    continue
                entries[telling.owner.name].append((value.format_map(telling.values), turn_ids[place, fact]))
        first, second = timeline.speakers
        for person, other in ((first, second), (second, first)):
            if len(entries[person.name]) > 1:
                yield _gathered(group, of_one.format(A=person, B=other), entries[person.name])
        if all(len(listed) == 1 for listed in entries.values()):
            both = [entry for listed in entries.values() for entry in listed]
            yield _gathered(group, of_both.format(A=first, B=second), both)


def _gathered(group: str, text: str, entries: list[tuple[str, str]]) -> _Draft:
    values = dict.fromkeys(value for value, _ in entries)
    return _Draft(group, 1, text, ", ".join(values), tuple(dict.fromkeys(turn_id for _, turn_id in entries)))


def _text(ask: Ask, telling: Telling, about: Person, other: Person, dice: Dice) -> str:
    text = dice.pick(ask.text).format_map({**telling.values, "A": about, "B": other})
    return sentence_case(third_person(text, about))


def _beat(telling: Telling, fact: str) -> str:
    return next(
        beat
        for beat, lines in telling.story.beats.items()
        if any(line.mark and line.mark.fact == fact for line in lines)
    )
