"""From records to numbers: phases, ingestion, hygiene, judges; what failed is counted apart from what is wrong."""

from collections import Counter
from typing import Any

import pytest

from memlab.llm.budget import Price, Prices
from memlab.records import LINES, Record
from memlab.summary.ingestion import hygiene, ingest_totals, lost
from memlab.summary.judges import judges as judged_with_card
from memlab.summary.phases import phases
from memlab.summary.summary import summarise

PRICES = Prices("2026-01-01", {"small": Price(input=1.0, output=2.0)})
LLMS = dict.fromkeys(("summary", "extract", "update", "answer", "judge"), "small")
NOTHING = dict.fromkeys(("calls", "prompt_tokens", "completion_tokens", "requests", "replayed", "failed"), 0)


def judges(verdicts: list[Any]) -> dict[str, Any]:
    return judged_with_card(verdicts, None, seed=0)


def spent(**counts: float) -> Record:
    return {**NOTHING, "seconds": 0.0, "retry_seconds": 0.0, "estimated": 0, **counts}


CALL = spent(calls=1, prompt_tokens=100, completion_tokens=10, requests=2, retry_seconds=0.5)


def window(**fields: Any) -> Record:
    usual: Record = {
        "conversation": "talk",
        "perspective": None,
        "window": 0,
        "status": "done",
        "turns": ["D1:1"],
        "candidates": [{}],
        "operations": [],
        "extract_flaws": [],
        "flaws": [],
        "calls": 2,
        "tokens": 220,
        "extract": CALL,
        "update": CALL,
        "seconds": 1.5,
        "extract_seconds": 1.0,
        "update_seconds": 0.5,
    }
    return {**usual, **fields}


def answer(id_: str = "q1", **fields: Any) -> Record:
    usual = {
        "id": id_,
        "attempt": 1,
        "conversation": "talk",
        "category": 1,
        "status": "answered",
        "shown": 2,
        "context_tokens": 20,
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "spent": CALL,
        "flaws": [],
        "search_seconds": 0.1,
        "total_seconds": 0.9,
        "replayed": False,
    }
    return {**usual, **fields}


def verdict(id_: str = "q1", correct: bool | None = True, **fields: Any) -> Record:
    usual = {
        "id": id_,
        "attempt": 1,
        "rubric": "generous",
        "sample": 0,
        "probe": None,
        "category": 1,
        "status": "given" if correct is not None else "failed",
        "correct": correct,
        "spent": CALL,
        "flaws": [],
        "seconds": 0.2,
    }
    return {**usual, **fields}


def memory(text: str, *, owner: str | None = None, retired: bool = False, conversation: str = "talk") -> Record:
    return {
        "conversation": conversation,
        "perspective": owner,
        "content": {"type": "fact", "text": text},
        "retired_at": "2023-05-08T00:00:00" if retired else None,
    }


def files(**found: list[Record]) -> dict[str, list[Record]]:
    return {name: found.get(name, []) for name in LINES}


def summary(expected: int = 0, **found: list[Record]) -> Record:
    work = {"ingest": expected, "answer": len(found.get("answers", []))}
    return summarise(files(**found), prices=PRICES, seed=0, expected=work, llms=LLMS, card=None)


def test_each_phase_has_its_own_calls_tokens_money_and_time() -> None:
    summaries = [{"spent": CALL, "seconds": 3.0, "flaws": ["repaired: x"]}]
    found = phases(
        files(summaries=summaries, ingest=[window(), window()], answers=[answer()], verdicts=[verdict()]), PRICES, LLMS
    )
    assert list(found) == ["summary", "extract", "update", "answer", "judge", "total"]
    assert [found[phase]["calls"] for phase in found] == [1, 2, 2, 1, 1, 7]
    assert found["extract"]["prompt_tokens"] == 200
    assert found["extract"]["usd"] == pytest.approx((200 * 1.0 + 20 * 2.0) / 1e6)
    assert found["total"]["usd"] == pytest.approx(sum(found[phase]["usd"] for phase in list(found)[:-1]))
    assert (found["extract"]["p50_seconds"], found["update"]["p95_seconds"]) == (1.0, 0.5)
    assert (found["answer"]["requests"], found["answer"]["retry_seconds"]) == (2, 0.5)
    assert found["summary"]["flaws"] == {"repaired": 1}


def test_a_phase_without_calls_or_flaws_is_left_out() -> None:
    found = phases(files(ingest=[window(extract=spent(), update=spent())]), PRICES, LLMS)
    assert list(found) == ["total"]
    assert (found["total"]["calls"], found["total"]["usd"]) == (0, 0)


def test_money_is_unknown_where_a_model_has_no_price() -> None:
    found = phases(files(ingest=[window()], answers=[answer()]), PRICES, {**LLMS, "answer": "other"})
    assert found["extract"]["usd"] is not None
    assert found["answer"]["usd"] is None
    assert found["total"]["usd"] is None


def test_failed_replayed_and_estimated_calls_of_every_phase_are_counted() -> None:
    some = spent(calls=3, failed=1, replayed=2, estimated=1, requests=5)
    found = phases(
        files(
            summaries=[{"spent": some, "seconds": 0.0, "flaws": []}],
            ingest=[window(extract=some, update=some)],
            answers=[answer(spent=some)],
            verdicts=[verdict(spent=some)],
        ),
        PRICES,
        LLMS,
    )
    for phase in ("summary", "extract", "update", "answer", "judge"):
        row = found[phase]
        assert [row[name] for name in ("calls", "failed", "replayed", "estimated")] == [3, 1, 2, 1], phase


def test_flaws_count_by_the_word_before_the_colon() -> None:
    flawed = window(extract_flaws=["repaired: a", "repaired: b"], flaws=[["unknown_id: m9"], [], ["refused: no m3"]])
    found = summary(ingest=[flawed])
    assert found["ingest"]["flaws"] == {"refused": 1, "repaired": 2, "unknown_id": 1}
    assert found["phases"]["update"]["flaws"] == {"refused": 1, "unknown_id": 1}


def test_completeness_is_of_all_windows_there_are() -> None:
    totals = ingest_totals([window(), window(status="failed"), window()], [], expected=8)
    assert (totals["windows"], totals["failed_windows"], totals["completeness"]) == (3, 1, 0.25)
    assert ingest_totals([], [], expected=0)["completeness"] == 1.0


DELETE = {"type": "delete", "id": "m0"}


@pytest.mark.parametrize(
    ("operations", "is_lost"),
    [
        ([DELETE], True),
        ([DELETE, {"type": "noop", "duplicate_of": None}], True),
        ([DELETE, {"type": "add"}], False),
        ([DELETE, {"type": "update", "id": "m1"}], False),
        ([DELETE, {"type": "noop", "duplicate_of": "m2"}], False),
        ([{"type": "noop", "duplicate_of": None}], False),
        ([], False),
    ],
)
def test_a_fact_is_lost_when_it_deletes_and_is_stored_nowhere(operations: list[Record], is_lost: bool) -> None:
    assert lost(operations) is is_lost
    assert ingest_totals([window(operations=[operations])], [], expected=1)["lost_facts"] == is_lost


def test_operations_are_counted_by_kind() -> None:
    totals = ingest_totals([window(operations=[[DELETE, {"type": "add"}], [{"type": "add"}]])], [], expected=1)
    assert totals["operations"] == {"add": 2, "delete": 1}


def test_hygiene_tells_duplicates_churn_and_retired_memories() -> None:
    memories = [
        memory("Ada lives in Oslo."),
        memory("ada  lives in OSLO."),
        memory("Ada likes tea."),
        memory("Ada likes tea.", retired=True),
    ]
    totals = ingest_totals([window(operations=[[DELETE], [{"type": "update"}]])], memories, expected=1)
    assert (totals["memories"], totals["retired"], totals["retired_share"]) == (3, 1, 0.25)
    assert totals["duplicate_rate"] == pytest.approx(1 / 3)
    assert totals["churn"] == 0.5
    assert totals["mean_memory_tokens"] == pytest.approx(5, abs=1.5)


def test_the_same_words_in_two_stores_are_no_duplicates() -> None:
    apart = [memory("Hi.", owner="Ada"), memory("Hi.", owner="Ben"), memory("Hi.", conversation="other")]
    assert ingest_totals([], apart, expected=0)["duplicate_rate"] == 0


def test_an_empty_store_has_no_rates() -> None:
    totals = ingest_totals([], [], expected=0)
    assert [totals[name] for name in ("retired_share", "duplicate_rate", "churn", "mean_memory_tokens")] == [None] * 4
    assert hygiene([memory("x", retired=True)], Counter())["duplicate_rate"] is None


def test_j_is_the_mean_over_repeats_with_their_deviation() -> None:
    right = {0: (True, True, True), 1: (True, False, False)}  # by sample, of three questions
    verdicts = [
        verdict(f"q{n}", correct, sample=sample) for sample, row in right.items() for n, correct in enumerate(row)
    ]
    cell = judges(verdicts)["generous"]["j"]["overall"]
    assert cell["n"] == 3
    assert cell["repeats"] == 2
    assert cell["value"] == pytest.approx((100 + 100 / 3) / 2)
    assert cell["deviation"] == pytest.approx(47.14, abs=0.01)


def test_one_repeat_has_no_deviation() -> None:
    assert judges([verdict()])["generous"]["j"]["overall"]["deviation"] is None


def test_attempts_are_repeats_too() -> None:
    cell = judges([verdict(attempt=1), verdict(attempt=2, correct=False)])["generous"]["j"]["overall"]
    assert (cell["n"], cell["repeats"], cell["value"]) == (1, 2, 50)


def test_a_judge_that_is_out_makes_no_answer_wrong() -> None:
    found = judges([verdict("q1"), verdict("q2", None), verdict("q3", None, status="unread")])["generous"]
    assert (found["j"]["overall"]["value"], found["j"]["overall"]["n"]) == (100, 1)
    assert found["unscored"] == {"failed": 1, "unread": 1}
    out = judges([verdict("q1", None)])["generous"]
    assert out["j"] == {}
    assert out["unscored"] == {"failed": 1}


def test_j_is_given_per_category_and_overall_without_category_5() -> None:
    found = judges([verdict("q1"), verdict("q2", False, category=2), verdict("q5", False, category=5)])
    j = found["generous"]["j"]
    assert {name: cell["value"] for name, cell in j.items()} == {"overall": 50, "1": 100, "2": 0, "5": 0}


def test_rubrics_stand_side_by_side_under_their_names() -> None:
    found = judges([verdict(), verdict(rubric="mine/harsh.txt", correct=False)])
    assert {rubric: row["j"]["overall"]["value"] for rubric, row in found.items()} == {"generous": 100, "harsh": 0}


def test_a_judges_trials_are_in_no_j_and_tell_its_pass_rates() -> None:
    trials = [
        verdict("q1", True, probe="gold"),
        verdict("q1", True, probe="vague"),
        verdict("q2", False, probe="vague"),
        verdict("q3", None, probe="vague"),
    ]
    found = judges([verdict("q1", False), *trials])["generous"]
    assert found["j"]["overall"]["value"] == 0
    assert found["probes"] == {
        "gold": {"n": 1, "passed": 1, "share": 1.0},
        "vague": {"n": 2, "passed": 1, "share": 0.5},
    }


@pytest.mark.parametrize(
    ("found", "failures"),
    [
        ({"ingest": [window(status="failed")]}, {"windows": 1, "answers": 0, "verdicts": 0}),
        ({"answers": [answer(status="failed")]}, {"windows": 0, "answers": 1, "verdicts": 0}),
        ({"verdicts": [verdict(correct=None)]}, {"windows": 0, "answers": 0, "verdicts": 1}),
    ],
)
def test_a_run_in_which_anything_failed_is_incomplete(found: dict[str, list[Record]], failures: Record) -> None:
    made = summary(0, **found)
    assert (made["status"], made["failures"]) == ("incomplete", failures)


def test_a_run_whose_judge_could_not_be_read_is_complete_and_says_so() -> None:
    made = summary(verdicts=[verdict(correct=None, status="unread")])
    assert made["status"] == "complete"
    assert made["judges"]["generous"]["unscored"] == {"unread": 1}


def test_latency_and_tokens_are_of_answers_that_were_given() -> None:
    made = summary(answers=[answer(total_seconds=1.0), answer("q2", status="failed", total_seconds=99.0)])
    assert made["latency"]["total_p95_seconds"] == 1.0
    assert made["tokens"]["prompt_tokens"] == 100
    assert made["questions"]["failed"] == 1


def test_a_run_without_judge_has_no_judges() -> None:
    assert summary(answers=[answer()])["judges"] == {}
