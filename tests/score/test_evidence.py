from datetime import datetime

import pytest

from memlab.answer.words import content_stems
from memlab.dialogue import Question
from memlab.memory import Fact, Hit, Memory
from memlab.score.answer_scores import (
    CANNOT_TELL,
    FAILED,
    NO_EVIDENCE,
    NO_GOLD,
    Trace,
    answer_scores,
    evidence_scores,
    used_score,
)

AT = datetime(2023, 5, 8)


def hit(number: int, *sources: str, text: str = "a fact of five words") -> Hit:
    return Hit(Memory(f"m{number}", Fact(text), "Ada", sources, AT, AT, AT), 1.0)


WORDS = {"a": content_stems("red bicycle"), "b": content_stems("Oslo harbour"), "c": content_stems("piano")}


def scores(
    question: Question, ranking: list[Hit], shown: int, used: set[str] | None = None, *, failed: bool = False
) -> dict[str, float | None]:
    trace = Trace(ingested={"a", "b", "c"}, extracted={"a", "b"}, survived={"a"}, words=WORDS)
    head = ranking[:shown]
    last = used_score(question, head, used, failed=failed)
    return {s.metric: s.value for s in (*evidence_scores(question, ranking, head, trace), last)}


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
    found = evidence_scores(asked, [hit(0, "a")], [hit(0, "a")], Trace(set(), set(), set(), {}))
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


def test_coverage_counts_the_words_that_are_still_said() -> None:
    asked = Question("q", "?", "gold", 4, ("a", "b"))
    both = hit(0, "a", "b", text="Ada has a red bicycle.")
    found = scores(asked, [both], shown=1)
    assert found["evidence_recall"] == 1
    assert found["evidence_coverage"] == pytest.approx(1 / 2)


def test_merging_everything_into_one_memory_does_not_raise_coverage() -> None:
    asked = Question("q", "?", "gold", 4, ("b",))
    merged = scores(asked, [hit(0, "a", "b", "c", text="Ada.")], shown=1)
    apart = scores(asked, [hit(0, "b", text="Ada saw Oslo's harbour.")], shown=1)
    assert (merged["evidence_recall"], merged["evidence_coverage"]) == (1, 0)
    assert (apart["evidence_recall"], apart["evidence_coverage"]) == (1, 1)


def test_words_of_a_memory_that_did_not_come_from_the_turn_do_not_count() -> None:
    asked = Question("q", "?", "gold", 4, ("b",))
    assert scores(asked, [hit(0, "a", text="Oslo harbour")], shown=1)["evidence_coverage"] == 0


def test_what_a_failed_answer_used_is_unknown_not_zero() -> None:
    assert used_score(ASKED, [hit(0, "a")], None, failed=True).reason == FAILED
    assert used_score(ASKED, [hit(0, "a")], None, failed=False).reason == CANNOT_TELL
    assert used_score(ASKED, [hit(0, "a")], set(), failed=False).value == 0
