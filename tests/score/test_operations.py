"""Confusion matrices and what follows from them."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.gold import OPERATIONS, Verb
from memlab.score.operations import Judged, operation_scores


def judged(pairs: list[tuple[Verb, Verb]], group: str = "a") -> list[Judged]:
    return [Judged(gold, chosen, None, group) for gold, chosen in pairs]


def test_scores_of_a_small_matrix_are_those_computed_by_hand() -> None:
    found = operation_scores(
        judged([("ADD", "ADD"), ("ADD", "UPDATE"), ("UPDATE", "UPDATE"), ("DELETE", "ADD")]), seed=0
    )
    assert found["confusion"]["ADD"] == {"ADD": 1, "UPDATE": 1, "DELETE": 0, "NOOP": 0}
    assert found["operations"]["ADD"] == {"n": 2, "precision": 0.5, "recall": 0.5, "f1": 0.5}
    assert found["operations"]["DELETE"] == {"n": 1, "precision": None, "recall": 0.0, "f1": 0.0}
    assert found["operations"]["NOOP"]["f1"] is None
    assert found["macro_f1"]["value"] == pytest.approx((0.5 + 2 / 3 + 0) / 3)
    assert found["accuracy"]["value"] == 0.5


def test_macro_f1_is_that_of_an_independent_count() -> None:
    pairs: list[tuple[Verb, Verb]] = [
        (gold, chosen) for n, (gold, chosen) in enumerate(product(OPERATIONS, OPERATIONS), 1) for _ in range(n)
    ]
    f1 = []
    for name in OPERATIONS:
        hits = sum(gold == chosen == name for gold, chosen in pairs)
        f1.append(2 * hits / (sum(gold == name for gold, _ in pairs) + sum(chosen == name for _, chosen in pairs)))
    assert operation_scores(judged(pairs), seed=0)["macro_f1"]["value"] == pytest.approx(sum(f1) / 4)


def test_target_counts_only_decisions_that_have_one() -> None:
    decided = [Judged("UPDATE", "UPDATE", hit, "a") for hit in (True, True, False)]
    found = operation_scores([*decided, *judged([("ADD", "ADD")])], seed=0)["target"]
    assert (found["n"], found["value"]) == (3, pytest.approx(2 / 3))


def test_intervals_resample_groups_and_need_two_of_them() -> None:
    right, wrong = judged([("ADD", "ADD")] * 9), judged([("ADD", "NOOP")] * 9, "b")
    assert operation_scores(right, seed=0)["macro_f1"]["interval"] is None
    low, high = operation_scores([*right, *wrong], seed=0)["macro_f1"]["interval"]
    assert low == 0.0
    assert high == 1.0


def test_nothing_decided_is_no_score_and_no_zero() -> None:
    found = operation_scores([], seed=0)
    assert found["macro_f1"] == {"n": 0, "value": None, "interval": None}


@given(
    st.lists(st.tuples(st.sampled_from(OPERATIONS), st.sampled_from(OPERATIONS), st.sampled_from("ab")), max_size=30)
)
def test_every_score_lies_between_zero_and_one(rows: list[tuple[Verb, Verb, str]]) -> None:
    found = operation_scores([Judged(gold, chosen, None, group) for gold, chosen, group in rows], seed=0)
    values = [found["macro_f1"]["value"], found["accuracy"]["value"]]
    values += [row[name] for row in found["operations"].values() for name in ("precision", "recall", "f1")]
    assert all(0 <= value <= 1 for value in values if value is not None)
    assert sum(sum(row.values()) for row in found["confusion"].values()) == len(rows)
