"""A reply that decides for several facts at once: what it says for each, and what comes of it in order."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memlab.llm.json_text import found_json
from memlab.llm.understood import Misunderstood
from memlab.memory import Candidate, Decision, Delete, Memory, Update
from memlab.update.calls import ONE_OPERATION, parameters
from memlab.update.choices import BadChoice, Choice, Chosen, agreed, choice, number, quoted
from memlab.update.policy import Policy, given_up

SCHEMA = {
    "title": "decisions",
    **parameters(decisions={"type": "array", "items": parameters(fact={"type": "integer"}, **ONE_OPERATION)}),
}


@dataclass(slots=True)
class Readings:
    """What a reply says for each fact, by its number, and which facts have a decision that cannot be used."""

    chosen: dict[int, Chosen] = field(default_factory=dict)
    faulty: set[int] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    """As the model is told."""
    flaws: list[str] = field(default_factory=list)
    """As they are counted."""

    def blame(self, fact: int, error: Misunderstood) -> None:
        """Note what is wrong with a fact's decision."""
        self.faulty.add(fact)
        self.faults.append(f"fact {fact}: {error}")
        if isinstance(error, BadChoice):
            self.flaws.append(error.flaw)


def readings(text: str, *, facts: int, shown: int) -> Readings:
    """Return what a reply says for so many facts and shown memories.

    Raises Misunderstood when it has no decisions, or some for facts that are not there: then the model has taken
    something else, the memories say, for the facts, and none of its numbers can be trusted.
    """
    found = Readings()
    choices: dict[int, list[Choice]] = {}
    for fact, entry in [(fact_number(entry, facts), entry) for entry in entries(text)]:
        try:
            choices.setdefault(fact, []).append(choice(entry.get("operation"), entry, shown))
        except Misunderstood as error:
            found.blame(fact, error)
    for fact, named in choices.items():
        if fact in found.faulty:
            continue
        try:
            found.chosen[fact] = agreed(named)
        except Misunderstood as error:
            found.blame(fact, error)
    return found


def entries(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the decisions that a text holds: in an object as asked for, or bare; raises Misunderstood."""
    try:
        value = found_json(text)
    except ValueError as error:
        raise Misunderstood(f"{error}.") from error
    if isinstance(value, Mapping):
        value = value.get("decisions", [value])
    if not isinstance(value, list):
        raise BadChoice("wrong_type", f"decisions is {quoted(value)}, not a list.")
    for entry in value:
        yield entry if isinstance(entry, Mapping) else {"fact": quoted(entry)}


def fact_number(entry: Mapping[str, Any], facts: int) -> int:
    """Return the number of the fact that an entry decides for; raises BadChoice."""
    if (value := entry.get("fact")) is None and facts == 1:
        return 1
    try:
        named = number(value, facts)
    except BadChoice:
        named = None
    if named is None:
        raise BadChoice("unknown_fact", f"there is no new fact {quoted(value)}; they are 1 to {facts}.")
    return named


def settled(
    candidates: Sequence[Candidate], memories: Sequence[Memory], chosen: Mapping[int, Chosen], policy: Policy
) -> list[Decision]:
    """Return the decisions for all facts, in order, where what one did to a memory binds those after it.

    A memory updated for one fact may be updated again, but not deleted; one deleted for a fact is there no more.
    """
    decisions: list[Decision] = []
    updated: set[str] = set()
    deleted: set[str] = set()
    for fact, candidate in enumerate(candidates, 1):
        if fact not in chosen:
            decisions.append(given_up(candidate, policy.fallback, ()))
            continue
        usable: list[Choice] = []
        flaws = list(chosen[fact].flaws)
        ids = {one: memories[one.number - 1].id for one in chosen[fact].choices if one.number is not None}
        for one in chosen[fact].choices:
            id_ = ids.get(one)
            if id_ in deleted or (one.verb == "DELETE" and id_ in updated):
                flaws.append(f"conflict: {one.verb} of memory {one.number}, which an earlier fact has changed")
            else:
                usable.append(one)
        if not usable:
            decisions.append(given_up(candidate, policy.fallback, flaws))
            continue
        decision = policy.decision(Chosen(tuple(usable), tuple(flaws)), candidate, memories)
        changed = {one.id for one in decision.operations if isinstance(one, Update | Delete)}
        updated |= {ids[one] for one in usable if one.verb == "UPDATE" and ids[one] in changed}
        deleted |= {ids[one] for one in usable if one.verb == "DELETE" and ids[one] in changed}
        decisions.append(decision)
    return decisions
