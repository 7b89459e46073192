"""Differences question by question."""

from typing import Any

import pytest

from memlab.report.paired import differences, paired, values


def score(id_: str, value: float | None, *, category: int = 1, attempt: int = 1, metric: str = "f1") -> dict[str, Any]:
    return {
        "id": id_,
        "conversation": id_.split("/")[0],
        "category": category,
        "attempt": attempt,
        "metric": metric,
        "value": value,
    }


def test_only_questions_that_both_have_are_compared() -> None:
    first = values([score("a/1", 0.5), score("a/2", None), score("b/1", 0.2)], "f1")
    other = values([score("a/1", 0.75), score("a/2", 1.0), score("c/1", 1.0)], "f1")
    assert differences(first, other, seed=0) == {
        "overall": {"n": 1, "value": 0.25, "interval": None},
        "1": {"n": 1, "value": 0.25, "interval": None},
    }


def test_attempts_count_as_their_mean_and_category_5_not_at_all() -> None:
    scores = [score("a/1", 0.0), score("a/1", 1.0, attempt=2), score("a/2", 1.0, category=5)]
    assert values(scores, "f1") == {"a/1": ("a", 1, 0.5)}


def test_the_interval_is_of_resampled_conversations() -> None:
    first = values([score(f"{name}/{n}", 0.0) for name in "abc" for n in range(4)], "f1")
    same = values([score(f"{name}/{n}", 0.5) for name in "abc" for n in range(4)], "f1")
    assert differences(first, same, seed=0)["overall"]["interval"] == (0.5, 0.5)
    one = values([score(f"{name}/{n}", float(name == "a")) for name in "abc" for n in range(4)], "f1")
    cell = differences(first, one, seed=0)["overall"]
    assert cell["value"] == pytest.approx(1 / 3)
    assert cell["interval"] == (0.0, 1.0), "questions were resampled, not conversations"


def test_every_run_is_compared_with_the_first() -> None:
    runs = {0: [score("a/1", 0.5)], 2: [score("a/1", 0.25)], 3: [score("a/1", 0.5)]}
    found = paired(runs, seed=0)
    assert {place: own["f1"]["overall"]["value"] for place, own in found.items()} == {2: -0.25, 3: 0.0}
    assert paired({}, seed=0) == {}
