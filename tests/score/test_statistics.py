import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.score.statistics import interval, mean, percentile


def test_one_conversation_has_a_mean_but_no_interval() -> None:
    found = mean([0.0, 1.0], ["a", "a"], seed=0)
    assert (found.n, found.value, found.interval) == (2, 0.5, None)


def test_nothing_has_no_mean() -> None:
    assert mean([], [], seed=0).value is None
    assert percentile([], 0.5) is None


def test_conversations_are_resampled_not_questions() -> None:
    clustered = mean([0.0] * 50 + [1.0] * 50, ["a"] * 50 + ["b"] * 50, seed=0)
    spread = mean([0.0, 1.0] * 50, [str(n // 10) for n in range(100)], seed=0)
    assert clustered.interval == (0.0, 1.0)
    assert spread.interval == (0.5, 0.5)


@pytest.mark.parametrize("conversations", [7, 10])
def test_of_few_conversations_the_interval_holds_the_truth_more_often_than_percentiles_do(conversations: int) -> None:
    draw = np.random.default_rng(3)
    held = {"expanded": 0, "percentiles": 0}
    for _ in range(1000):
        means = draw.normal(0, 1, conversations)
        resamples = means[draw.integers(conversations, size=(2000, conversations))].mean(axis=1)
        low, high = interval(resamples, conversations)
        held["expanded"] += low <= 0 <= high
        low, high = np.quantile(resamples, [0.025, 0.975])
        held["percentiles"] += low <= 0 <= high
    assert held["percentiles"] < 0.91 * 1000 < 0.92 * 1000 <= held["expanded"] < 0.97 * 1000


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    draw = np.random.default_rng(1)
    covered = 0
    for trial in range(200):
        own = draw.normal(0, 1, 30)
        values = (own[:, None] + draw.normal(0, 1, (30, 5))).ravel()
        low, high = mean(list(values), [str(n // 5) for n in range(150)], seed=trial).interval or (0.0, 0.0)
        covered += low <= 0 <= high
    assert 0.88 <= covered / 200 <= 0.99


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abc")), min_size=1, max_size=30))
def test_mean_lies_in_its_interval_and_repeats(rows: list[tuple[float, str]]) -> None:
    values, clusters = [value for value, _ in rows], [cluster for _, cluster in rows]
    found = mean(values, clusters, seed=3)
    assert found == mean(values, clusters, seed=3)
    assert found.value == pytest.approx(sum(values) / len(values))
    if found.interval:
        assert -1e-9 <= found.interval[0] <= found.interval[1] <= 1 + 1e-9
