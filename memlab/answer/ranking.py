"""Which of the shown sentences most likely answers a question."""

import math
from collections import Counter
from collections.abc import Sequence, Set

from memlab.answer.statements import Statement

SAME_LINE = 0.25
"""What a word of the question is worth that stands not in the sentence itself but elsewhere in its line."""
RIGHT_SPEAKER = 0.3
"""What it is worth, next to all words of the question (1), that the question names the speaker."""


def overlaps(shown: Sequence[Statement], asked: Set[str]) -> list[float]:
    """Return for each statement how much of the question it shares, 0 to 1; rare words among the statements weigh more.

    The speakers' names do not count: in a talk between two they are everywhere.
    """
    topic = sorted(asked - {name for statement in shown for name in statement.sentence.speaker_stems})
    spread = Counter(word for statement in shown for word in statement.sentence.stems)
    weights = [(word, math.log(1 + len(shown) / (spread[word] + 0.5))) for word in topic]
    total = sum(weight for _, weight in weights) or 1.0
    shares = []
    for statement in shown:
        own, line = statement.sentence.stems, statement.sentence.line_stems
        shares.append(sum(w if word in own else SAME_LINE * w for word, w in weights if word in line or word in own) / total)
    return shares


def ranked(shown: Sequence[Statement], asked: Set[str], *, rank_weight: float, least_overlap: float) -> list[tuple[float, Statement]]:
    """Return (score, statement) of those that share more than `least_overlap` with a question, best first."""
    scored = [
        (overlap + rank_weight / (1 + statement.rank) + RIGHT_SPEAKER * bool(statement.sentence.speaker_stems & asked), statement)
        for overlap, statement in zip(overlaps(shown, asked), shown, strict=True)
        if overlap > least_overlap
    ]
    return sorted(scored, key=lambda pair: -pair[0])
