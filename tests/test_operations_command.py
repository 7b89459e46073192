"""`python -m memlab operations`: updaters on labelled pairs, as a user meets it."""

import csv
import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from memlab.commands.operations import main, place_faults
from memlab.embed.hashed import Hashed
from memlab.settings import ConfigError
from memlab.stopwatch import aside
from memlab.update.append import Append
from memlab.update.updater import Proposal

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


class SlowToLoad(Append):
    async def foresee(self, proposals: Sequence[Proposal]) -> None:
        with aside():
            time.sleep(0.2)


def test_what_an_updater_loads_is_no_part_of_its_decisions(pairs: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([pairs, "embedder=hash", "updater=append", f"updater._target_={__name__}.SlowToLoad", "--format", "csv"])
    headings, row, *_ = rows(capsys.readouterr().out)
    assert headings[-1] == "ms per decision"
    assert float(row[-1]) < 1000 * 0.2 / len(ROWS)


def test_without_a_file_only_the_file_is_said_to_be_required(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert capsys.readouterr().err.endswith("required: FILE\n")


def test_a_place_that_can_be_written_stays_as_it_was_until_the_figure_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "old.svg").write_text("old")
    assert place_faults(tmp_path / "old.svg") == place_faults(tmp_path / "new.svg") == []
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("old.svg", "old")]


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
        (["updater=oracle", "dataset=synthetic"], "updater=oracle knows what is right in its dataset alone"),
        (["updater=append,oracle"], "dataset=synthetic"),
        (["updater=append,treshold"], "updater"),
        (["updater=frozen_head,threshold", "updater.gate=0.2"], "updater=threshold has no setting 'gate'"),
        (["updater=random,always_noop", "updater.gate=0.2"], r"=random has no[\s\S]+=always_noop has no"),
        (["--figure", "{pairs}/x.svg"], r"--figure \S+/x\.svg cannot be written"),
    ],
)
def test_what_cannot_be_done_is_told_before_anything_is_computed(
    arguments: list[str], words: str, pairs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Hashed, "embed", None)  # which comes first
    with pytest.raises(Exception, match=words) as refused:
        main([pairs, "embedder=hash", *(word.format(pairs=pairs) for word in arguments)])
    assert isinstance(refused.value, ConfigError) or "updater/treshold" in str(refused.value)
