"""Runs beside the paper's rows."""

from typing import Any

import pytest

from memlab.report.paper import paper_row, paper_tables
from memlab.report.rows import Run
from tests.report.invented_runs import cell

PARTS: dict[str, dict[str, Any]] = {
    "rag": {
        "extractor": {"_target_": "memlab.extract.chunk.Chunk", "size": 256},
        "retriever": {"_target_": "memlab.retrieve.nearest.Nearest", "top_k": 2, "max_tokens": None},
    },
    "full_context": {"retriever": {"_target_": "memlab.retrieve.everything.Everything", "max_tokens": None}},
}


def run(system: str, *, judged: bool = False, data: str = "locomo", **choices: Any) -> Run:
    groups = ("overall", "1", "2", "3", "4")
    metrics = {name: {group: cell(0.4, 100) for group in groups} for name in ("f1", "bleu1")}
    judges: dict[str, Any] = {}
    if judged:
        metrics["judge_generous"] = {group: cell(0.7, 100) for group in groups}
        corrected = {"overall": {"value": 65.0, "interval": [60.0, 71.0]}}
        judges = {"generous": {"j": {}, "corrected": corrected}}
    manifest = {
        "choices": {"system": system, "answerer": "llm", "judge": "llm", "embedder": "openai", **choices},
        "config": {"repeats": 1, "judge": {"repeats": 10}, "embedder": {"model": "text-embedding-3-small"}}
        | PARTS.get(system, {}),
        "dataset": {"name": data, "conversations": 10, "questions": 1986},
        "prompts": {"answer": "0" * 64},
    }
    summary = {
        "metrics": metrics,
        "judges": judges,
        "tokens": {"context_tokens": 1700.0},
        "latency": {"search_p50_seconds": 0.1, "search_p95_seconds": 0.2, "total_p50_seconds": 0.5,
                    "total_p95_seconds": 0.9},
        "phases": {"answer": {"model": "gpt-4o-mini"}, "judge": {"model": "gpt-4o-mini"}},
    }  # fmt: skip
    return manifest, summary


@pytest.mark.parametrize(
    ("system", "row"),
    [
        ("rag", "RAG k=2 chunk=256"),
        ("full_context", "Full-context"),
        ("paper/mem0", "Mem0"),
        ("mem0_paper", "Mem0"),
        ("paper/mem0g", "Mem0g"),
        ("mem0", None),
        ("verbatim_bm25", None),
    ],
)
def test_a_run_knows_its_row(system: str, row: str | None) -> None:
    found = paper_row(run(system)[0])
    assert (found.name if found else None) == row


def test_rag_of_another_size_or_with_a_bound_is_no_row() -> None:
    for change in ({"top_k": 3}, {"max_tokens": 512}):
        manifest, _ = run("rag")
        manifest["config"]["retriever"] = {**manifest["config"]["retriever"], **change}
        assert paper_row(manifest) is None


def test_runs_of_no_row_have_no_tables() -> None:
    assert paper_tables([run("mem0"), run("rag", data="mini")]) == []


def test_paper_ours_difference_and_interval_stand_side_by_side() -> None:
    whole, costs, f1, bleu1, j, setup = paper_tables([run("paper/mem0", judged=True)])
    assert whole.rows == (
        ("Mem0", "66.88 ± 0.15", "generous", "70.00", "+3.12 [-1.9, +7.1]"),
        ("Mem0", "66.88 ± 0.15", "generous, corrected", "65.00", "-1.88 [-6.9, +4.1]"),
    )
    assert costs.rows == (
        ("Mem0", "1,764 | 1,700", "0.148 | 0.1000", "0.200 | 0.2000", "0.708 | 0.5000", "1.440 | 0.9000"),
    )
    assert f1.rows[0] == ("Mem0", "1 multi-hop (single-hop)", "100", "38.72", "40.00", "+1.28 [-3.7, +5.3]")
    assert bleu1.rows[2][1:4] == ("3 open-domain (multi-hop)", "100", "21.58")
    assert j.rows[3] == ("Mem0", "4 single-hop (open-domain)", "100", "72.93 ± 0.11", "70.00", "-2.93 [-7.9, +1.1]")
    assert "over its 10 judge runs" in " ".join(whole.notes)
    assert {row[0]: row[3] for row in setup.rows} == {
        "reader": "same", "judge": "same", "embedder": "same", "prompts": "differs",
        "attempts at every question": "same", "conversations": "same", "questions in categories 1-4": "differs",
    }  # fmt: skip


def test_without_a_judge_f1_and_costs_are_compared() -> None:
    tables = paper_tables([run("rag"), run("paper/mem0g")])
    assert [row[:3] for row in tables[0].rows] == [
        ("RAG k=2 chunk=256", "60.97 ± 0.20", "-"),
        ("Mem0g", "68.44 ± 0.17", "-"),
    ]
    assert [len(table.rows) for table in tables[2:4]] == [4, 4]
