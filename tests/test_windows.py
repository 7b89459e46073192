from datetime import datetime

import pytest

from memlab.dialogue import Conversation, Turn
from memlab.windows import windows


def talk(*sessions: int) -> Conversation:
    turns = tuple(
        Turn(f"D{s}:{n}", "AB"[n % 2], f"{s}.{n}", datetime(2023, 5, s), session=s)
        for s, length in enumerate(sessions, start=1)
        for n in range(1, length + 1)
    )
    return Conversation("c", ("A", "B"), turns, ())


def ids(window_turns: tuple[Turn, ...]) -> list[str]:
    return [turn.id for turn in window_turns]


def test_pairs_do_not_span_sessions_and_an_odd_session_leaves_one() -> None:
    assert [ids(window.new) for window in windows(talk(3, 2), size=2, m=0)] == [
        ["D1:1", "D1:2"],
        ["D1:3"],
        ["D2:1", "D2:2"],
    ]


def test_recent_are_the_m_turns_before_also_of_the_session_before() -> None:
    last = windows(talk(3, 2), size=2, m=2)[-1]
    assert ids(last.recent) == ["D1:2", "D1:3"]


@pytest.mark.parametrize("m", [0, 1, 10])
def test_m_bounds_the_recent_turns(m: int) -> None:
    for window in windows(talk(4, 4), size=2, m=m):
        assert len(window.recent) <= m
        assert not set(ids(window.recent)) & set(ids(window.new))


def test_without_a_size_the_conversation_is_one_window() -> None:
    [window] = windows(talk(3, 2), size=None, m=10)
    assert len(window.new) == 5
    assert window.recent == ()
