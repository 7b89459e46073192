"""Several sources compared: pairs, metrics, families, and the questions furthest apart."""

from pathlib import Path

import pytest

from memlab.compare.answers import Answers, NotComparable
from memlab.compare.comparison import compared
from memlab.compare.questions import furthest
from tests.compare.sources import answers, row


def source(name: str, *metrics: str, value: float = 0.5) -> Answers:
    rows = [
        row(f"{number}?", f"conv-{conversation}", category=number % 4 + 1, values=dict.fromkeys(metrics, value))
        for conversation in range(8)
        for number in range(8)
    ]
    return answers(*rows, name=name)


def test_the_first_is_compared_with_all_or_each_with_each() -> None:
    sources = [source("a", "f1"), source("b", "f1", value=0.75), source("c", "f1")]
    found = compared(sources, None, ["overall", "2"], all_pairs=False, seed=0)
    assert found.places == ((0, 1), (0, 2))
    (cells, same) = found.families[0].cells.values()
    assert [(cell.group, cell.means, cell.difference.n) for cell in cells] == [
        ("overall", (0.5, 0.75), 64),
        ("2", (0.5, 0.75), 16),
    ]
    assert cells[0].p_holm == pytest.approx(4 * 2 / 2**8), "the family is not all cells"
    assert same[0].difference.ties == 64
    assert compared(sources, None, ["overall"], all_pairs=True, seed=0).places == ((0, 1), (0, 2), (1, 2))


def test_metrics_are_those_that_both_have() -> None:
    sources = [source("a", "f1", "J", "evidence_recall"), source("b", "f1", "J", "bleu1")]
    found = compared(sources, None, ["overall"], all_pairs=False, seed=0)
    assert [family.metric for family in found.families] == ["f1", "J"]
    with pytest.raises(NotComparable, match=r"no metric 'bleu1' that both have.*\(metrics: f1, J\)"):
        compared(sources, ["bleu1"], ["overall"], all_pairs=False, seed=0)
    found = compared(sources, ["j", "F1"], ["overall"], all_pairs=False, seed=0)
    assert [family.metric for family in found.families] == ["J", "f1"]
    with pytest.raises(NotComparable, match="did you mean 'f1'"):
        compared(sources, ["f11"], ["overall"], all_pairs=False, seed=0)


def test_j_stands_beside_files_only() -> None:
    runs = [
        Answers(name, Path(name), "run", source(name, "f1", "judge_generous", "J").rows, "d") for name in ("a", "b")
    ]
    found = compared(runs, None, ["overall"], all_pairs=False, seed=0)
    assert [family.metric for family in found.families] == ["f1", "judge_generous"]
    beside = compared([runs[0], source("c", "f1", "J")], None, ["overall"], all_pairs=False, seed=0)
    assert [family.metric for family in beside.families] == ["f1", "J"]


def test_what_cannot_be_compared_is_refused() -> None:
    one, other = source("a", "f1"), source("b", "J")
    for sources, metrics, told in (
        ([one], None, "nothing to compare a with"),
        ([one, other], None, "no common question has a value in both: a has f1; b has J"),
    ):
        with pytest.raises(NotComparable, match=told):
            compared(sources, metrics, ["overall"], all_pairs=False, seed=0)


def test_the_questions_furthest_apart_come_from_both_directions() -> None:
    def asked(*values: tuple[float, float], name: str) -> Answers:
        rows = [row(f"{n}?", values={"J": j, "f1": f1}, answer=name) for n, (j, f1) in enumerate(values)]
        return answers(*rows, name=name)

    first = asked((0, 0), (0, 0), (1, 1), (0.5, 0), (0.5, 1), name="one")
    other = asked((1, 0.2), (1, 0.9), (0, 0), (0.5, 1), (0, 1), name="two")
    pair = compared([first, other], ["J"], ["overall"], all_pairs=False, seed=0).pairs[0]
    found = furthest(pair, "J", ["overall"], 2)
    assert [one.question for one in found] == ["1?", "0?", "2?", "4?"]
    assert (found[0].first_answer, found[0].other_answer, found[0].first, found[0].other) == ("one", "two", 0, 1)
    assert [one.question for one in furthest(pair, "J", ["overall"], 1)] == ["1?", "2?"]
    assert furthest(pair, "J", ["1"], 2) == []
