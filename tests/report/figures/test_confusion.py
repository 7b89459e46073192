"""Confusion matrices as figures."""

from pathlib import Path

import pytest

from memlab.gold import OPERATIONS
from memlab.report.figures.confusion import confusion
from memlab.report.figures.figure import faults, write

COUNTS = {gold: {chosen: 7 * i + 101 * j for j, chosen in enumerate(OPERATIONS)} for i, gold in enumerate(OPERATIONS)}


def test_a_figure_names_its_matrices_and_holds_their_counts(tmp_path: Path) -> None:
    file = tmp_path / "figures" / "confusion.svg"
    write(confusion([("threshold, s=10", COUNTS), ("oracle", COUNTS)]), file)
    text = file.read_text()
    assert ">threshold, s=10<" in text
    assert text.count(">324<") == 2
    assert "in decisions" in text


def test_the_same_matrices_give_the_same_file(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg", "a.pdf", "b.pdf"):
        write(confusion([("x", COUNTS)]), tmp_path / name)
    for suffix in ("svg", "pdf"):
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()


def test_a_name_that_is_no_figure_is_refused_with_those_that_are(tmp_path: Path) -> None:
    assert faults(Path("confusion.gif")) == ["confusion.gif: a figure's name ends in .svg, .pdf, .png"]
    with pytest.raises(ValueError, match=r"ends in \.svg"):
        write(confusion([("x", COUNTS)]), tmp_path / "confusion.txt")


def test_matrices_beyond_a_pageful_are_said_to_be_left_out() -> None:
    assert "The first 12 of 13." in confusion([(str(n), COUNTS) for n in range(13)]).caption


def test_cells_are_shaded_by_their_share_and_empty_ones_show_the_page() -> None:
    counts = {gold: dict.fromkeys(OPERATIONS, 0) for gold in OPERATIONS}
    counts[OPERATIONS[0]] |= {OPERATIONS[0]: 3, OPERATIONS[1]: 1}
    drawn = confusion([("x", counts)])
    [mesh] = drawn.figure.axes[0].collections
    assert mesh.get_array()[0, :, 3].tolist() == [0.75, 0.25, 0, 0]
    assert "n=4 decisions each" in drawn.figure.get_suptitle()
