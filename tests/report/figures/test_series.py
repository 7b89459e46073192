"""How series look: told apart, and the same in every figure."""

from itertools import combinations

import pytest

from memlab.report.figures.figure import INK
from memlab.report.figures.series import COLOURS, GREY, MOST, named_series, readable
from memlab.report.rows import Run
from tests.report.invented_runs import invented


def studied(updater: str, s: int, quality: float = 0.3) -> Run:
    manifest, summary = invented("mem0", quality, s=s, updater={"_target_": updater})
    return {**manifest, "choices": {"system": "mem0", "updater": updater}}, summary


STUDY = [studied(updater, s) for s in (10, 1, 5) for updater in ("append", "threshold")]


def test_a_system_keeps_colour_and_marker_whatever_its_numbers_are() -> None:
    _, series = named_series(STUDY)
    by_kind = {one.kind: {(o.look.colour, o.look.marker) for o in series if o.kind == one.kind} for one in series}
    assert [len(looks) for looks in by_kind.values()] == [1, 1]
    assert len(set.union(*by_kind.values())) == 2
    assert (
        len({(one.look.colour, one.look.fill) for one in series}) == len({(o.kind, o.look.hatch) for o in series}) == 6
    )
    assert {one.look.fill for one in series if "s=10" in one.label} == {"full"}


def test_series_are_drawn_system_by_system_in_the_order_of_their_numbers() -> None:
    shown, left_out = readable(named_series(STUDY)[1], "f1")
    assert [one.label for one in shown] == [f"{name}, s={s}" for name in ("append", "threshold") for s in (1, 5, 10)]
    assert left_out == ""


def test_of_a_sweep_with_too_many_runs_each_system_keeps_its_last() -> None:
    many = [studied(name, s) for s in range(6) for name in ("append", "threshold", "oracle")]
    shown, left_out = readable(named_series(many)[1], "f1")
    assert [one.label for one in shown] == ["append, s=5", "threshold, s=5", "oracle, s=5"]
    assert "3 of 18 runs" in left_out


@pytest.mark.parametrize("count", [MOST, 40])
def test_no_two_systems_look_alike(count: int) -> None:
    runs = [invented(f"system{number}", 0.3) for number in range(count)]
    every = [one.look for one in named_series(runs)[1]]
    assert len({(look.colour, look.marker, look.line, look.fill) for look in every}) == count
    assert len({(look.colour, look.marker) for look in every[:MOST]}) == MOST


def test_runs_for_comparison_only_are_grey_come_last_and_take_no_colour_from_others() -> None:
    names = ["no_memory", "mem0", "echo", "rag"]
    shown, _ = readable(named_series([invented(name, 0.3) for name in names])[1], "f1")
    assert [(one.label, one.look.colour) for one in shown] == [
        *(("mem0", COLOURS[0]), ("rag", COLOURS[1]), ("no_memory", GREY), ("echo", GREY)),
    ]
    assert shown[2].look.hatch != shown[3].look.hatch


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_colours_stand_out_from_white_and_from_dark_paper() -> None:
    for colour in (*COLOURS, GREY):
        if colour != INK:  # which a page replaces by its own
            for light, dark in combinations(sorted((luminance(colour), luminance("#ffffff")), reverse=True), 2):
                assert (light + 0.05) / (dark + 0.05) >= 3, colour
            for light, dark in combinations(sorted((luminance(colour), luminance("#15171a")), reverse=True), 2):
                assert (light + 0.05) / (dark + 0.05) >= 3, colour
