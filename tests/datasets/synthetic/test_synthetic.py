"""Synthetic conversations: repeatable, of any size, in the form of a dialogue, and cut as other datasets are."""

import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from memlab.datasets.dataset import DatasetError
from memlab.dialogue import CATEGORIES
from memlab.gold import truth
from tests.datasets.synthetic.plans import SETTINGS, synthetic


def test_content_does_not_depend_on_hash_randomisation() -> None:
    code = f"from memlab.datasets.synthetic import Synthetic; print(Synthetic(**{SETTINGS!r}).read().sha256)"
    printed = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        for seed in ("1", "2")
    ]
    assert {run.stdout.strip() for run in printed} == {synthetic().read().sha256}


def test_first_conversations_are_the_same_for_every_number_of_them() -> None:
    few, many = synthetic(messages=600).read(), synthetic(messages=1530).read()
    assert many.conversations[:2] == few.conversations
    assert [len(one.turns) for one in many.conversations] == [300, 300, 300, 300, 300, 30]
    assert many.sha256 != few.sha256


def test_another_seed_or_split_gives_other_conversations() -> None:
    found = [synthetic(seed=seed, split=split).read() for seed in (1, 2) for split in ("test", "train")]
    assert len({one.sha256 for one in found}) == 4
    assert len({one.conversations[0].speakers for one in found}) == 4


@pytest.mark.parametrize("messages", [10, 11, 23, 307, 1000])
def test_there_are_as_many_messages_as_were_asked_for(messages: int) -> None:
    corpus = synthetic(messages=messages, split="validation").read()
    assert sum(len(one.turns) for one in corpus.conversations) == messages


@pytest.mark.parametrize("per", [300, 10_000])
def test_ten_thousand_messages_take_seconds(per: int) -> None:
    started = time.perf_counter()
    corpus = synthetic(messages=10_000, messages_per_conversation=per, seed=77).read()
    assert sum(len(one.turns) for one in corpus.conversations) == 10_000
    assert time.perf_counter() - started < 6


def test_turns_are_those_of_a_dialogue() -> None:
    for one in synthetic(messages=1200).read().conversations:
        times = [turn.said_at for turn in one.turns]
        assert times == sorted(times)
        sessions = Counter(turn.session for turn in one.turns)
        assert list(sessions) == list(range(1, len(sessions) + 1))
        assert all(10 <= count <= 39 for count in sessions.values())
        for session, count in sessions.items():
            turns = [turn for turn in one.turns if turn.session == session]
            assert [turn.id for turn in turns] == [f"D{session}:{n + 1}" for n in range(count)]
            assert len({turn.said_at for turn in turns}) == 1
            assert all(first.speaker != second.speaker for first, second in pairwise(turns))
            assert {turn.speaker for turn in turns} == set(one.speakers)
        assert not any("{" in turn.text or "  " in turn.text for turn in one.turns)


def test_questions_are_mixed_and_tell_by_their_ids_what_they_are_after() -> None:
    corpus = synthetic(messages=3000).read()
    asked = [question for one in corpus.conversations for question in one.questions]
    counts = Counter(question.category for question in asked)
    assert set(counts) == set(CATEGORIES)
    assert len(asked) == pytest.approx(3000 / 8, rel=0.05)
    for category, share in {1: 0.15, 2: 0.2, 3: 0.05, 4: 0.45, 5: 0.15}.items():
        assert counts[category] / len(asked) == pytest.approx(share, abs=0.05)
    assert {"now", "before", "when", "list", "infer", "unknown", "value"} <= {q.id.rpartition(":")[2] for q in asked}
    for one in corpus.conversations:
        texts = [question.text for question in one.questions]
        assert len(set(texts)) == len(texts)


def test_conversations_are_chosen_by_id_and_unchanged() -> None:
    whole, part = synthetic().read(), synthetic(conversations=["synthetic-2"]).read()
    assert part.conversations == whole.conversations[1:]
    assert part.sha256 == whole.sha256


def test_first_sessions_have_gold_and_questions_of_their_own_time() -> None:
    whole, part = (synthetic(sessions=sessions).read().conversations[0] for sessions in (None, 4))
    assert part.turns == tuple(turn for turn in whole.turns if turn.session <= 4)
    said = {turn.id for turn in part.turns}
    assert part.gold == tuple(one for one in whole.gold if one.turn in said)
    assert part.questions
    assert all(said.issuperset(question.evidence) for question in part.questions)
    keys = {one.key for one in part.gold if one.id in truth(part.gold)}
    assert all((q.gold,) in keys for q in part.questions if q.category == 4)


def test_question_limit_is_spread_over_conversations() -> None:
    few = synthetic(limit_questions=10).read()
    assert [len(one.questions) for one in few.conversations] == [5, 5]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"split": "tset"}, r"split=tset is none of train, validation, test; did you mean 'test'\?"),
        ({"messages": 9}, "messages=9: expected 10 to 100,000"),
        ({"messages_per_conversation": 0}, "messages_per_conversation=0: expected 10 to 100,000"),
        ({"chat": 0.9}, r"chat=0.9: expected a share from 0 to 0.8"),
        ({"operations": {"ADD": 1, "DELTE": 1}}, r"operations.DELTE is none of .*; did you mean 'DELETE'\?"),
        ({"operations": {"ADD": 1, "NOOP": -0.1}}, r"operations.NOOP=-0.1: expected a share of 0 or more"),
        ({"operations": {"ADD": float("nan")}}, r"operations.ADD=nan: expected a share of 0 or more"),
        ({"operations": {"NOOP": 1}}, r"operations.ADD=0: expected more than 0"),
        (
            {"operations": {"ADD": 0.1, "DELETE": 0.9}},
            r"operations.DELETE=0.9 with ADD=0.1: expected no more than ADD",
        ),
        ({"conversations": ["synthetic-3"]}, r"no conversation 'synthetic-3'.*known: synthetic-1, synthetic-2\)"),
        ({"sessions": 0}, "sessions=0: expected 1 or more"),
    ],
)
def test_bad_setting_is_refused_with_its_remedy(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        synthetic(**settings)
