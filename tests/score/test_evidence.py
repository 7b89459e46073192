from datetime import datetime

import pytest

from memlab.dialogue import Question
from memlab.memory import Fact, Hit, Memory
from memlab.score.answer_scores import FAILED, NO_EVIDENCE, NO_GOLD, Trace, answer_scores, evidence_scores

AT = datetime(2023, 5, 8)


def hit(number: int, *sources: str, text: str = "a fact of five words") -> Hit:
    return Hit(Memory(f"m{number}", Fact(text), "Ada", sources, AT, AT, AT), 1.0)


def scores(question: Question, ranking: list[Hit], shown: int, used: set[str] = frozenset()) -> dict[str, float | None]:  # type: ignore[assignment]
    trace = Trace(ingested={"a", "b", "c"}, extracted={"a", "b"}, survived={"a"})
    return {s.metric: s.value for s in evidence_scores(question, ranking, shown=shown, used=used, trace=trace)}


ASKED = Question("q", "?", "gold", 4, ("a", "b", "z"))


def test_recall_counts_the_turns_behind_what_was_shown() -> None:
    found = scores(ASKED, [hit(0, "x"), hit(1, "a", "b"), hit(2, "z")], shown=2)
    assert found["evidence_recall"] == pytest.approx(2 / 3)
    assert found["evidence_precision"] == pytest.approx(1 / 2)
    assert found["evidence_recall@1"] == 0
    assert found["evidence_recall@5"] == 1


def test_a_budget_counts_tokens_of_context() -> None:
    long = hit(0, "a", text="word " * 600)
    found = scores(ASKED, [long, hit(1, "b")], shown=2)
    assert found["evidence_recall@512t"] == 0
    assert found["evidence_recall@1764t"] == pytest.approx(2 / 3)


def test_the_funnel_narrows_stage_by_stage() -> None:
    found = scores(ASKED, [hit(0, "a"), hit(1, "b")], shown=1, used={"m0"})
    stages = ("ingested", "extracted", "survived", "retrieved", "used")
    assert [round(found[f"evidence_{stage}"] or 0, 3) for stage in stages] == [0.667, 0.667, 0.333, 0.333, 0.333]


def test_a_question_without_evidence_is_unscored_not_zero() -> None:
    asked = Question("q", "?", "gold", 4, ())
    trace = Trace(set(), set(), set())
    found = evidence_scores(asked, [hit(0, "a")], shown=1, used=set(), trace=trace)
    assert {(score.value, score.reason) for score in found} == {(None, NO_EVIDENCE)}


def test_a_failed_answer_is_unscored_not_zero() -> None:
    assert {(score.value, score.reason) for score in answer_scores(ASKED, None)} == {(None, FAILED)}


def test_without_a_gold_only_locomos_own_f1_is_scored() -> None:
    found = {s.metric: s for s in answer_scores(Question("q", "?", None, 5, ()), "No information available")}
    assert found["f1"].reason == NO_GOLD
    assert found["bleu1"].reason == NO_GOLD
    assert found["locomo_f1"].value == 1.0


def test_nothing_shown_is_a_recall_of_zero() -> None:
    found = scores(ASKED, [], shown=0)
    assert found["evidence_recall"] == 0
    assert found["evidence_precision@10"] == 0
