"""Corrections for several tests at once."""

import numpy as np
import pytest

from memlab.score.families import holm, joint
from memlab.score.paired import difference

SEVEN = [str(number) for number in range(7)]


def test_holm_multiplies_by_the_tests_that_are_left_and_never_falls() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_joint_correction_of_one_test_is_its_p() -> None:
    values = [0.3, 0.1, -0.2, 0.4, 0.2, 0.1, 0.3]
    assert joint([(values, SEVEN)], seed=0) == [difference(values, SEVEN, seed=0).p]


def test_few_conversations_can_pass_jointly_in_a_family_where_holm_cannot() -> None:
    draw = np.random.default_rng(0)
    tests = [(list(0.5 + draw.normal(0, 0.05, 7)), SEVEN) for _ in range(5)]
    tests += [(list(draw.normal(0, 0.5, 7)), SEVEN) for _ in range(15)]
    p_values = [difference(*test, seed=0).p for test in tests]
    assert min(holm(p_values)) > 0.05
    corrected = joint(tests, seed=0)
    assert max(corrected[:5]) <= 0.05 < min(corrected[5:])
    assert all(one >= p for one, p in zip(corrected, p_values, strict=True))


def test_tests_of_other_conversations_are_placed_by_name() -> None:
    fewer = ([0.1, 0.2, 0.1, 0.3, 0.2, 0.1], SEVEN[1:])
    whole = ([0.0, 0.1, 0.2, 0.1, 0.3, 0.2, 0.1], SEVEN)
    first, second = joint([fewer, whole], seed=0)
    assert first == second == 2 / 64, "the conversation without questions changed something"


def test_joint_correction_errs_in_5_of_100_families_without_any_difference() -> None:
    draw = np.random.default_rng(1)
    families = draw.normal(0, 1, (1500, 1, 10)) + draw.normal(0, 1, (1500, 8, 10))
    ten = [str(number) for number in range(10)]
    wrong = [min(joint([(own, ten) for own in tests], seed=0)) <= 0.05 for tests in families.tolist()]
    assert np.mean(wrong) == pytest.approx(0.05, abs=0.013)
