"""The judge that ships: a share of the gold's tokens."""

import gzip
import json
from pathlib import Path

import pytest

from memlab.dialogue import Question
from memlab.judge.card import card_faults
from memlab.judge.overlap import OverlapJudge, shipped


def question(gold: str | None) -> Question:
    return Question("q", "When did Ada move?", gold, 2, ())


async def probability(answer: str, gold: str = "7 May 2023") -> float:
    verdict = await OverlapJudge(threshold=shipped()["threshold"], probes=0).judge(question(gold), answer, "overlap", 0)
    assert verdict.probability is not None
    return verdict.probability


@pytest.mark.parametrize(
    ("answer", "correct"), [("7 May, 2023.", True), ("May 7th of 2023", True), ("in 2023", False), ("", False)]
)
async def test_enough_of_the_golds_tokens_make_an_answer_correct(answer: str, correct: bool) -> None:
    judge = OverlapJudge(threshold=shipped()["threshold"], probes=0)
    verdict = await judge.judge(question("7 May 2023"), answer, "overlap", 0)
    assert verdict.correct is correct


async def test_more_of_the_gold_is_more_likely_correct() -> None:
    chances = [await probability(answer) for answer in ("nothing", "2023", "May 2023", "7 May 2023")]
    assert chances == sorted(chances)
    assert 0 < chances[0] < 0.5 < chances[-1] < 1


async def test_a_question_without_gold_is_refused() -> None:
    with pytest.raises(ValueError, match="no gold answer"):
        await OverlapJudge(threshold=0.5, probes=0).judge(question(None), "x", "overlap", 0)


@pytest.mark.parametrize(("threshold", "probes"), [(0.0, 0), (1.1, 0), (0.5, -1)])
def test_settings_that_cannot_be_are_refused(threshold: float, probes: int) -> None:
    with pytest.raises(ValueError, match=r"threshold is|probes is"):
        OverlapJudge(threshold=threshold, probes=probes)


def test_the_card_that_ships_holds_counts_and_no_text_and_is_of_one_threshold_alone() -> None:
    assert card_faults(shipped(), "card") == []
    assert OverlapJudge(threshold=shipped()["threshold"], probes=0).card() == shipped()
    assert OverlapJudge(threshold=0.9, probes=0).card() is None
    cells = [cell for own in shipped()["counts"].values() for cell in own.values()]
    assert sum(map(sum, cells)) == shipped()["n"]
    agreed = sum(both + neither for both, _, _, neither in cells) / shipped()["n"]
    assert agreed == pytest.approx(shipped()["agreement"], abs=1e-4)


async def test_the_card_that_ships_is_of_the_real_verdicts(shared_data: Path) -> None:
    lines = gzip.decompress((shared_data / "judge_pairs_dev7.jsonl.gz").read_bytes()).splitlines()
    own = [row for row in map(json.loads, lines) if row["system"] == "zep_official"]
    judge = OverlapJudge(threshold=shipped()["threshold"], probes=0)
    passed = [(await judge.judge(question(row["gold"]), row["response"], "overlap", 0)).correct for row in own]
    told = shipped()["by_system"]["zep_official"]
    assert len(own) == told["n"]
    # The card's were made without the answer's own conversation.
    assert sum(map(bool, passed)) / len(own) == pytest.approx(told["passed"], abs=0.01)
    assert sum(2 * sum(row["labels"]) >= len(row["labels"]) for row in own) / len(own) == pytest.approx(
        told["passed_by_labels"], abs=1e-4
    )
