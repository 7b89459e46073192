import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memlab.datasets.dataset import DatasetError
from memlab.memory import Add, Candidate, Delete, Fact, Noop, Operation, Update
from memlab.memory_json import candidate_to_json, operation_to_json
from memlab.train.run import recorded

SAID_AT = datetime(2023, 5, 8)


def said(text: str, turn: str) -> Candidate:
    return Candidate(Fact(text), "Ada", (turn,), SAID_AT)


FLAT, BIGGER = said("Ada has a flat.", "D1:1"), said("Ada has a flat. It has two rooms.", "D1:2")
DECISIONS: list[tuple[Candidate, list[str], list[Operation], list[str]]] = [
    (FLAT, [], [Add(FLAT)], []),
    (said("It has two rooms.", "D1:2"), ["m0"], [Update("m0", BIGGER)], []),
    (said("Ada rows.", "D1:3"), ["m0"], [Add(said("Ada rows.", "D1:3"))], []),
    (said("Ada is a rower.", "D1:4"), ["m1", "m0"], [Noop("m1", ("D1:4",))], []),
    (said("Ada swims.", "D1:5"), ["m1", "m0"], [Add(said("Ada swims.", "D1:5"))], ["fallback: no usable choice"]),
    (said("Ada has no flat.", "D1:6"), ["m0", "m1"], [Delete("m0", SAID_AT)], ["no_text: the fact's own was taken"]),
]


def run(folder: Path, decisions: Any = DECISIONS, conversations: int = 1, **updater: Any) -> Path:
    (folder / "manifest.json").write_text(json.dumps({"schema": 1, "config": {"updater": updater}}), encoding="utf-8")
    lines = [
        {
            "schema": 1,
            "conversation": f"c{number}",
            "perspective": None,
            "candidates": [candidate_to_json(candidate)],
            "related": [related],
            "operations": [[operation_to_json(one) for one in operations]],
            "flaws": [flaws],
        }
        for number in range(conversations)
        for candidate, related, operations, flaws in decisions
    ]
    (folder / "ingest.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder


def test_decisions_label_the_memories_as_they_were_then(tmp_path: Path) -> None:
    parts = recorded(run(tmp_path))
    assert [(pair.memory, pair.candidate, pair.relation) for pair in parts.train] == [
        ("Ada has a flat.", "It has two rooms.", "augments"),
        ("Ada has a flat. It has two rooms.", "Ada rows.", "unrelated"),
        ("Ada rows.", "Ada is a rower.", "equivalent"),
        ("Ada has a flat. It has two rooms.", "Ada is a rower.", "unrelated"),
        ("Ada has a flat. It has two rooms.", "Ada has no flat.", "contradicts"),
        ("Ada rows.", "Ada has no flat.", "unrelated"),
    ]


def test_some_conversations_are_held_out_to_validate_on(tmp_path: Path) -> None:
    parts = recorded(run(tmp_path, conversations=6))
    assert {pair.group for pair in parts.validation} == {"run c0", "run c1"}
    assert {pair.group for pair in parts.train} == {"run c2", "run c3", "run c4", "run c5"}


def test_a_run_that_only_adds_teaches_nothing(tmp_path: Path) -> None:
    added = [(candidate, related, [Add(candidate)], []) for candidate, related, _, _ in DECISIONS[:1]]
    with pytest.raises(DatasetError, match="no decision there names a memory"):
        recorded(run(tmp_path, added))


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"holds no decisions: there is no ingest\.jsonl"):
        recorded(tmp_path)


@pytest.mark.parametrize("updater", [{"on_delete": "replace"}, {"facts": {"on_delete": "replace"}}])
def test_a_run_that_records_deletes_as_updates_is_refused(updater: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="on_delete=replace"):
        recorded(run(tmp_path, **updater))


def test_a_manifest_of_no_run_is_named(tmp_path: Path) -> None:
    (run(tmp_path) / "manifest.json").write_text('{"schema": 1}', encoding="utf-8")
    with pytest.raises(DatasetError, match=r"manifest\.json has no config"):
        recorded(tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("perspective", None),
        ("operations", [[{"type": "GROW"}]]),
        ("operations", [[{"type": "delete", "id": "m0", "at": "x023-05-08"}]]),
        ("candidates", None),
        ("flaws", [7]),
        ("flaws", [[7]]),
    ],
)
def test_a_damaged_record_is_named_with_its_line(name: str, value: object, tmp_path: Path) -> None:
    folder = run(tmp_path)
    first, *others = (folder / "ingest.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    record = json.loads(first)
    if value is None and name == "perspective":
        del record[name]
    else:
        record[name] = value
    (folder / "ingest.jsonl").write_text(json.dumps(record) + "\n" + "".join(others), encoding="utf-8")
    with pytest.raises(DatasetError, match=r"ingest\.jsonl:1: this is no record of a window"):
        recorded(folder)


def test_operations_that_do_not_follow_are_named_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"ingest\.jsonl:1: the operations do not follow"):
        recorded(run(tmp_path, DECISIONS[1:]))
