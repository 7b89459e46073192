"""Channels in a summary: what each brings back, what only it does, and what that costs."""

from typing import Any

import pytest

from memlab.records import Record
from memlab.summary.cells import metrics
from memlab.summary.channels import channels


def answer(id_: str, *, seconds: float = 0.01, tokens: int = 100, names: tuple[str, ...] = ("near", "far")) -> Record:
    found = {"hits": [], "shown": 0, "context_tokens": tokens, "search_seconds": seconds}
    return {"id": id_, "channels": dict.fromkeys(names, found)}


def score(id_: str, name: str, value: float | None, *, category: int = 1, attempt: int = 1) -> Record:
    return {
        "id": id_,
        "attempt": attempt,
        "conversation": "talk",
        "category": category,
        "metric": f"evidence_recall[{name}]",
        "value": value,
        "reason": None if value is not None else "no valid evidence",
    }


def found(answers: list[Record], scores: list[Record]) -> dict[str, Any]:
    return channels(answers, scores, metrics(scores, seed=0), seed=0)


def scores(near: tuple[float, ...], far: tuple[float, ...], **fields: int) -> list[Record]:
    pairs = (("near", near), ("far", far))
    talk = f"c{fields.get('category', 1)}"
    return [score(f"{talk}/q{n}", name, value, **fields) for name, values in pairs for n, value in enumerate(values)]


def test_alone_is_the_whole_evidence_by_this_channel_and_by_no_other() -> None:
    rows = found([answer("q0")], scores((1, 1, 0.5, 0), (0.5, 1, 1, 0)))
    assert {name: row["whole"]["overall"]["value"] for name, row in rows.items()} == {"near": 0.5, "far": 0.5}
    assert {name: row["alone"]["overall"]["value"] for name, row in rows.items()} == {"near": 0.25, "far": 0.25}
    assert rows["near"]["evidence_recall"]["overall"]["value"] == pytest.approx(0.625)
    assert rows["near"]["alone"]["overall"]["n"] == 4


def test_channels_are_given_per_category_and_overall_without_category_5() -> None:
    rows = found([answer("q0")], [*scores((1,), (0,), category=2), *scores((0, 1), (0, 0), category=5)])
    cells = rows["near"]["alone"]
    assert {name: cell["value"] for name, cell in cells.items()} == {"overall": 1, "2": 1, "5": 0.5}


def test_a_question_without_evidence_is_in_no_share() -> None:
    rows = found([answer("q0")], [*scores((1,), (0,)), score("q9", "near", None), score("q9", "far", None)])
    assert rows["near"]["alone"]["overall"]["n"] == 1


def test_attempts_at_a_question_count_as_their_mean() -> None:
    rows = found([answer("q0")], [*scores((1,), (0,)), *scores((1,), (1,), attempt=2)])
    assert rows["near"]["alone"]["overall"]["value"] == 0.5


def test_costs_are_the_channels_own() -> None:
    answers = [answer("q0", seconds=0.1, tokens=10), answer("q1", seconds=0.3, tokens=30)]
    row = found(answers, scores((1,), (0,)))["far"]
    assert (row["context_tokens"], row["search_p50_seconds"]) == (20, pytest.approx(0.2))
    assert row["search_p95_seconds"] == pytest.approx(0.29)


def test_a_run_without_channels_has_none() -> None:
    assert found([{"id": "q0"}], []) == {}


def test_an_answer_from_before_a_failure_counts_where_it_has_channels() -> None:
    rows = found([answer("q0", tokens=10), {"id": "q1"}], scores((1,), (0,)))
    assert rows["near"]["context_tokens"] == 10
