"""Answers that are right or wrong by rule, to try a judge on; no model makes them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from memlab.answer.questions import AUXILIARY as AUXILIARIES
from memlab.answer.questions import Wanted, wanted
from memlab.answer.statements import MONTHS
from memlab.answer.words import FUNCTION_WORDS, WORD, is_content, stem
from memlab.dialogue import SCORED_CATEGORIES, Conversation, Question

kind_of = lru_cache(maxsize=1 << 14)(wanted)

Kind = Literal["gold", "swapped", "vague"]

ALIKE = 0.5
"""Two answers are nearly the same when the shorter shares this part of its words with the other."""
LITTLE_WORDS = FUNCTION_WORDS - {"yes", "no", "not", "one", "may"}
DIGITS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8"}
YES, NO = frozenset({"yes", "likely", "probably"}), frozenset({"no", "not", "unlikely"})
YEAR = re.compile(r"(?:19|20)\d\d")
MONTH = re.compile(rf"(?:{'|'.join(MONTHS)})\b", re.IGNORECASE)
NEAR_MONTHS = 1
"""Dates no further apart may mean the same: `the week after 28 March`, `5 April`."""
AUXILIARY = re.compile(AUXILIARIES, re.IGNORECASE)

VAGUE = "Something they brought up when they talked about {topic}"
VAGUE_BY_KIND: Mapping[Wanted, str] = MappingProxyType(
    {
        Wanted.DATE: "Around that time, a while before they talked about {topic}",
        Wanted.DURATION: "For quite some time, as they said when they talked about {topic}",
        Wanted.NUMBER: "A few, as they said when they talked about {topic}",
        Wanted.VERDICT: "It depends on how one sees {topic}",
        Wanted.SEVERAL: "Several things that came up when they talked about {topic}",
    }
)


@dataclass(frozen=True, slots=True)
class Probe:
    """An answer for a judge: `gold` should pass; `swapped`, another question's gold, and `vague` should not."""

    kind: Kind
    question: Question
    answer: str


def probes(conversations: Sequence[Conversation], count: int) -> list[Probe]:
    """Return probes of every kind on `count` questions, the same for each, or on all that there are.

    The questions have a gold answer and are evenly spread over categories 1 to 4 and over the conversations.
    """
    pool: list[tuple[Question, str]] = []
    for category in SCORED_CATEGORIES:
        groups = [
            [question for question in one.questions if question.category == category and question.gold]
            for one in conversations
        ]
        for group in groups:
            elsewhere = [question for other in groups if other is not group for question in other]
            for place, question in enumerate(group):
                other = swapped(question, from_half_away(group, place)) or swapped(question, elsewhere)
                if other and not alike(vague(question), question):
                    pool.append((question, other))
    return [
        probe
        for question, other in spread(pool, count)
        for probe in (
            Probe("gold", question, question.gold or ""),
            Probe("swapped", question, other),
            Probe("vague", question, vague(question)),
        )
    ]


def spread(pool: Sequence[tuple[Question, str]], count: int) -> list[tuple[Question, str]]:
    """Return `count` entries at even distances, or all."""
    taken = min(count, len(pool))
    return [pool[(2 * place + 1) * len(pool) // (2 * taken)] for place in range(taken)]


def from_half_away(group: Sequence[Question], place: int) -> list[Question]:
    """Return the others of a group, those half of it away first: those nearby are often on the same event."""
    ring = [*group[place + 1 :], *group[:place]]
    return [*ring[len(ring) // 2 :], *ring[: len(ring) // 2]]


def swapped(question: Question, others: Sequence[Question]) -> str | None:
    """Return the gold of the first other question for the same kind of thing, else of any; None: all are alike."""
    wrong = [other for other in others if not alike(other.gold or "", question)]
    same_kind = (other for other in wrong if kind_of(other.text) is kind_of(question.text))
    chosen = next(same_kind, wrong[0] if wrong else None)
    return chosen.gold if chosen else None


def alike(answer: str, question: Question) -> bool:
    """Tell whether an answer is nearly the gold answer, so that it may be right."""
    if affirms(answer) is not None and affirms(answer) == affirms(question.gold or ""):
        return True
    month, gold_month = month_of(answer), month_of(question.gold or "")
    if month and gold_month:
        return abs(month - gold_month) <= NEAR_MONTHS
    given, gold = words(answer), words(question.gold or "")
    return len(given & gold) >= ALIKE * min(len(given), len(gold))


@lru_cache(maxsize=1 << 14)
def month_of(text: str) -> int | None:
    """Return the first month that a text names with a year, counted from the year 0."""
    named = MONTH.search(text)
    year = YEAR.search(text)
    return int(year[0]) * 12 + MONTHS.index(named[0].title()) if named and year else None


@lru_cache(maxsize=1 << 14)
def words(text: str) -> frozenset[str]:
    """Return the stems of a text's words, numbers as digits, without the little words."""
    found = (DIGITS.get(word.lower(), word.lower()) for word in WORD.findall(text))
    return frozenset(stem(word) for word in found if word not in LITTLE_WORDS)


def affirms(answer: str) -> bool | None:
    """Return True for an answer like `Likely yes`, False for one like `No, she ...`, None for any other."""
    first = [word.lower() for word in WORD.findall(answer)[:2]]
    if not first or first[0] not in YES | NO:
        return None
    return not NO.intersection(first)


def vague(question: Question) -> str:
    """Return an answer of the question's own words that says nothing of what is asked."""
    return VAGUE_BY_KIND.get(kind_of(question.text), VAGUE).format(topic=topic(question))


def topic(question: Question) -> str:
    """Return what a question is about: its words from the first to the last with content, without the gold's."""
    gold = words(question.gold or "")
    asked = [word for word in WORD.findall(question.text) if not AUXILIARY.fullmatch(word) and not words(word) & gold]
    telling = [place for place, word in enumerate(asked) if is_content(word)]
    return " ".join(asked[telling[0] : telling[-1] + 1]) if telling else "it"
