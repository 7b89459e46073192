"""Verdicts: which are wanted, recorded and asked again, and the scores they make; a judge's failure is no verdict."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from memlab.dialogue import Conversation, Question
from memlab.judge.judge import Judge, NoJudge, Verdict, rubric_name, rubric_prompt
from memlab.llm.chat import ChatFailed
from memlab.llm.meter import note_flaw
from memlab.records import Record, RunFolder, RunWriter
from memlab.score.answer_scores import Score
from memlab.verdicts import GIVEN, NONE, UNREAD, Asked, asked, judge_answer, try_judge, verdict_scores, wanted

QUESTION = Question("talk/q1", "Where?", "Oslo", 1, ())
WITHOUT_GOLD = Question("talk/q5", "Where?", None, 5, ())
Says = Callable[[str, int], bool | None]


class Told(Judge):
    """Says what it is told for a rubric and a sample; raises what it is given."""

    def __init__(self, says: Says, rubrics: tuple[str, ...] = ("generous",), repeats: int = 1, probes: int = 0) -> None:
        self.says, self.rubrics, self.repeats, self.probes = says, rubrics, repeats, probes
        self.asked: list[tuple[str, str, str, int]] = []

    async def judge(self, question: Question, answer: str, rubric: str, sample: int) -> Verdict:
        self.asked.append((question.id, answer, rubric, sample))
        await asyncio.sleep(0)
        said = self.says(rubric, sample)
        if said is None:
            note_flaw("unreadable: mumbled")
        return Verdict(said, "mumbled" if said is None else None, reply=str(said))


def down(rubric: str, sample: int) -> bool:
    raise ChatFailed("retries_exhausted", "the judge is out", requests=3)


def answered(question: Question = QUESTION, text: str | None = "Oslo", status: str = "answered") -> Record:
    return {
        "id": question.id,
        "attempt": 1,
        "conversation": "talk",
        "category": question.category,
        "status": status,
        "answer": text,
    }


async def judged(tmp_path: Path, judge: Judge, record: Record, past: list[Record], question: Question) -> list[Record]:
    with RunFolder(tmp_path).opened() as writer:
        return await judge_answer(judge, question, record, past, writer)


@pytest.mark.parametrize("repeats", [1, 3])
def test_an_answer_wants_every_rubric_and_sample_once(repeats: int) -> None:
    judge = Told(lambda *_: True, ("generous", "strict"), repeats)
    wishes = wanted(judge, QUESTION, 2)
    assert len(wishes) == len(set(wishes)) == 2 * repeats
    assert {wish.attempt for wish in wishes} == {2}


def test_a_question_without_gold_and_a_run_without_judge_want_nothing() -> None:
    assert wanted(Told(lambda *_: True), WITHOUT_GOLD, 1) == []
    assert wanted(NoJudge(), QUESTION, 1) == []


async def test_every_verdict_is_recorded_with_what_it_was_about_and_took(tmp_path: Path) -> None:
    found = await judged(tmp_path, Told(lambda *_: True), answered(), [], QUESTION)
    [record] = RunFolder(tmp_path).read("verdicts")
    assert {**found[0], "schema": 1} == record
    assert asked(record) == Asked("talk/q1", 1, "generous", 0, None)
    expected = {"status": GIVEN, "correct": True, "answer": "Oslo", "gold": "Oslo", "category": 1, "reply": "True"}
    assert expected.items() <= record.items()
    assert record["spent"]["calls"] == 0


async def test_a_judge_that_is_out_and_one_that_mumbles_are_told_apart(tmp_path: Path) -> None:
    [out] = await judged(tmp_path, Told(down), answered(), [], QUESTION)
    assert (out["status"], out["correct"], out["reason"]) == (NONE, None, "the judge is out")
    [mumbled] = await judged(tmp_path, Told(lambda *_: None), answered(), [], QUESTION)
    assert (mumbled["status"], mumbled["correct"], mumbled["flaws"]) == (UNREAD, None, ["unreadable: mumbled"])


async def test_one_verdict_that_fails_does_not_take_the_others(tmp_path: Path) -> None:
    judge = Told(lambda rubric, sample: down(rubric, sample) if sample == 1 else True, repeats=3)
    found = await judged(tmp_path, judge, answered(), [], QUESTION)
    assert [record["status"] for record in found] == [GIVEN, NONE, GIVEN]


async def test_only_verdicts_without_a_reply_are_asked_for_again(tmp_path: Path) -> None:
    outcomes: list[bool | None] = [True, None, False]
    judge = Told(lambda rubric, sample: down(rubric, sample) if sample == 3 else outcomes[sample], repeats=4)
    past = await judged(tmp_path, judge, answered(), [], QUESTION)
    judge.says, judge.asked = (lambda *_: True), []
    found = await judged(tmp_path, judge, answered(), past, QUESTION)
    assert [sample for *_, sample in judge.asked] == [3]
    assert [record["correct"] for record in sorted(found, key=lambda r: r["sample"])] == [True, None, False, True]


async def test_verdicts_on_another_answer_count_for_nothing(tmp_path: Path) -> None:
    judge = Told(lambda *_: True)
    past = await judged(tmp_path, judge, answered(), [], QUESTION)
    found = await judged(tmp_path, judge, answered(text="Bergen"), past, QUESTION)
    assert [record["answer"] for record in found] == ["Bergen"]
    assert len(judge.asked) == 2


async def test_a_failed_answer_is_not_judged(tmp_path: Path) -> None:
    judge = Told(lambda *_: True)
    assert await judged(tmp_path, judge, answered(text=None, status="failed"), [], QUESTION) == []
    assert judge.asked == []


async def test_an_empty_answer_is_judged_like_any_other(tmp_path: Path) -> None:
    judge = Told(lambda *_: False)
    assert len(await judged(tmp_path, judge, answered(text=""), [], QUESTION)) == 1


def verdict(correct: bool | None, rubric: str = "generous", status: str = GIVEN) -> Record:
    return {"rubric": rubric, "correct": correct, "status": status}


def test_a_score_is_the_share_of_verdicts_that_say_correct() -> None:
    verdicts = [verdict(True), verdict(True), verdict(False), verdict(None, status=UNREAD), verdict(None, status=NONE)]
    assert verdict_scores(QUESTION, answered(), verdicts, ["generous"]) == [Score("judge_generous", 2 / 3)]


@pytest.mark.parametrize(
    ("question", "answer", "verdicts", "reason"),
    [
        (QUESTION, answered(status="failed"), [], "the answer failed"),
        (WITHOUT_GOLD, answered(WITHOUT_GOLD), [], "no gold answer"),
        (QUESTION, answered(), [], "not judged"),
        (QUESTION, answered(), [verdict(None, status=NONE)], "the judge failed"),
        (QUESTION, answered(), [verdict(None, status=UNREAD)], "the judge's reply could not be read"),
    ],
)
def test_what_has_no_verdict_is_unscored_with_the_reason_and_never_wrong(
    question: Question, answer: Record, verdicts: list[Record], reason: str
) -> None:
    assert verdict_scores(question, answer, verdicts, ["generous"]) == [Score("judge_generous", None, reason)]


def test_rubrics_are_scored_side_by_side() -> None:
    verdicts = [verdict(True, "generous"), verdict(False, "strict")]
    scores = verdict_scores(QUESTION, answered(), verdicts, ["generous", "strict", "mine/harsh.txt"])
    assert scores == [
        Score("judge_generous", 1.0),
        Score("judge_strict", 0.0),
        Score("judge_harsh", None, "not judged"),
    ]


@pytest.mark.parametrize(
    ("rubric", "prompt", "name"),
    [
        ("generous", "judge_generous", "generous"),
        ("harsh.txt", "harsh.txt", "harsh"),
        ("mine/harsh.txt", "mine/harsh.txt", "harsh"),
        ("mine/harsh", "mine/harsh", "harsh"),
    ],
)
def test_a_rubric_is_a_name_or_a_file(rubric: str, prompt: str, name: str) -> None:
    assert (rubric_prompt(rubric), rubric_name(rubric)) == (prompt, name)


QUESTIONS = tuple(
    Question(f"talk/q{number}", f"Where did Ada go in {month}?", place, 1, ())
    for number, (month, place) in enumerate(
        [("May", "Oslo"), ("June", "Rome"), ("July", "Bergen"), ("August", "Paris")]
    )
)
TALK = Conversation("talk", ("Ada", "Ben"), (), QUESTIONS)


async def tried(judge: Judge, past: set[Asked], records: RunWriter) -> None:
    await try_judge(judge, [TALK], past, records, asyncio.Semaphore(4))


async def test_a_judge_is_tried_with_right_and_wrong_answers_once(tmp_path: Path) -> None:
    judge = Told(lambda *_: True, ("generous", "strict"), repeats=3, probes=2)
    with RunFolder(tmp_path).opened() as writer:
        await tried(judge, set(), writer)
        found = RunFolder(tmp_path).read("verdicts")
        assert {record["probe"] for record in found} == {"gold", "swapped", "vague"}
        assert len(found) == len({asked(record) for record in found}) == 2 * 3 * 2
        assert {record["conversation"] for record in found} == {"talk"}
        before = len(judge.asked)
        await tried(judge, {asked(record) for record in found}, writer)
    assert len(judge.asked) == before


async def test_a_run_without_judge_or_probes_tries_nothing(tmp_path: Path) -> None:
    with RunFolder(tmp_path).opened() as writer:
        await tried(NoJudge(), set(), writer)
        await tried(Told(lambda *_: True, probes=0), set(), writer)
    assert RunFolder(tmp_path).read("verdicts") == []
