from collections.abc import Callable
from pathlib import Path

import pytest

from memlab.datasets.dataset import DatasetError
from memlab.train.pairs import counts
from memlab.train.sick import sick


def test_each_row_becomes_an_operation_in_both_orders(sick_file: Callable[..., Path]) -> None:
    parts = sick(sick_file())
    relations = [pair.relation for pair in parts.train]
    # both, one (old entails new, then turned round), other, not, none; mixed rows are left out
    assert relations == [
        *("equivalent", "equivalent"),
        *("equivalent", "augments"),
        *("augments", "equivalent"),
        *("contradicts", "contradicts"),
        *("unrelated", "unrelated"),
    ]
    turned = parts.train[3]
    assert (turned.memory, turned.candidate) == ("Ada keeps 1 animals one", "Ada feeds 1 cats one")


def test_official_sets_are_kept_and_both_orders_stay_together(sick_file: Callable[..., Path]) -> None:
    parts = sick(sick_file())
    assert [len(own) for own in (parts.train, parts.validation, parts.test)] == [10, 10, 10]
    groups = [{pair.group for pair in own} for own in (parts.train, parts.validation, parts.test)]
    assert not groups[0] & groups[1]
    assert not groups[0] & groups[2]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"header": "pair_ID\tsentence_A"}, "SICK.txt:1: no column sentence_B"),
        ({"extra": "99\ta\tb"}, "SICK.txt:20: not as many fields"),
        ({"extra": "99\ta\tb\tA_entails_B\tB_entails_A\tDEV"}, "SICK.txt:20: SemEval_set is 'DEV'"),
        ({"extra": "99\ta\tb\tyes\tno\tTEST"}, "SICK.txt:20: 'yes' is no entailment"),
    ],
)
def test_wrong_files_are_named_with_the_place(sick_file: Callable[..., Path], given: dict[str, str], told: str) -> None:
    with pytest.raises(DatasetError, match=told):
        sick(sick_file(**given))


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "SICK.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DatasetError, match="cannot read"):
        sick(tmp_path / "SICK.txt")


def test_the_published_file_has_the_published_counts(shared_data: Path) -> None:
    parts = sick(shared_data / "ops" / "SICK.txt")
    # Rows: 610 both ways, 791 one way, 712 contradictions, 2,471 neutral in the official test set.
    assert counts(parts.test) == {
        "unrelated": 2 * 2471,
        "equivalent": 2 * 610 + 791,
        "augments": 791,
        "contradicts": 2 * 712,
    }
