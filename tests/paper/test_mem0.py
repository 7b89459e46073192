"""The paper's tables as data, against the tables that were read from the paper."""

import json
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from memlab.dialogue import CATEGORY_NAMES, SCORED_CATEGORIES
from memlab.paper.locomo import BY_CONVERSATION, QUESTIONS, SCORED, WRONG_GOLDS_OF_SEVEN, question_id, sample_id
from memlab.paper.mem0 import mem0_paper


def test_every_cell_is_as_read_from_the_paper(shared_data: Path) -> None:
    read = json.loads((shared_data / "paper_tables.json").read_text())
    paper = mem0_paper()
    assert {name.replace("-", "_"): number for name, number in paper.categories.items()} == read["label_map"]
    assert [method.name for method in paper.methods] == list(read["table1"])
    for method in paper.methods:
        for name, category in read["label_map"].items():
            cell = method.cells[category]
            assert read["table1"][method.name][name] == dict(
                zip(("F1", "BLEU1", "J", "J_std"), (cell.f1, cell.bleu1, cell.j, cell.j_std), strict=True)
            )
    assert len(paper.systems) == len(read["table2"]) == 21
    for system, row in zip(paper.systems, read["table2"], strict=True):
        search = system.search or (None, None)
        assert (system.method, system.k, system.j, system.j_std) == (row["method"], row["k"], row["J"], row["J_std"])
        assert (*search, *system.total) == tuple(
            row[f"{kind}_{share}_s"] for kind in ("search", "total") for share in ("p50", "p95")
        )
        assert (system.chunk_size, system.tokens) == (row.get("chunk_size"), row.get("memory_tokens"))


def test_counts_per_conversation_are_those_of_the_data(shared_data: Path) -> None:
    for sample in json.loads((shared_data / "locomo7.json").read_text()):
        asked = [question["category"] for question in sample["qa"]]
        assert BY_CONVERSATION[sample["sample_id"]] == {category: asked.count(category) for category in QUESTIONS}
    told = json.loads((shared_data / "paper_tables.json").read_text())["question_counts"]
    assert {int(name[0]): count for name, count in told.items() if name[0].isdigit()} == QUESTIONS
    assert told["total_scored"] == SCORED


def test_wrong_golds_per_category_are_those_of_the_public_audit(shared_data: Path) -> None:
    errors = json.loads((shared_data / "locomo7_audit_errors.json").read_text())
    wrong = [error["category"] for error in errors if error["error_type"] != "WRONG_CITATION"]
    assert {category: wrong.count(category) for category in SCORED_CATEGORIES} == WRONG_GOLDS_OF_SEVEN
    assert len(wrong) == 72


def test_names_of_the_paper_are_those_that_are_printed_beside_locomos() -> None:
    names = {number: name for name, number in mem0_paper().categories.items()}
    assert tuple(names[category] for category in SCORED_CATEGORIES) == CATEGORY_NAMES["paper"][:4]


def test_rows_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        mem0_paper().systems[0].j = 100.0  # type: ignore[misc]


@pytest.mark.parametrize("name", ["3", "locomo_exp_user_3", "conv-42"])
def test_conversations_are_known_by_index_and_by_sample_id(name: str) -> None:
    assert sample_id(name) == "conv-42"


def test_a_digit_at_the_end_of_another_datasets_name_is_no_index() -> None:
    assert [sample_id(name) for name in ("mini-1", "user_3", "lme 4")] == ["mini-1", "user_3", "lme 4"]
    assert question_id("mini-1_q3") is None


def test_question_ids_are_read_in_every_form() -> None:
    assert {question_id(name) for name in ("locomo_3_qa17", "conv3_q17", "conv-42/q17")} == {"conv-42/q17"}
    assert question_id("17") is None
