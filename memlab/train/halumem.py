"""Preference events of HaluMem (stage 3.2): what a person liked or disliked, and an event that changed it.

The memory is the preference before the event in words, `Ada likes jogging. It clears my head.`; the candidate is what
the event tells, `event_description`, and once more `update_reason` to learn from. Both are there, in the same style,
whether the preference was modified or deleted: the words after a modification are not used, for a deletion has none
and the form alone would give the answer away. Modify: augments (UPDATE). Delete: contradicts (DELETE). No event says
the same again, so nothing is equivalent. Unrelated: the same event, and a preference of another type of that person, or
of the same type that shares no word with either version of the preference.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memlab.datasets.dataset import DatasetError
from memlab.train.pairs import LabelledPair, Parts, held_out
from memlab.update.relation import Relation

LICENCE = "CC BY-NC-ND 4.0"
RELATION_OF: Mapping[str, Relation] = {"Modify": "augments", "Delete": "contradicts"}
TEST_USERS, VALIDATION_USERS = 3, 1
OTHER_TYPES = 3
"""Unrelated pairs with preferences of other types, for each event."""
TAKEN_AS_VERB = re.compile(r"^(?:dis)?likes?\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Event:
    """One change of a preference, as words."""

    memory: str
    told: str
    reason: str
    relation: Relation
    kind: str
    words: frozenset[str]


def halumem(path: Path) -> Parts:
    """Return the pairs, parted by user; raises DatasetError with the line and remedy."""
    users = [(f"halumem {number}", events) for number, events in enumerate(read(path))]
    parts = held_out(
        [pair for group, events in users for pair in pairs(events, group)], validation=VALIDATION_USERS, test=TEST_USERS
    )
    if not parts.train:
        raise DatasetError(
            f"{path} has {len(users)} users, but {TEST_USERS + VALIDATION_USERS} are held out; give the whole file"
        )
    more = {group for group, _ in users} & {pair.group for pair in parts.train}
    reasons = [pair for group, events in users if group in more for pair in pairs(events, group, reasons=True)]
    return Parts((*parts.train, *reasons), parts.validation, parts.test)


def pairs(events: Sequence[Event], group: str, *, reasons: bool = False) -> Iterator[LabelledPair]:
    """Yield the pairs of one user; with `reasons`, those whose candidate is the reason of the change."""
    for number, event in enumerate(events):
        candidate = event.reason if reasons else event.told
        if not candidate:
            continue
        yield LabelledPair(event.memory, candidate, event.relation, group)
        turned = [*events[number + 1 :], *events[:number]]
        foreign = list(dict.fromkeys(other.memory for other in turned if other.kind != event.kind))
        near = [other.memory for other in turned if other.kind == event.kind and not other.words & event.words]
        for memory in dict.fromkeys([*foreign[:OTHER_TYPES], *near[:1]]):
            yield LabelledPair(memory, candidate, "unrelated", group)


def read(path: Path) -> Iterator[list[Event]]:
    """Yield the events of each user; raises DatasetError when a line is not such a user."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot read {path} ({error}); give the path of the events, or halumem=null") from error
    for number, line in enumerate(lines, start=1):
        try:
            user = json.loads(line)
            name = str(user["profile"]["fixed"]["basic_info"]["name"]).strip()
            yield [event for one in user["event_list"] if (event := event_of(one, name))]
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            raise DatasetError(
                f"{path}:{number}: no user with preference events ({type(error).__name__}: {error}); give the lines of "
                "HaluMem's stage3_2_preference_events.jsonl as published"
            ) from error


def event_of(event: Mapping[str, Any], name: str) -> Event | None:
    """Return an event as words, or None for one that is neither a change nor an end."""
    if (relation := RELATION_OF.get(event["update_direction"])) is None:
        return None
    before, after = event["before_preference"]["memory_points"][0], event["after_preference"]["memory_points"][0]
    return Event(
        memory=preference(before, name),
        told=str(event["event_description"]).strip(),
        reason=str(event["update_reason"]).strip(),
        relation=relation,
        kind=str(event["type_to_update"]),
        words=frozenset(re.findall(r"\w{4,}", f"{before['specific_item']} {after['specific_item']}".lower())),
    )


def preference(point: Mapping[str, Any], name: str) -> str:
    """Return a preference as a sentence, with its reason."""
    item = TAKEN_AS_VERB.sub("", str(point["specific_item"]).strip())
    told = f"{item[:1].lower()}{item[1:]}" if item[1:2].islower() else item
    verb = "dislikes" if point["type"] == "dislike" else "likes"
    return f"{name} {verb} {told.rstrip('.')}. {str(point['reason']).strip()}".strip()
