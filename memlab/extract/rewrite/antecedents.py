"""Whom `she` or `he` means at the start of a message, and in a question that it answers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from memlab.dialogue import Turn
from memlab.extract.rewrite.names import calls
from memlab.extract.rewrite.people import Named, people
from memlab.extract.rewrite.replies import Asked
from memlab.extract.rewrite.statements import Statement

OPENS = re.compile(
    r"(?P<lead>(?:(?:and|but|so|well|yes|yeah|no)\b,? )?)(?P<pronoun>she|he|her|his)(?='s\b|'d\b|'ll\b| )",
    re.IGNORECASE,
)
ASKED = re.compile(
    r"\b(?:is|was|has|had|does|did|will|would|can|could|should|doesn't|didn't|isn't|hasn't) (?P<pronoun>she|he)(?= )",
    re.IGNORECASE,
)
SUBJECTS = {"her": "she", "his": "he"}
UNSURE_WITHIN = 2
"""Turns back in which a name that may be a woman's or a man's is still looked for."""


@dataclass(frozen=True, slots=True)
class Said:
    """Where a pronoun is said: in `turn`, to the `listener`, after the words `before` it and the `earlier` turns."""

    turn: Turn
    listener: str
    before: str
    earlier: Sequence[Turn]


def with_antecedent(statement: Statement, said: Said) -> Statement:
    """Return a statement that opens with a pronoun for another person with the name instead, if it is clear whose."""
    opens = OPENS.match(statement.text)
    found = opens and not statement.quoted and _antecedent(opens["pronoun"].lower(), said)
    if not opens or not found or found[0] in statement.text:
        return statement
    name, source = found
    owner = "'s" if opens["pronoun"].lower() in SUBJECTS else ""
    rest = re.sub(r"^'ll\b", " will", statement.text[opens.end() :])
    text = f"{opens['lead']}{name}{owner}{rest}"
    return replace(statement, text=text, leans=False, sources=(*statement.sources, source))


def by_name(asked: Asked, listener: str, earlier: Sequence[Turn]) -> Asked:
    """Return a question about `she` or `he` with the name instead, if it is clear whose."""
    found = ASKED.search(asked.question)
    if not found:
        return asked
    before = tuple(takewhile(lambda past: past != asked.turn, earlier))
    told = asked.turn.text.partition(asked.question)[0]
    meant = _antecedent(found["pronoun"].lower(), Said(asked.turn, listener, told, before))
    if not meant or meant[0] in asked.question:
        return asked
    start, end = found.span("pronoun")
    question = f"{asked.question[:start]}{meant[0]}{asked.question[end:]}"
    return replace(asked, question=question, named_in=meant[1])


def _antecedent(pronoun: str, said: Said) -> tuple[str, str] | None:
    """Return whom a pronoun means and the turn that says so: the only one that fits in the nearest message with any."""
    pronoun = SUBJECTS.get(pronoun, pronoun)
    messages = _messages(said)
    known = {one.words: one.pronoun for _, named in messages for one in named if one.pronoun in {"she", "he"}}
    fits = [
        (turn_id, {one for one in named if known.get(one.words, one.pronoun) in {pronoun, "", "?"}})
        for turn_id, named in messages
    ]
    everybody = {one.words for _, named in fits for one in named}
    for back, (turn_id, named) in enumerate(fits):
        if not named:
            continue
        name = next(iter(named)).words
        if not name or any(one.words != name for one in named):
            return None
        sure = known.get(name) == pronoun or (back <= UNSURE_WITHIN and everybody == {name})
        return (name, turn_id) if sure else None
    return None


def _messages(said: Said) -> list[tuple[str, list[Named]]]:
    """Return whom the messages of the session name, the nearest first."""
    speaker = said.turn.speaker
    called = calls(speaker) | calls(said.listener)
    messages = [(said.turn.id, people(said.before, speaker, said.listener, called))]
    for past in reversed(said.earlier):
        if past.session != said.turn.session:
            break
        other = said.listener if past.speaker == speaker else speaker
        messages.append((past.id, people(f"{past.text}\n{past.caption or ''}", past.speaker, other, called)))
    return messages
