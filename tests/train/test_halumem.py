import json
from pathlib import Path
from typing import Any

import pytest

from memlab.datasets.dataset import DatasetError
from memlab.train.halumem import halumem


def event(number: int, direction: str, kind: str, item: str, verb: str = "like") -> dict[str, Any]:
    point = {"type": verb, "type_description": kind, "specific_item": item, "reason": f"Because of {item}."}
    return {
        "event_id": number,
        "type_to_update": kind,
        "update_direction": direction,
        "before_preference": {"memory_points": [point]},
        "after_preference": {"memory_points": [point | {"deleted": direction == "Delete"}]},
        "event_description": f"It was told of {item}.",
        "update_reason": f"A reason about {item}.",
    }


def users(tmp_path: Path, number: int = 6) -> Path:
    events = [
        event(1, "Modify", "Food", "Likes Bread"),
        event(2, "Delete", "Food", "Olives", "dislike"),
        event(3, "Modify", "Music", "BBC choirs"),
    ]
    file = tmp_path / "events.jsonl"
    lines = [
        {"profile": {"fixed": {"basic_info": {"name": f"Ada {place}"}}}, "event_list": events}
        for place in range(number)
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def test_a_modified_preference_is_augmented_and_a_deleted_one_contradicted(tmp_path: Path) -> None:
    related = [pair for pair in halumem(users(tmp_path)).test if pair.relation != "unrelated"][:3]
    assert [(pair.memory, pair.candidate, pair.relation) for pair in related] == [
        ("Ada 0 likes bread. Because of Likes Bread.", "It was told of Likes Bread.", "augments"),
        ("Ada 0 dislikes olives. Because of Olives.", "It was told of Olives.", "contradicts"),
        ("Ada 0 likes BBC choirs. Because of BBC choirs.", "It was told of BBC choirs.", "augments"),
    ]


def test_unrelated_memories_are_other_preferences_of_the_same_person(tmp_path: Path) -> None:
    unrelated = [pair for pair in halumem(users(tmp_path)).test if pair.relation == "unrelated"]
    assert unrelated
    for pair in unrelated:
        assert pair.memory.startswith(f"Ada {pair.group.split()[1]} ")
        assert pair.candidate.removeprefix("It was told of ").rstrip(".") not in pair.memory


def test_users_are_held_out_and_reasons_are_learnt_from_alone(tmp_path: Path) -> None:
    parts = halumem(users(tmp_path))
    assert {pair.group for pair in parts.test} == {"halumem 0", "halumem 1", "halumem 2"}
    assert {pair.group for pair in parts.validation} == {"halumem 3"}
    assert {pair.group for pair in parts.train} == {"halumem 4", "halumem 5"}
    assert any(pair.candidate.startswith("A reason") for pair in parts.train)
    assert not any(pair.candidate.startswith("A reason") for pair in (*parts.validation, *parts.test))


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    file = users(tmp_path)
    file.write_text(file.read_text(encoding="utf-8") + '{"profile": {}}\n', encoding="utf-8")
    with pytest.raises(DatasetError, match=r"events.jsonl:7: no user with preference events \(KeyError: 'fixed'\)"):
        halumem(file)


def test_a_file_with_too_few_users_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="4 are held out"):
        halumem(users(tmp_path, number=4))


def test_the_published_events_are_all_there(shared_data: Path) -> None:
    parts = halumem(shared_data / "ops" / "halumem_preference_events_dev14.jsonl")
    told = [pair for own in (parts.train, parts.validation, parts.test) for pair in own if pair.relation != "unrelated"]
    learnt = {pair.group for pair in parts.train}
    reasons = sum(pair.group in learnt for pair in told) // 2
    assert len(told) - reasons == 335 + 141
