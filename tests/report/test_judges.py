"""What a table says beside J, where the judge is no language model."""

from typing import Any

from memlab.judge.overlap import shipped
from memlab.report.judges import corrected_of, j_cells, j_headings, judge_notes
from memlab.report.rows import Run
from memlab.summary.judges import judges


def run(passed: float, system: str = "mem0", card: Any = None) -> Run:
    verdicts = [
        {
            **{"id": f"{place}{n}", "attempt": 1, "rubric": "overlap", "sample": 0, "probe": None, "status": "given"},
            **{"conversation": place, "category": 1 + n % 4, "correct": n // 4 < 10 * passed},
        }
        for place in "abcd"
        for n in range(40)
    ]
    found = judges(verdicts, shipped() if card is None else card, seed=0)
    return {"choices": {"system": system, "judge": "none"}}, {"judges": found, "phases": {}, "metrics": {}}


def test_j_stands_beside_its_corrected_value_with_the_error_of_its_judge() -> None:
    one = run(0.5)
    assert j_headings([one], "overlap") == ["J overlap", "J overlap,\ncorrected"]
    raw, corrected = j_cells([one], one[1], "overlap")
    assert raw.startswith("50.00")
    cell = one[1]["judges"]["overlap"]["corrected"]["overall"]
    assert corrected == f"{cell['value']:.2f} [{cell['interval'][0]:.0f}, {cell['interval'][1]:.0f}]"
    assert cell["interval"][0] < cell["value"] < cell["interval"][1]
    notes = " ".join(judge_notes([one]))
    assert "percent of answers that judge=overlap calls correct" in notes, "not the old run's choice"
    assert f"n={shipped()['n']:,}" in notes
    assert f"agreement {shipped()['agreement']:.3f}, AUC {shipped()['auc']:.3f}" in notes
    assert "4: 0.80 / 0.86" in notes
    assert "J, corrected: foretold by a line across systems" in notes


def test_what_cannot_be_corrected_is_a_dash_with_its_reason() -> None:
    one = run(0.0, "no_memory")
    assert corrected_of(one[1], "overlap") == "-"
    other = run(0.02, "echo")
    [told] = [note for note in judge_notes([one, other]) if "not corrected" in note]
    assert told.startswith("J overlap is not corrected (-) where the judge passes a share that is more than 5 points")


def test_a_judge_that_was_never_measured_has_no_corrected_value() -> None:
    manifest, summary = run(0.5)
    plain = {name: value for name, value in summary["judges"]["overlap"].items() if name not in ("corrected", "card")}
    one = (manifest, {**summary, "judges": {"overlap": plain}})
    assert j_headings([one], "overlap") == ["J overlap"]
    assert not any("corrected" in note for note in judge_notes([one]))
