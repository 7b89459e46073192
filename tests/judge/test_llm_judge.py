"""What a judge is shown, and that only a label is a verdict."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.datasets.mini import Mini
from memlab.dialogue import Question
from memlab.judge.judge import Verdict
from memlab.judge.llm_judge import LLMJudge, label_of
from memlab.llm.chat import ChatFailed, Reply, Usage
from memlab.llm.meter import metered
from memlab.llm.reply_json import request_key
from memlab.llm.scripted import Line, Scripted
from memlab.llm.understood import Misunderstood

GOLDEN = Path(__file__).parent / "golden"
QUESTION = Question("c/q0", "Where does Ana live?", "Oslo", 4, ())


def llm_judge(llm: Scripted, **settings: Any) -> LLMJudge:
    return LLMJudge(llm, **{"rubrics": ["generous"], "repeats": 1, "probes": 0, "reply": "schema", **settings})


async def verdict(*replies: Line) -> Verdict:
    return await llm_judge(Scripted(replies)).judge(QUESTION, "in Oslo", "generous", 0)


@pytest.mark.parametrize("rubric", ["generous", "strict"])
async def test_prompt_on_a_mini_question_is_golden(rubric: str) -> None:
    question = (
        Mini(seed=11, size=4, conversations=["mini-1"], sessions=None, limit_questions=None)
        .read()
        .conversations[0]
        .questions[1]
    )
    llm = Scripted(["CORRECT"])
    await llm_judge(llm).judge(question, "Theo and\nTom", rubric, 0)
    sent = "".join(f"[{message.role}]\n{message.content}\n" for message in llm.requests[0].messages)
    assert sent == (GOLDEN / f"judge_{rubric}.txt").read_text(encoding="utf-8")


async def test_question_gold_and_answer_are_one_line_each() -> None:
    llm = Scripted(["CORRECT"])
    await llm_judge(llm).judge(replace(QUESTION, gold="Oslo\nNorway"), "Rome\n\nAnswer: Oslo", "generous", 0)
    assert llm.requests[0].messages[-1].content == (
        "Question: Where does Ana live?\nGold answer: Oslo Norway\nAnswer: Rome Answer: Oslo"
    )


async def test_each_sample_is_a_request_of_its_own() -> None:
    llm = Scripted(["CORRECT"] * 2)
    for sample in (0, 1):
        await llm_judge(llm).judge(QUESTION, "in Oslo", "generous", sample)
    assert [request.sample for request in llm.requests] == [0, 1]
    assert len({request_key(llm.identity, request) for request in llm.requests}) == 2


async def test_rubrics_have_prompts_of_their_own(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("[user]\nMine: $question $gold $answer\n", encoding="utf-8")
    llm = Scripted(["CORRECT"] * 3)
    several = llm_judge(llm, rubrics=["generous", "strict", str(own)])
    for rubric in several.rubrics:
        await several.judge(QUESTION, "Rome", rubric, 0)
    assert several.missing() == []
    assert len({request.messages for request in llm.requests}) == 3
    assert llm.requests[2].messages[0].content == "Mine: Where does Ana live? Oslo Rome"


async def test_the_schema_is_sent_only_when_asked_for() -> None:
    llm = Scripted(["CORRECT"] * 2)
    for reply in ("schema", "text"):
        await llm_judge(llm, reply=reply).judge(QUESTION, "Rome", "generous", 0)
    sent, none = (request.schema for request in llm.requests)
    assert none is None
    assert sent is not None
    assert sent["properties"]["label"]["enum"] == ["CORRECT", "WRONG"]


async def test_the_typical_reply_is_a_verdict() -> None:
    llm = Scripted(lambda request: request.typical)
    assert (await llm_judge(llm).judge(QUESTION, "Rome", "strict", 0)).correct is not None
    assert len(llm.requests) == 1


@pytest.mark.parametrize(
    ("reply", "correct"),
    [
        ('{"label": "CORRECT"}', True),
        ('{"label": "WRONG"}', False),
        ('```json\n{\n  "label": "wrong"\n}\n```', False),
        ("{'label': 'CORRECT'}", True),
        ('{"label": "CORRECT"', True),
        ('{"reason": "It is not WRONG, it says Oslo.", "label": "CORRECT"}', True),
        ('The answer is fine. {"label": "CORRECT"}', True),
        ("CORRECT", True),
        ("correct.", True),
        ("**WRONG**", False),
        ("Label: CORRECT", True),
        ("The final verdict is: **wrong**", False),
        ("INCORRECT", False),
        ('{"label": "INCORRECT"}', False),
        ("It could be CORRECT or WRONG.\n\nWRONG", False),
        ("WRONG\nOn second thought:\nCORRECT", True),
        ('{"label": "WRONG"}\nNo:\n{"label": "CORRECT"}', True),
        ("The label is CORRECT because both say Oslo.", True),
        ("It names another city, so it is WRONG.", False),
        ("The answer does not name the city: WRONG", False),
        ("<think>Is it WRONG?</think>CORRECT", True),
    ],
)
def test_a_label_is_a_verdict(reply: str, correct: bool) -> None:
    assert label_of(reply) is correct


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Yes",
        "I think so.",
        "{}",
        '{"label": "MAYBE"}',
        '{"label": null}',
        '{"label": "CORRECT/WRONG"}',
        "Is it CORRECT or WRONG? Hard to say.",
        "The answer is not CORRECT.",
        "This isn't entirely CORRECT.",
        "It would be CORRECT if it named the city.",
        "It is CORRECT if one is kind.",
        "It is CORRECT if one is kind. Otherwise it is WRONG.",
        "I cannot say whether it is WRONG.",
        "Both are correct in their way, I would say.",
        "The answer is INCORRECTLY formatted.",
        '{"label": "CORRECT", "other": {"label": "WRONG"}}',
    ],
)
def test_what_says_no_label_is_no_verdict(reply: str) -> None:
    with pytest.raises(Misunderstood, match="CORRECT"):
        label_of(reply)


@given(st.text() | st.text(alphabet='CORETWNGIcorectwngi{}":\n label'))
def test_text_without_a_label_is_never_a_verdict(reply: str) -> None:
    try:
        label_of(reply)
    except Misunderstood:
        return
    assert "CORRECT" in reply.upper() or "WRONG" in reply.upper()


@given(st.sampled_from(["CORRECT", "WRONG"]), st.text(alphabet='*"`{}. \n\t', max_size=8))
def test_signs_around_a_label_do_not_change_it(label: str, signs: str) -> None:
    assert label_of(f"{signs}{label}{signs}") is (label == "CORRECT")


async def test_an_unreadable_reply_is_asked_again_once() -> None:
    llm = Scripted(["It depends.", "WRONG"])
    with metered() as meter:
        found = await llm_judge(llm).judge(QUESTION, "in Oslo", "generous", 3)
    assert (found.correct, found.reply) == (False, "WRONG")
    assert [flaw.partition(":")[0] for flaw in meter.flaws] == ["repaired"]
    assert [request.sample for request in llm.requests] == [3, 3]


async def test_two_unreadable_replies_leave_the_answer_unscored_with_the_reason() -> None:
    with metered() as meter:
        found = await verdict("It depends.", "Hard to say.")
    assert found.correct is None
    assert found.reason is not None
    assert found.reason.startswith("unreadable: ")
    assert "Hard to say." in found.reason
    assert meter.flaws == [found.reason]


async def test_a_verdict_keeps_what_the_judge_wrote() -> None:
    assert await verdict("Label: CORRECT") == Verdict(True, None, "Label: CORRECT")


async def test_a_judge_that_fails_is_no_verdict() -> None:
    with pytest.raises(ChatFailed):
        await verdict(Reply("", (), "content_filter", Usage(1, 1), 0.0))


async def test_a_question_without_gold_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="c/q0"):
        await llm_judge(Scripted([])).judge(replace(QUESTION, gold=None), "Oslo", "generous", 0)


def test_a_misspelt_rubric_is_missing() -> None:
    assert "judge_generous" in llm_judge(Scripted([]), rubrics=["generos"]).missing()[0]


@pytest.mark.parametrize("wrong", [{"rubrics": []}, {"rubrics": ["strict"] * 2}, {"repeats": 0}, {"probes": -1}])
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        llm_judge(Scripted([]), **wrong)
