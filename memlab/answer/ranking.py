"""Which of the shown sentences most likely answers a question."""

import math
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

from memlab.answer.statements import Statement

SAME_LINE = 0.25
"""What a word of the question is worth that stands not in the sentence itself but elsewhere in its line."""
RIGHT_SPEAKER = 0.3
"""What it is worth, next to all words of the question (1), that the question names the speaker."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A statement and how well it fits a question; higher is better."""

    score: float
    statement: Statement


def ranked(shown: Sequence[Statement], asked: Set[str], *, rank_weight: float, least_overlap: float) -> list[Scored]:
    """Return the statements that share more than `least_overlap` with a question, best first; ties keep their order."""
    scored = []
    for statement, overlap in zip(shown, overlaps(shown, asked), strict=True):
        if overlap > least_overlap:
            named = bool(statement.sentence.speaker_stems & asked)
            score = overlap + rank_weight / (1 + statement.rank) + RIGHT_SPEAKER * named
            scored.append(Scored(score, statement))
    return sorted(scored, key=lambda one: -one.score)


def overlaps(shown: Sequence[Statement], asked: Set[str]) -> list[float]:
    """Return for each statement how much of the question it shares, 0 to 1; a word that few of them have weighs more.

    The speakers' names do not count: in a talk between two they are everywhere.
    """
    spread = Counter(word for statement in shown for word in statement.sentence.stems)
    # Sorted, because the order of a sum shows in its last digit, and that of a set of strings changes from run to run.
    topic = sorted(asked - names_of_speakers(shown))
    weights = [(word, math.log(1 + len(shown) / (spread[word] + 0.5))) for word in topic]
    total = sum(weight for _, weight in weights) or 1.0
    return [sum(_share(word, statement) * weight for word, weight in weights) / total for statement in shown]


def names_of_speakers(shown: Sequence[Statement]) -> frozenset[str]:
    """Return the stems of all speakers' names."""
    return frozenset().union(*{statement.sentence.speaker_stems for statement in shown})


def _share(word: str, statement: Statement) -> float:
    if word in statement.sentence.stems:
        return 1.0
    return SAME_LINE if word in statement.sentence.line_stems else 0.0
