"""Answers to try a judge on: right ones, and ones that are wrong for certain."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from memlab.answer.words import content_stems
from memlab.datasets.locomo import Locomo
from memlab.datasets.mini import Mini
from memlab.dialogue import Conversation, Question, Turn
from memlab.judge.probes import VAGUE, VAGUE_BY_KIND, Probe, alike, probes, vague

MINI = Mini(seed=11, size=4, conversations=None, sessions=None, limit_questions=None).read().conversations


@pytest.fixture(params=["mini", "locomo"])
def conversations(request: pytest.FixtureRequest) -> Sequence[Conversation]:
    if request.param == "mini":
        return MINI
    path: Path = request.getfixturevalue("shared_data") / "locomo7.json"
    return Locomo(str(path), conversations=None, sessions=None, limit_questions=None).read().conversations


def question(id_: str, text: str, gold: str | None, category: int = 4) -> Question:
    return Question(id_, text, gold, category, ())


def conversation(id_: str, *questions: Question) -> Conversation:
    turn = Turn("D1:1", "Ana", "Hi", datetime(2023, 5, 8), 1)
    return Conversation(id_, ("Ana", "Ben"), (turn,), questions)


def answers(found: Sequence[Probe], kind: str) -> dict[str, str]:
    return {probe.question.id: probe.answer for probe in found if probe.kind == kind}


def test_every_kind_has_as_many_probes_as_asked_for_on_the_same_questions(
    conversations: Sequence[Conversation],
) -> None:
    found = probes(conversations, 40)
    assert Counter(probe.kind for probe in found) == {"gold": 40, "swapped": 40, "vague": 40}
    kinds = [answers(found, kind) for kind in ("gold", "swapped", "vague")]
    assert list(kinds[0]) == list(kinds[1]) == list(kinds[2])


def test_gold_probes_are_right_and_no_other_is_nearly_so(conversations: Sequence[Conversation]) -> None:
    for probe in probes(conversations, 10**6):
        if probe.kind == "gold":
            assert probe.answer == probe.question.gold
        else:
            assert probe.answer.strip()
            assert not alike(probe.answer, probe.question), probe


def test_vague_answers_say_nothing_of_the_gold_answer(conversations: Sequence[Conversation]) -> None:
    of_the_form = content_stems(" ".join((VAGUE, *VAGUE_BY_KIND.values())))
    for probe in probes(conversations, 10**6):
        if probe.kind == "vague":
            assert not (content_stems(probe.answer) - of_the_form) & content_stems(probe.question.gold or ""), probe


def test_questions_are_spread_over_categories_and_conversations(conversations: Sequence[Conversation]) -> None:
    asked = [probe.question for probe in probes(conversations, 40) if probe.kind == "gold"]
    scored = [one for each in conversations for one in each.questions if one.category != 5]
    whole = Counter(one.category for one in scored)
    assert all(
        abs(count - 40 * whole[category] / len(scored)) <= 1
        for category, count in Counter(one.category for one in asked).items()
    )
    assert {one.id.partition("/")[0] for one in asked} == {one.id for one in conversations}
    assert len(set(asked)) == 40


def test_nearly_all_questions_can_be_probed(conversations: Sequence[Conversation]) -> None:
    scored = sum(question.category != 5 for one in conversations for question in one.questions)
    assert len(probes(conversations, 10**6)) / 3 >= 0.98 * scored


def test_the_same_questions_get_the_same_probes(conversations: Sequence[Conversation]) -> None:
    assert probes(conversations, 12) == probes(conversations, 12)


def test_a_swapped_answer_is_of_the_same_conversation_and_category_where_it_can_be() -> None:
    owners = {one.id: one for one in MINI}
    for probe in probes(MINI, 10**6):
        if probe.kind == "swapped":
            asked = probe.question
            own = [one for one in owners[asked.id.partition("/")[0]].questions if one.category == asked.category]
            wrong = {one.gold for one in own if one.gold and not alike(one.gold, asked)}
            anywhere = {one.gold for each in MINI for one in each.questions if one.category == asked.category}
            assert probe.answer in (wrong or anywhere)


def test_a_swapped_answer_comes_from_elsewhere_when_the_conversation_has_none() -> None:
    ana = conversation("a", question("a/q0", "Where does Ana live?", "Oslo"), question("a/q1", "Where?", "in Oslo"))
    ben = conversation("b", question("b/q0", "Where does Ben live?", "Rome"))
    assert answers(probes([ana, ben], 9), "swapped") == {"a/q0": "Rome", "a/q1": "Rome", "b/q0": "Oslo"}


def test_a_question_that_nothing_can_be_swapped_for_is_left_out() -> None:
    only = question("a/q0", "Where does Ana live?", "Oslo")
    others = question("a/q1", "Where?", "Rome", 3), question("a/q2", "Where?", "Rome", 5), question("a/q3", "W?", None)
    assert probes([conversation("a", only, *others)], 5) == []


@pytest.mark.parametrize("count", [0, 1, 2])
def test_no_more_than_asked_for(count: int) -> None:
    assert len(probes(MINI, count)) == 3 * count


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("Oslo", "in Oslo"),
        ("2 June 2023", "the week before 9 June 2023"),
        ("2023", "9 June 2023"),
        ("the summer of 2023", "9 June 2023"),
        ("the week after 28 March 2022", "9 April, 2022"),
        ("1 January 2023", "the weekend before 2 january 2023"),
        ("two", "2 dogs"),
        ("No", "Likely no, she moved"),
        ("No", "Not likely"),
        ("Yes", "Yes, since she likes it"),
        ("pottery, chess", "Chess, pottery and hiking"),
        ("adopted", "adopting"),
    ],
)
def test_answers_that_may_be_right_are_alike(gold: str, answer: str) -> None:
    assert alike(answer, question("q", "?", gold))


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("Oslo", "Rome"),
        ("Yes", "Likely no"),
        ("2 June 2023", "August 2023"),
        ("2 June 2022", "4 June 2023"),
        ("two", "three dogs"),
        ("Yes", "a dog"),
    ],
)
def test_other_answers_are_not_alike(gold: str, answer: str) -> None:
    assert not alike(answer, question("q", "?", gold))


@pytest.mark.parametrize(
    ("text", "gold", "answer"),
    [
        ("When did Ana sell her boat?", "2022", "Around that time, a while before they talked about Ana sell her boat"),
        ("What did Ana sell?", "her boat", "Something they brought up when they talked about Ana sell"),
        ("Would Ana sell her boat?", "Yes", "It depends on how one sees Ana sell her boat"),
        ("How many boats has Ana?", "2", "A few, as they said when they talked about boats Ana"),
        ("Did Ana like tea or coffee?", "tea", "Something they brought up when they talked about Ana like or coffee"),
        ("What is it?", "a boat", "Something they brought up when they talked about it"),
    ],
)
def test_a_vague_answer_repeats_the_question_and_answers_nothing(text: str, gold: str, answer: str) -> None:
    assert vague(question("q", text, gold)) == answer
