"""How runs of a study differ from the first, question by question."""

from typing import Any

import pytest

from memlab.report.paired import both, paired, paired_tables, values

RUN = {"choices": {"system": "mem0"}, "config": {}}, {}


def score(id_: str, value: float | None, *, category: int = 1, attempt: int = 1, metric: str = "f1") -> dict[str, Any]:
    return {
        "id": id_,
        "conversation": id_.split("/")[0],
        "category": category,
        "attempt": attempt,
        "metric": metric,
        "value": value,
    }


def run(value: float, conversations: str, metric: str = "f1") -> list[dict[str, Any]]:
    return [score(f"{name}/{number}", value, metric=metric) for name in conversations for number in range(3)]


def test_only_questions_that_both_have_are_compared() -> None:
    first = values([score("a/1", 0.5), score("a/2", None), score("b/1", 0.2)], "f1")
    other = values([score("a/1", 0.75), score("a/2", 1.0), score("c/1", 1.0)], "f1")
    assert both(first, other) == [("a", 1, 0.5, 0.75)]


def test_attempts_count_as_their_mean_and_category_5_not_at_all() -> None:
    scores = [score("a/1", 0.0), score("a/1", 1.0, attempt=2), score("a/2", 1.0, category=5)]
    assert values(scores, "f1") == {"a/1": ("a", 1, 0.5)}


def test_every_run_is_compared_with_the_first_and_all_cells_are_one_family() -> None:
    found = paired({0: run(0.5, "abcdefgh"), 2: run(0.25, "abcdefgh"), 3: run(0.5, "abcdefgh")}, seed=0)
    assert {place: own["f1"]["overall"]["value"] for place, own in found.items()} == {2: -0.25, 3: 0.0}
    cell = found[2]["f1"]["overall"]
    assert (cell["n"], cell["interval"], cell["losses"]) == (24, (-0.25, -0.25), 24)
    assert (cell["p"], cell["p_holm"], cell["p_joint"]) == (2 / 256, 4 * 2 / 256, 2 / 256)
    assert found[2]["evidence_recall"] == {}
    assert paired({}, seed=0) == {}


@pytest.mark.parametrize(
    ("conversations", "mark", "told"),
    [
        ("abcdefghij", "+0.250 [+0.250, +0.250]**", "the smallest p that this test can give is 0.002."),
        ("abcdefg", "+0.250 [+0.250, +0.250]**", "can give is 0.016."),
        ("abcdef", "+0.250 [+0.250, +0.250]*", "no cell of this table can pass Holm"),
        ("abc", "+0.250", "nothing can be told, and there are no intervals"),
    ],
)
def test_a_table_marks_what_holds_and_says_what_can(conversations: str, mark: str, told: str) -> None:
    found = paired({0: run(0.5, conversations), 1: run(0.75, conversations)}, seed=0)
    (table,) = paired_tables([RUN, RUN], found, 0)  # type: ignore[list-item]
    assert table.headings == ("system", "all", "@1")
    assert table.rows == (("mem0", mark, mark),)
    assert any(told in note for note in table.notes)
    assert "questions that both runs have a value for" in " ".join(table.notes)
