"""What is done with a model's choices, where arXiv 2504.19413 (section 2.1, algorithm 1) leaves it open."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, assert_never, get_args

from memlab.memory import Add, Candidate, Decision, Delete, Fact, Memory, Noop, Operation, Update
from memlab.update.choices import Choice, Chosen

OnDelete = Literal["paper", "replace", "retire"]
"""What DELETE does with the fact that contradicts the memory.

paper: nothing; the memory is retired and the fact stored nowhere, as in algorithm 1.
replace: it takes the memory's place; the old text stays in its history.
retire: it becomes a memory of its own beside the retired one.
"""
Information = Literal["none", "words", "content_words"]
"""How algorithm 1's InformationContent is measured: an UPDATE that has no more of it than the memory changes nothing.

none: not at all, every UPDATE is carried out. words: by the number of words. content_words: by the number of different
words that are no function words.
"""
UpdateText = Literal["model", "fact"]
"""What an UPDATE stores: the model's text, or the fact as it is (algorithm 1)."""
Fallback = Literal["add", "skip"]
"""What happens to a fact when no choice could be made out: it is added, or stored nowhere. Counted either way."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How choices become operations."""

    on_delete: OnDelete
    information: Information
    update_text: UpdateText
    fallback: Fallback

    def __post_init__(self) -> None:
        one_of("on_delete", self.on_delete, OnDelete)
        one_of("information", self.information, Information)
        one_of("update_text", self.update_text, UpdateText)
        one_of("fallback", self.fallback, Fallback)

    def decision(self, chosen: Chosen, candidate: Candidate, shown: Sequence[Memory]) -> Decision:
        """Return the operations of what was chosen for a candidate among the memories shown, in its order."""
        flaws = list(chosen.flaws)
        deleted = [shown[one.number - 1] for one in chosen.choices if one.verb == "DELETE" and one.number]
        if same := next((memory for memory in deleted if says(memory, candidate)), None):
            return kept(candidate, same, flaws)
        operations: list[Operation] = []
        stored = any(choice.verb in ("ADD", "UPDATE") for choice in chosen.choices)
        for choice in chosen.choices:
            memory = None if choice.number is None else shown[choice.number - 1]
            match choice.verb, memory:
                case "UPDATE", Memory():
                    if choice.text is None and self._takes_text(candidate, memory):
                        flaws.append("no_text: an UPDATE without a text; the fact's own was taken")
                    operation = self._updated(choice, candidate, memory)
                    if isinstance(operation, Noop):
                        flaws.append("uninformative: an UPDATE without more words than the memory was left out")
                    operations.append(operation)
                case "DELETE", Memory() if stored:
                    operations.append(Delete(memory.id, candidate.said_at))
                case "DELETE", Memory():
                    operations += contradicted(candidate, memory, self.on_delete).operations
                    stored = self.on_delete != "paper"
                case "NOOP", _:
                    operations.append(unchanged(candidate, memory, shown))
                case _:
                    operations.append(Add(candidate))
        return Decision(tuple(operations), tuple(flaws))

    def _takes_text(self, candidate: Candidate, memory: Memory) -> bool:
        facts = isinstance(candidate.content, Fact) and isinstance(memory.content, Fact)
        return facts and self.update_text == "model"

    def _updated(self, choice: Choice, candidate: Candidate, memory: Memory) -> Operation:
        new = candidate
        if choice.text is not None and self._takes_text(candidate, memory):
            new = replace(candidate, content=Fact(choice.text))
        if self.information != "none":
            had = information(memory.text, self.information)
            if information(new.content.text, self.information) <= had:
                return Noop(memory.id, candidate.sources)
        return Update(memory.id, new)


def contradicted(candidate: Candidate, memory: Memory, on_delete: OnDelete) -> Decision:
    """Return what follows when a fact contradicts a memory."""
    if says(memory, candidate):
        return kept(candidate, memory, ())
    match on_delete:
        case "paper":
            return Decision((Delete(memory.id, candidate.said_at),))
        case "replace":
            return Decision((Update(memory.id, candidate),))
        case "retire":
            return Decision((Delete(memory.id, candidate.said_at), Add(candidate)))
        case _:
            assert_never(on_delete)


def says(memory: Memory, candidate: Candidate) -> bool:
    """Return whether a memory says the very same as a candidate."""
    return memory.text == candidate.content.text


def kept(candidate: Candidate, memory: Memory, flaws: Sequence[str]) -> Decision:
    """Return the NOOP for a fact that is said to contradict its own words: told twice, it must not delete itself."""
    told = "conflict: a fact cannot contradict a memory that says the very same; the memory was kept"
    return Decision((Noop(memory.id, candidate.sources),), (*flaws, told))


def unchanged(candidate: Candidate, named: Memory | None, shown: Sequence[Memory]) -> Noop:
    """Return the NOOP that credits the memory which was named, or says the very same; else none."""
    known = named or next((memory for memory in shown if says(memory, candidate)), None)
    return Noop(None if known is None else known.id, candidate.sources)


def given_up(candidate: Candidate, fallback: Fallback, flaws: Sequence[str]) -> Decision:
    """Return what becomes of a candidate for which no choice could be made out."""
    if fallback == "add":
        return Decision((Add(candidate),), (*flaws, "fallback: no usable choice; the fact was added"))
    return Decision((), (*flaws, "fallback: no usable choice; the fact was stored nowhere"))


def information(text: str, measure: Literal["words", "content_words"]) -> int:
    """Return how much a text says, in words."""
    if measure == "words":
        return len(text.split())
    return len(set(re.findall(r"[^\W_]+", text.lower())) - function_words())


@cache
def function_words() -> frozenset[str]:
    """Return the English words that are the same whatever a sentence is about."""
    from bm25s.stopwords import STOPWORDS_EN_PLUS

    return frozenset(STOPWORDS_EN_PLUS)


def one_of(name: str, value: object, options: Any) -> None:
    """Check that a setting is one of a Literal's values; raises ValueError, naming them."""
    if value not in get_args(options):
        raise ValueError(f"{name}={value!r} is none of {', '.join(get_args(options))}")
