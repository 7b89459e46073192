"""What a dataset knows for certain: what each turn states, and what that does to what was stated before."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Verb = Literal["ADD", "UPDATE", "DELETE", "NOOP"]
"""The names of the operations of arXiv 2504.19413 section 2.1, in its order."""
OPERATIONS: tuple[Verb, ...] = ("ADD", "UPDATE", "DELETE", "NOOP")


ALIKE = 0.5
"""Share of words in common (F1) from which a candidate in other words is taken for a statement of its turn."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One fact that a turn states, as text that stands on its own, and the operation that is right for it.

    A proposition is what may be true or not; its id is that of the first statement of it. `says` are the propositions
    that the text tells: its own (its id), and one it restates. A repetition tells no new one, and a revocation, or a
    repetition that says less, none at all. `target` is the proposition that the operation is about: the one that is
    elaborated (UPDATE), contradicted (DELETE) or known already (NOOP). `ends` are the propositions that are no longer
    true from here on. `key` are the words without which a text cannot tell the statement's own proposition.
    """

    id: str
    turn: str
    text: str
    operation: Verb
    target: str | None
    says: tuple[str, ...]
    ends: tuple[str, ...]
    key: tuple[str, ...]


def truth(statements: Iterable[Statement]) -> set[str]:
    """Return the propositions that are true after all these statements, made in this order."""
    true: set[str] = set()
    for statement in statements:
        true.difference_update(statement.ends)
        true.update(statement.says)
    return true


class Told:
    """The statements of one conversation, to look up what a text with known sources tells."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        self.statements = tuple(statements)
        self.by_turn: Mapping[str, list[Statement]] = defaultdict(list)
        for statement in statements:
            self.by_turn[statement.turn].append(statement)
        self._by_id = {statement.id: statement for statement in statements}

    def statement(self, text: str, sources: Iterable[str]) -> Statement | None:
        """Return the statement that a candidate makes which came from these turns; None when it makes none.

        That is the one with its very words, or else of those whose key words are all in it, or that have half of the
        words in common with it, the likest. A revocation has the key words of what it ends.
        """
        stated = [one for turn in sources for one in self.by_turn.get(turn, ())]
        if exact := next((one for one in stated if one.text == text), None):
            return exact
        keyed = [one for one in stated if has_all(self._naming(one), text)]
        likest = max(keyed or stated, key=lambda one: alike(one.text, text), default=None)
        return likest if likest and (keyed or alike(likest.text, text) >= ALIKE) else None

    def _naming(self, statement: Statement) -> tuple[str, ...]:
        ended = self._by_id.get(statement.target) if statement.target and statement.ends else None
        return statement.key or (ended.key if ended else ())

    def tells(self, text: str, sources: Iterable[str]) -> set[str]:
        """Return the propositions that a text tells which came from these turns.

        A text made up of the very words of statements tells what they tell. Of any other text, the words of somebody
        else, it tells what these turns state whose key words are all in it.
        """
        stated = [one for turn in sources for one in self.by_turn.get(turn, ())]
        found = [one for one in stated if one.text in text]
        rest = text
        for one in sorted(found, key=lambda one: -len(one.text)):
            rest = rest.replace(one.text, " ")
        told = {proposition for one in found for proposition in one.says}
        if rest.strip():
            told |= {proposition for one in stated if has_all(one.key, text) for proposition in one.says}
        return told


def has_all(key: Sequence[str], text: str) -> bool:
    """Return whether a text has all key words, if there are any."""
    words = text.casefold()
    return bool(key) and all(word.casefold() in words for word in key)


def alike(text: str, other: str) -> float:
    """Return how many words two texts have in common: F1 over sets of words, case ignored."""
    words, others = (set(re.findall(r"\w+", one.casefold())) for one in (text, other))
    return 2 * len(words & others) / (len(words) + len(others)) if words and others else 0.0
