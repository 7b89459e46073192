"""`python -m memlab operations`: updaters on labelled pairs, as a user meets it."""

import csv
import json
from pathlib import Path

import pytest

from memlab.commands.operations import main
from memlab.settings import ConfigError

ROWS = [
    ("Ann lives in Oslo.", "Ann lives in Oslo.", "equivalent"),
    ("Ann lives in Oslo.", "Ben likes tea.", "unrelated"),
    ("Ann lives in Oslo.", "Ann moved to Rome.", "contradicts"),
    ("Ann lives in Oslo.", "Ann lives in a flat in Oslo.", "augments"),
]


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    file = tmp_path / "pairs.jsonl"
    names = ("memory", "candidate", "relation")
    lines = [json.dumps({**dict(zip(names, row, strict=True)), "group": n}) for n, row in enumerate(ROWS)]
    file.write_text("\n".join(lines))
    return str(file)


def rows(printed: str) -> list[list[str]]:
    return list(csv.reader(printed.split("\n\n")[0].splitlines()))


def test_each_updater_has_a_row_and_a_confusion(pairs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([pairs, "embedder=hash", "updater=append,threshold,always_noop", "--format", "csv"]) == 0
    table = rows(capsys.readouterr().out)
    assert table[0][:2] == ["updater", "accuracy"]
    assert [row[0] for row in table[1:4]] == ["append", "threshold", "always_noop"]
    assert table[0][2:4] == ["accuracy low", "accuracy high"]
    assert float(table[1][1]) == 0.25
    assert float(table[2][1]) == 0.5  # the same again, and what is new


def test_a_limit_takes_pairs_from_all_over_the_file(pairs: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([pairs, "embedder=hash", "updater=append", "--limit", "2", "--format", "markdown"])
    assert "n=2 pairs" in capsys.readouterr().out


def test_the_matrices_are_drawn_on_demand(pairs: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason='figures need matplotlib: pip install "memlab[figures]"')
    main([pairs, "embedder=hash", "updater=append,always_noop", "--figure", str(tmp_path / "drawn.svg")])
    assert ">always_noop<" in (tmp_path / "drawn.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--limit", "0"], "--limit 0: expected 1 pair"),
        (["--figure", "x.gif"], r"ends in \.svg"),
        (["updater=treshold"], "updater"),
        (["updater=oracle"], "dataset=synthetic"),
        (["updater=oracle", "dataset=synthetic"], "in its dataset alone"),
    ],
)
def test_what_cannot_be_done_is_told_before_anything_is_computed(arguments: list[str], words: str, pairs: str) -> None:
    with pytest.raises(Exception, match=words) as refused:
        main([pairs, "embedder=hash", *arguments])
    assert isinstance(refused.value, ConfigError) or "updater/treshold" in str(refused.value)
