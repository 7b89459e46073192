"""The share of correct answers, from a judge whose errors were measured: which way to correct it can be used.

Errors of a judge differ from system to system by more than chance. Where it was measured on several systems, the share
is therefore foretold across them (memlab.score.across_systems), and its interval holds how much they differ; with
fewer, the errors are taken to be everywhere the same (memlab.score.rogan_gladen).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from memlab.score.across_systems import LEAST_SYSTEMS, foretold
from memlab.score.judged import Corrected, judged_shares, table
from memlab.score.rogan_gladen import same_errors


def corrected(answers: Sequence[tuple[str, int, float]], card: Mapping[str, Any], *, seed: int) -> Corrected:
    """Return the corrected share over answers: conversation, category, and the share of verdicts that say correct.

    `card` is a judge's (memlab.judge.card): its `systems` and `counts` are used.
    """
    if not answers:
        return Corrected(reason="there is no verdict")
    judged = judged_shares(answers)
    systems = table(card["systems"], judged.categories)
    systems = systems[(systems.sum(2) > 0).all(1)]
    if len(systems) >= LEAST_SYSTEMS:
        return foretold(judged, systems)
    return same_errors(judged, table(card["counts"], judged.categories), seed=seed)
