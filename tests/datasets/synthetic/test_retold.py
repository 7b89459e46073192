"""Dates that are told again: the same day, month or year as before, in today's words, never more exact."""

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.datasets.generated.dates import when
from memlab.datasets.generated.dice import Dice
from memlab.datasets.synthetic.move import Move, dated
from memlab.datasets.synthetic.retold import Span, span, when_again
from memlab.datasets.synthetic.word_rules import SPLITS
from memlab.gold import Statement
from tests.datasets.synthetic.plans import told


@pytest.mark.parametrize(
    ("gold", "first", "last"),
    [
        ("6 May 2023", date(2023, 5, 6), date(2023, 5, 6)),
        ("February 2024", date(2024, 2, 1), date(2024, 2, 29)),
        ("2022", date(2022, 1, 1), date(2022, 12, 31)),
        ("the weekend before 9 June 2023", date(2023, 6, 3), date(2023, 6, 4)),
        ("the week before 9 June 2023", date(2023, 5, 29), date(2023, 6, 4)),
        ("the week after 9 June 2023", date(2023, 6, 12), date(2023, 6, 18)),
    ],
)
def test_a_date_means_these_days(gold: str, first: date, last: date) -> None:
    assert span(gold) == Span(first, last)


DAYS = st.dates(date(2022, 1, 1), date(2024, 12, 31))


@given(DAYS, st.integers(-330, 170), st.integers(0, 500), st.integers(0, 999))
def test_a_date_told_again_is_right_and_never_more_exact(told_on: date, ahead: int, later: int, seed: int) -> None:
    dice, event, today = Dice(seed), told_on + timedelta(days=ahead), told_on + timedelta(days=later)
    before = when(event, told_on, dice)
    assert span(before.gold).covers(Span(event, event))
    again = when_again(event, before.gold, today, dice)
    known = span(before.gold)
    if again is None:
        assert known.first.year < known.last.year
    else:
        assert span(again.gold).covers(known)


def test_what_was_told_vaguely_stays_vague_when_the_day_is_near() -> None:
    event = date(2023, 5, 18)
    found = {when_again(event, "May 2023", date(2023, 5, 16), Dice(seed)) for seed in range(30)}
    assert {(one.said, one.gold) for one in found if one} == {("this month", "May 2023")}
    found = {when_again(event, "18 May 2023", date(2023, 5, 20), Dice(seed)) for seed in range(30)}
    assert {("two days ago", "18 May 2023"), ("this month", "May 2023")} <= {(o.said, o.gold) for o in found if o}


def test_repetitions_of_what_has_a_date_come_with_and_without_it() -> None:
    counts: Counter[tuple[bool, bool]] = Counter()
    for one, moves in (conversation for split in SPLITS for conversation in told(split, 900, 5)):
        turns = {turn.id: turn for turn in one.turns}
        first: dict[str, tuple[Statement, Move]] = {}
        for said, move in zip(one.gold, moves, strict=True):
            if move.operation == "ADD":
                first[said.id] = said, move
            elif move.operation == "NOOP" and move.instance.words.kind.dated and move.form in ("new", "repeat"):
                third = bool(move.instance.subject.relation)
                counts[third, move.when is not None] += 1
                assert ("when" in move.fact.fields) == ("when" in move.said.fields) == (move.when is not None)
                if move.when is None:
                    continue
                told_first, told_as = first[said.target or ""]
                assert said.says == (told_first.id,)
                assert move.fact is not told_as.fact
                assert move.when.said.casefold() in turns[said.turn].text.casefold()
                assert dated(move.when.gold).casefold() in said.text.casefold()
                assert told_as.when is not None
                assert span(move.when.gold).covers(span(told_as.when.gold))
    assert counts[True, True] > 10
    assert not counts[True, False]
    assert 0.3 < counts[False, True] / (counts[False, True] + counts[False, False]) < 0.5, counts
