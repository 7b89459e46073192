"""J without the errors of its judge, where they are the same for every system."""

import numpy as np
import pytest

from memlab.score.judged import Corrected, Counts, judged_shares, table
from memlab.score.rogan_gladen import same_errors

ERRORS = {1: (0.8, 0.7), 4: (0.9, 0.6)}
"""By category: which share of correct answers the judge passes, and of wrong ones refuses."""


def corrected(answers: list[tuple[str, int, float]], counts: Counts) -> Corrected:
    judged = judged_shares(answers)
    return same_errors(judged, table(counts, judged.categories), seed=0)


def measured(draw: np.random.Generator, conversations: int = 7, answers: int = 400) -> dict[str, dict[str, list[int]]]:
    found = {}
    for number in range(conversations):
        cells = {}
        for category, (passes, refuses) in ERRORS.items():
            right = draw.random(answers) < 0.7
            said = np.where(right, draw.random(answers) < passes, draw.random(answers) >= refuses)
            both, judge = (said & right).sum(), (said & ~right).sum()
            cells[str(category)] = [int(n) for n in (both, judge, (~said & right).sum(), (~said & ~right).sum())]
        found[f"measured-{number}"] = cells
    return found


def judged(draw: np.random.Generator, truth: float, conversations: int = 8) -> list[tuple[str, int, float]]:
    found = []
    for number in range(conversations):
        own = np.clip(truth + 0.03 * draw.standard_normal(), 0, 1)
        for category, (passes, refuses) in ERRORS.items():
            right = draw.random(75) < own
            said = np.where(right, draw.random(75) < passes, draw.random(75) >= refuses)
            found += [(f"c{number}", category, float(one)) for one in said]
    return found


def test_the_corrected_interval_holds_the_truth_and_the_raw_share_does_not() -> None:
    held = biased = 0
    for seed in range(40):
        draw = np.random.default_rng(seed)
        answers, counts = judged(draw, 0.4), measured(draw)
        found = corrected(answers, counts)
        assert found.interval is not None
        held += found.interval[0] <= 0.4 <= found.interval[1]
        biased += bool(abs(np.mean([share for *_, share in answers]) - 0.4) > 0.05)
    assert held >= 36
    assert biased >= 36


def test_a_judge_without_errors_changes_nothing() -> None:
    counts = {"a": {"1": [10, 0, 0, 10]}, "b": {"1": [5, 0, 0, 8]}}
    answers = [("x", 1, 1.0), ("x", 1, 0.0), ("y", 1, 1.0), ("y", 1, 1.0)]
    found = corrected(answers, counts)
    assert found.value == pytest.approx(0.75)
    assert not found.clipped


def test_the_formula_is_that_of_rogan_and_gladen() -> None:
    counts = {"a": {"1": [80, 30, 20, 70]}}  # se 0.8, sp 0.7
    answers = [("x", 1, 1.0)] * 6 + [("x", 1, 0.0)] * 4
    assert corrected(answers, counts).value == pytest.approx((0.6 + 0.7 - 1) / (0.8 + 0.7 - 1))
    assert corrected(answers, counts).interval is None


def test_what_cannot_be_is_cut_off_and_said() -> None:
    counts = {"a": {"1": [80, 30, 20, 70]}}
    found = corrected([("x", 1, 0.0)] * 5, counts)
    assert (found.value, found.clipped) == (0.0, True)


@pytest.mark.parametrize("cells", [[50, 50, 50, 50], [0, 0, 0, 0], [10, 0, 0, 0]])
def test_a_judge_that_cannot_tell_corrects_nothing(cells: list[int]) -> None:
    found = corrected([("x", 1, 1.0)], {"a": {"1": cells}})
    assert found.value is None
    assert "category 1" in str(found.reason)


def test_a_correction_that_leads_beyond_what_its_error_explains_is_refused() -> None:
    counts = {place: {"1": [80, 30, 20, 70]} for place in "abc"}
    found = corrected([(place, 1, 1.0) for place in "xyz" for _ in range(5)], counts)
    assert found.value is None
    assert "the judge errs otherwise on these answers" in str(found.reason)


def test_too_little_in_a_category_gives_no_number() -> None:
    counts = {"a": {"1": [5, 0, 0, 0]}, "b": {"1": [0, 0, 0, 5]}}
    found = corrected([("x", 1, 1.0), ("y", 1, 0.5)], counts)
    assert found.interval is None
    assert "too few answers" in str(found.reason)
