"""Labelled pairs in files of several forms."""

import json
from pathlib import Path

import pytest

from memlab.datasets.dataset import DatasetError
from memlab.train.files import labelled
from memlab.train.pairs import LabelledPair

ROW = {"memory": "Ann lives in Oslo.", "candidate": "Ann moved to Rome.", "relation": "contradicts", "group": "ann"}


def written(folder: Path, *rows: object) -> Path:
    file = folder / "pairs.jsonl"
    file.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return file


@pytest.mark.parametrize("part", ["test", "all"])
def test_lines_of_json_are_all_to_be_tested_on(part: str, tmp_path: Path) -> None:
    pairs = labelled(written(tmp_path, ROW, {**ROW, "group": 7}), part=part)  # type: ignore[arg-type]
    assert pairs == [LabelledPair(*ROW.values()), LabelledPair(*list(ROW.values())[:3], "7")]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("nothing", "no labelled pair"),
        ({"memory": "x"}, "candidate"),
        ({**ROW, "relation": "DELETE"}, "'DELETE', none of unrelated, equivalent"),
        ([1], "no labelled pair"),
        ({**ROW, "memory": 1}, "memory is 1"),
        ({**ROW, "candidate": " "}, "candidate is ' '"),
    ],
)
def test_a_line_that_is_no_pair_is_named(row: object, words: str, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=words) as refused:
        labelled(written(tmp_path, ROW, row), part="test")
    assert f"{tmp_path / 'pairs.jsonl'}:2" in str(refused.value)


def test_damaged_bytes_are_told_and_odd_spaces_are_text(tmp_path: Path) -> None:
    file = written(tmp_path, json.dumps({**ROW, "memory": "a\u2028b"}, ensure_ascii=False))
    assert labelled(file, part="test")[0].memory == "a\u2028b"
    file.write_bytes(file.read_bytes() + b'{"memory": "\xff"}\n')
    with pytest.raises(DatasetError, match=r"pairs\.jsonl"):
        labelled(file, part="test")
    file.write_bytes(b"")
    with pytest.raises(DatasetError, match="SICK"):
        labelled(file, part="all")


def test_a_file_that_is_not_there_is_told_with_the_forms_that_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"nowhere\.txt.*SICK"):
        labelled(tmp_path / "nowhere.txt", part="test")


def test_a_part_without_pairs_is_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="--part all"):
        labelled(written(tmp_path, ROW), part="train")


def test_published_files_are_known_by_their_form(shared_data: Path) -> None:
    pairs = labelled(shared_data / "ops" / "SICK.txt", part="test")
    assert len(pairs) > 4906
    events = shared_data / "ops" / "halumem_preference_events_dev14.jsonl"
    groups = [{pair.group for pair in labelled(events, part=part)} for part in ("all", "train", "test", "validation")]  # type: ignore[arg-type]
    assert len(groups[0]) == 14
    assert groups[0] == groups[1] | groups[2] | groups[3]
    assert not groups[1] & (groups[2] | groups[3])
