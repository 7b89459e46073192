"""Scales and points that would hide each other."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from memlab.report.figures.axes import APART, apart, log_ticks, plots, scale, side_by_side
from memlab.report.figures.figure import styled

POINTS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 0.3)), max_size=14)


@given(POINTS)
def test_points_whose_intervals_overlap_do_not_hide_each_other(points: list[tuple[float, float, float]]) -> None:
    spans = [(low, low + height) for _, low, height in points]
    moved = apart([share for share, _, _ in points], spans)
    for (one, its), (other, others) in combinations(zip(moved, spans, strict=True), 2):
        if its[0] <= others[1] and others[0] <= its[1]:
            assert abs(one - other) >= APART - 1e-6


def test_points_that_nothing_hides_stay_where_they_are() -> None:
    assert apart([0.2, 0.2, 0.9], [(0, 0.1), (0.5, 0.6), (0, 1)]) == [0.2, 0.2, 0.9]
    assert apart([0.5, 0.5], [(0, 1), (0, 1)]) == [0.5 - APART / 2, 0.5 + APART / 2]


def test_ticks_of_a_logarithm_are_round_and_few() -> None:
    assert log_ticks(90, 2500) == [100, 200, 500, 1000, 2000]
    assert log_ticks(0.02, 12) == [0.03, 0.1, 0.3, 1, 3, 10]
    assert log_ticks(1, 1e6) == [10**power for power in range(7)]


def test_an_axis_is_logarithmic_where_values_span_much_and_linear_near_none() -> None:
    with styled():
        _, every = plots(3, "x")
        for axes, values in zip(every, ([900, 1000], [100, 20_000], [0, 100, 20_000]), strict=True):
            scale(axes, values)
    assert [axes.get_xscale() for axes in every] == ["linear", "log", "symlog"]
    assert [tick.get_text() for tick in every[2].get_xticklabels()][:2] == ["0", "100"]
    for axes, values in zip(every, ([900, 1000], [100, 20_000], [0, 20_000]), strict=True):
        low, high = axes.get_xlim()
        assert low < min(values) < max(values) < high
        assert side_by_side(axes, values, [(0, 1), (0, 1)]) == values
