"""The plainest judge: an answer is correct when it has enough of the gold's words."""

import json
import math
from functools import cache
from importlib.resources import files
from typing import Any

from memlab.dialogue import Question
from memlab.judge.card import Card
from memlab.judge.judge import Judge, Verdict
from memlab.judge.words_told import covered, tokens

CARD = "judge_overlap.json"


class OverlapJudge(Judge):
    """Calls an answer correct from a share of the gold's tokens on; no call, no weights, the same anywhere.

    The probability is a logistic curve of that share, fitted where the judge was measured.
    """

    rubrics = ("overlap",)
    repeats = 1

    def __init__(self, *, threshold: float, probes: int) -> None:
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold is {threshold}; expected a share above 0, up to 1")
        if probes < 0:
            raise ValueError(f"probes is {probes}; it must be at least 0")
        self._threshold = threshold
        self.probes = probes

    async def judge(self, question: Question, answer: str, rubric: str, sample: int) -> Verdict:
        """Return the verdict on an answer to a question that has a gold answer."""
        if question.gold is None:
            raise ValueError(f"question {question.id} has no gold answer to judge by")
        share = covered(tokens(question.gold), tokens(answer))
        slope, shift = shipped()["curve"]
        chance = 1 / (1 + math.exp(-(slope * share + shift)))
        return Verdict(share >= self._threshold, reply=f"{share:.3f} of the gold's tokens", probability=chance)

    def card(self) -> Card | None:
        """Return how this judge was measured; None with another threshold than the measured one."""
        return shipped() if math.isclose(self._threshold, shipped()["threshold"], abs_tol=1e-6) else None


@cache
def shipped() -> dict[str, Any]:
    """Return the card that comes with memlab."""
    found: dict[str, Any] = json.loads((files("memlab") / "assets" / CARD).read_text(encoding="utf-8"))
    return found
