"""The share that labels would call correct, foretold by a line through systems that a judge and labels have judged.

Rogan and Gladen's correction is such a line, too, with the same errors for every system; here least squares find it,
so that it may be flatter where better systems are wrong in subtler ways. The interval is the line's prediction
interval for one more system: it holds how much a system's errors differ from those of the others, beside the spread
over the answers' own conversations. It is right as long as the system is one more like those of the line.
"""

import numpy as np

from memlab.score.judged import LEVEL, Corrected, Judged, Numbers, cut_off
from memlab.score.students_t import quantile

METHOD = "foretold by a line across systems (least squares; prediction interval)"
LEAST_SYSTEMS = 6
BEYOND = 0.05
"""How far outside the shares of the line's systems it is still drawn."""


def foretold(judged: Judged, systems: Numbers) -> Corrected:
    """Return the corrected share, from counts by system and category; each system has every category of the answers.

    Systems are taken as if their questions were spread over categories as those of the answers are.
    """
    totals = systems.sum(2)
    spread = judged.numbers.sum(0) / judged.numbers.sum()
    passed = ((systems[..., 0] + systems[..., 1]) / totals) @ spread
    correct = ((systems[..., 0] + systems[..., 2]) / totals) @ spread
    wrong = float((((systems[..., 1] + systems[..., 2]) / totals) @ spread).mean())
    if reason := unfit(judged.share, passed, correct):
        return Corrected(reason=reason, method=METHOD)
    off = passed - passed.mean()
    slope = float((off * correct).sum() / (off**2).sum())
    distance = judged.share - float(passed.mean())
    value = float(correct.mean()) + slope * distance
    conversations, freedom = len(judged.numbers), len(passed) - 2
    if conversations < 2:
        return cut_off(value, None, METHOD)
    residual = float(((correct - correct.mean() - slope * off) ** 2).sum()) / freedom
    of_judge = residual * (1 + 1 / len(passed) + distance**2 / float((off**2).sum()))
    # Of fewer answers than the line's systems have, more of the disagreement is chance.
    of_judge += wrong * max(0.0, 1 / float(judged.numbers.sum()) - 1 / float(np.median(totals.sum(1))))
    own = slope**2 * judged.variance
    if of_judge + own == 0:
        return cut_off(value, 0.0, METHOD)
    together = (of_judge + own) ** 2 / (of_judge**2 / freedom + own**2 / (conversations - 1))
    half = quantile((1 + LEVEL) / 2, max(1, int(together))) * (of_judge + own) ** 0.5
    return cut_off(value, half, METHOD)


def unfit(share: float, passed: Numbers, correct: Numbers) -> str | None:
    """Return why a line says nothing of a share."""
    low, high = float(passed.min()), float(passed.max())
    if low == high or float(np.cov(passed, correct)[0, 1]) <= 0:
        return "across systems, what the judge calls correct says nothing of what the labels do"
    if not low - BEYOND <= share <= high + BEYOND:
        return (
            f"the judge passes a share that is more than {100 * BEYOND:.0f} points outside those of the systems that "
            f"it was measured on, {100 * low:.0f} to {100 * high:.0f} %"
        )
    return None
