"""`python -m memlab data synthetic`: what a generated dataset contains, for people to read."""

import subprocess
import sys

import pytest

from memlab.commands.data import main
from memlab.datasets.dataset import DatasetError
from memlab.datasets.synthetic.kinds import kinds


def test_show_prints_figures_samples_and_how_to_run_it(capsys: pytest.CaptureFixture[str]) -> None:
    main(["synthetic", "--show", "messages=900", "split=validation", "operations.NOOP=0.3"])
    printed = capsys.readouterr().out
    assert "split validation, seed 5" in printed
    assert "900, " in printed
    for words in ("sessions", "tokens (cl100k_base)", "templates", "questions", "adversarial", *kinds()):
        assert words in printed
    assert printed.count(", session ") == 10
    for operation in ("ADD", "UPDATE", "DELETE", "NOOP"):
        assert f"      {operation:<6} " in printed
    assert "dataset=synthetic dataset.messages=900 dataset.split=validation dataset.operations.NOOP=0.3" in printed


def test_without_show_it_says_that_nothing_is_to_be_downloaded(capsys: pytest.CaptureFixture[str]) -> None:
    main(["synthetic"])
    assert "nothing to download" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("mesages=3", "no setting 'mesages'; did you mean 'messages'"),
        ("messages=many", "setting 'messages' is 'many'"),
        ("messages", "'messages' is no setting; give it as key=value"),
        ("operations.ADD=0", "operations.ADD=0: expected more than 0"),
        ("operations={ADD:0.5", "cannot be read .*; give values as"),
    ],
)
def test_a_mistake_gets_its_message(argument: str, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        main(["synthetic", argument])


def test_a_share_that_cannot_be_met_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    main(["synthetic", "--show", "messages=300", "operations={ADD: 0.1, UPDATE: 0.05, DELETE: 0.05, NOOP: 0.8}"])
    assert "NOOP: asked for 80% of the statements, but only" in capsys.readouterr().out


def test_whoever_reads_only_the_first_lines_sees_no_error() -> None:
    command = [sys.executable, "-m", "memlab", "data", "synthetic", "--show", "messages=300"]
    shown = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert shown.stdout is not None
    assert shown.stdout.readline().startswith("dataset=synthetic")
    shown.stdout.close()
    assert shown.stderr is not None
    assert shown.stderr.read() == ""
    shown.stderr.close()
    shown.wait()


def test_locomo_takes_no_settings_of_synthetic(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["locomo", "--show"])
    assert "for synthetic" in capsys.readouterr().err
