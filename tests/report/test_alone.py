"""What each system of a study shows that no other does, on the questions that all of them have."""

import pytest

from memlab.records import Record
from memlab.report.alone import alone, alone_table, comparable, wholes
from memlab.report.rows import Run


def run(system: str, *, retriever: str = "nearest", data: str = "x") -> Run:
    return {"choices": {"system": system, "retriever": retriever}, "config": {}, "dataset": {"sha256": data}}, {}


def scores(*values: float | None, category: int = 1, metric: str = "evidence_recall", attempt: int = 1) -> list[Record]:
    return [
        {"id": f"c{category}/q{n}", "attempt": attempt, "category": category, "metric": metric, "value": value}
        for n, value in enumerate(values)
    ]


def test_alone_is_all_evidence_shown_by_one_system_and_by_no_other() -> None:
    found = dict(alone({0: scores(1, 1, 0.5, 0), 1: scores(0.5, 1, 1, 0), 2: scores(0, 0, 0.9, 0)}))
    assert [(found[n].whole, found[n].alone) for n in range(3)] == [(0.5, 0.25), (0.5, 0.25), (0, 0)]
    assert {own.n for own in found.values()} == {4}


def test_only_questions_that_all_systems_have_a_value_for_are_compared() -> None:
    found = dict(alone({0: scores(1, None, 1), 1: scores(0, 1)}))
    assert (found[0].n, found[0].alone) == (1, 1)


def test_shares_are_given_per_category_and_category_5_is_in_none() -> None:
    found = dict(
        alone(
            {
                0: [*scores(1, 0), *scores(1, category=2), *scores(1, 1, 1, category=5)],
                1: [*scores(0, 0), *scores(1, category=2), *scores(0, 0, 0, category=5)],
            }
        )
    )
    assert (found[0].n, found[0].alone_by_category) == (3, {"1": 0.5, "2": 0})


def test_evidence_is_shown_when_every_attempt_shows_it() -> None:
    assert wholes([*scores(1, 1), *scores(1, 0.5, attempt=2)]) == {"c1/q0": (1, True), "c1/q1": (1, False)}


def test_other_metrics_do_not_count() -> None:
    assert wholes(scores(1, metric="evidence_recall@5")) == {}


@pytest.mark.parametrize(
    ("runs", "places"),
    [
        ([run("a"), run("b")], [0, 1]),
        ([run("a"), run("all", retriever="everything"), run("b")], [0, 2]),
        ([run("a"), run("a")], []),
        ([run("a"), run("b", data="y")], []),
        ([run("a")], []),
        ([], []),
    ],
)
def test_systems_on_the_same_data_are_compared_but_for_those_that_show_everything(
    runs: list[Run], places: list[int]
) -> None:
    assert comparable(runs) == places


def test_the_table_has_a_row_for_each_compared_system() -> None:
    runs = [run("all", retriever="everything"), run("a"), run("b")]
    table = alone_table(runs, alone({1: scores(1, 1), 2: scores(0, 1)}))
    assert table is not None
    assert table.rows == (("a", "1.000", "0.500", "0.500"), ("b", "0.500", "0.000", "0.000"))
    assert "n=2 questions" in table.caption


def test_without_a_common_question_there_is_no_table() -> None:
    assert alone_table([run("a"), run("b")], alone({0: scores(1), 1: scores(None)})) is None
