"""Which of LOCOMO's questions a published file is meant to hold, and which of them it lacks or has too often."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from memlab.audit.ceiling import seven
from memlab.audit.findings import Finding
from memlab.dialogue import SCORED_CATEGORIES
from memlab.paper.locomo import BY_CONVERSATION, QUESTIONS, SAMPLE_IDS, TWICE, sample_id
from memlab.score.prediction_files import Prediction


@dataclass(frozen=True, slots=True)
class Extent:
    """The conversations that a file is meant to hold, by sample id; questions per category over all of them."""

    name: str
    conversations: tuple[str, ...]
    questions: dict[int, int]


TEN = Extent("LoCoMo's ten conversations", SAMPLE_IDS, dict(QUESTIONS))
SEVEN = Extent("the seven conversations of locomo7.json", tuple(BY_CONVERSATION), seven())
ANOTHER = Extent("another dataset than LoCoMo", (), {})
MOST_NAMED = 5
"""Conversations of another dataset that are named."""


def extent(rows: Sequence[Prediction]) -> Extent:
    """Return the smallest extent that is known to be published and holds all rows: seven conversations, or all ten.

    Where rows tell their conversations, and none is LoCoMo's, nothing is known.
    """
    homes = {sample_id(row.conversation) for row in rows if row.conversation is not None}
    if homes:
        if homes.isdisjoint(SAMPLE_IDS):
            return ANOTHER
        return SEVEN if homes <= set(SEVEN.conversations) else TEN
    asked = Counter(row.category for row in rows)
    if any(asked[category] for category in SCORED_CATEGORIES):
        return SEVEN if all(asked[c] <= SEVEN.questions[c] for c in SCORED_CATEGORIES) else TEN
    return SEVEN if len(rows) <= sum(SEVEN.questions.values()) else TEN


def completeness(rows: Sequence[Prediction], meant: Extent) -> Iterator[Finding]:
    """Yield what a file lacks of what it is meant to hold, and what it has too often."""
    yield from _left_out(rows, meant)
    places = {row.conversation for row in rows if row.conversation is not None}
    homes = {place: sample_id(place) for place in places}
    strange = sorted(place for place, home in homes.items() if home not in SAMPLE_IDS)
    if strange:
        more = f" and {len(strange) - MOST_NAMED} more" if len(strange) > MOST_NAMED else ""
        words = f"not LoCoMo's conversations: {', '.join(strange[:MOST_NAMED])}{more}; what they lack is not known"
        yield Finding("unknown", "conversations", words, "note")
    if homes:
        yield from _absent([home for home in meant.conversations if home not in homes.values()])
        for home in meant.conversations:
            if home in homes.values() and home in BY_CONVERSATION:
                own = [row for row in rows if row.conversation is not None and homes[row.conversation] == home]
                yield from _counts(called(home), own, dict(BY_CONVERSATION[home]))
        yield from _others(rows, homes)
    else:
        yield from _counts("all rows", rows, meant.questions)
    yield from _repeats(rows)


def _absent(conversations: Sequence[str]) -> Iterator[Finding]:
    if not conversations:
        return
    counted = [BY_CONVERSATION[home] for home in conversations if home in BY_CONVERSATION]
    lost = sum(asked[category] for asked in counted for category in SCORED_CATEGORIES)
    least = "" if len(counted) == len(conversations) else "at least "
    words = f"{'this whole conversation is' if len(conversations) == 1 else 'these whole conversations are'} missing"
    where = ", ".join(f"{SAMPLE_IDS.index(home)} ({home})" for home in conversations)
    yield Finding("missing", f"conversation {where}", f"{words}: {least}{lost:,} scored questions")


def called(home: str) -> str:
    """Return a conversation under both of its names."""
    return f"conversation {SAMPLE_IDS.index(home)} ({home})" if home in SAMPLE_IDS else f"conversation {home}"


def _left_out(rows: Sequence[Prediction], meant: Extent) -> Iterator[Finding]:
    outside = [home for home in SAMPLE_IDS if home not in meant.conversations]
    if outside and meant.conversations:
        told = ", ".join(f"{SAMPLE_IDS.index(home)}" for home in outside)
        words = f"held against {meant.name}: LoCoMo's conversations {told} are in no row"
        if all(row.conversation is None for row in rows):
            words = f"held against {meant.name}, by its counts per category: no row tells its conversation"
        yield Finding("extent", "file", words, "note")


def _counts(where: str, rows: Sequence[Prediction], expected: dict[int, int]) -> Iterator[Finding]:
    """Yield the categories of which there are more or fewer rows than questions; category 5 may be left out whole."""
    if all(row.category is None for row in rows):
        scored = sum(expected[category] for category in SCORED_CATEGORIES)
        if len(rows) not in (scored, sum(expected.values())):
            words = f"{len(rows):,} rows of no category, {scored:,} scored questions ({scored + expected[5]:,} in all)"
            yield Finding("count", where, words)
        return
    found = Counter(row.category for row in rows)
    for category in SCORED_CATEGORIES:
        gap = found[category] - expected[category]
        if gap:
            kind, word = ("extra", "too many") if gap > 0 else ("missing", "missing")
            questions = f"{found[category]:,} rows of {expected[category]:,} questions"
            words = f"category {category}: {questions}, {abs(gap):,} {word}"
            yield Finding(kind, where, words)


def _others(rows: Sequence[Prediction], homes: dict[str, str]) -> Iterator[Finding]:
    """Yield what is amiss with the three conversations that are only known by their sum."""
    others = [home for home in SAMPLE_IDS if home not in BY_CONVERSATION]
    if set(others) <= set(homes.values()):
        own = [row for row in rows if row.conversation is not None and homes[row.conversation] in others]
        expected = {category: QUESTIONS[category] - SEVEN.questions[category] for category in QUESTIONS}
        yield from _counts(f"conversations {', '.join(others)} together", own, expected)


def _repeats(rows: Sequence[Prediction]) -> Iterator[Finding]:
    """Yield how many rows ask a question again beyond those that LOCOMO asks twice."""
    asked: dict[tuple[str | None, str], list[Prediction]] = {}
    for row in rows:
        if row.category != 5:
            home = None if row.conversation is None else sample_id(row.conversation)
            asked.setdefault((home, " ".join(row.question.casefold().split())), []).append(row)
    again = Counter({home: 0 for home, _ in asked})
    for (home, _), found in asked.items():
        again[home] += len(found) - 1
    for home, more in again.items():
        allowed = TWICE.get(home, 0) if home else sum(TWICE.values())
        if more > allowed:
            differ = sum(
                len({(row.answer, row.judgements) for row in found}) > 1
                for (place, _), found in asked.items()
                if place == home and len(found) > 1
            )
            words = (
                f"{more} rows ask a question again (LoCoMo itself: {allowed}); {differ} questions got different answers"
            )
            known: Literal["finding", "note"] = "finding" if home is None or home in SAMPLE_IDS else "note"
            where = called(home) if home else "all rows"
            yield Finding("repeated", where, f"{words}: attempts may have been merged", known)
