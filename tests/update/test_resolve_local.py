from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.memory import Add, Candidate, Delete, Noop, Triple
from memlab.relations import canonical, may_conflict, single_valued
from memlab.testing import candidate, check_updater
from memlab.testing.samples import memories
from memlab.update.conflicts import plain
from memlab.update.resolve_local import ResolveLocal
from memlab.update.updater import Proposal
from tests.update.edges import Edges, edge, hits, one_more, said, told

RESOLVE = ResolveLocal(equivalent=None)
LABELS = (
    "lives_in",
    "moves_to",
    "likes",
    "dislikes",
    "has_age",
    "visits",
    "owns",
    "sells",
    "works_at",
    "is_married_to",
)
DENIALS = ("not_lives_in", "not_likes", "used_to_live_in", "stops_playing", "plays", "not_visits")
TIMES = ("", "", "2019", "7 May 2023", "the week before 9 June 2023", "since 2020", "in 2031")


async def lives(*candidates: Candidate) -> list[str]:
    return (await told(RESOLVE, candidates)).live()


async def test_it_keeps_the_contract_of_updaters() -> None:
    await check_updater(RESOLVE)


@pytest.mark.parametrize("equivalent", [0.0, -1.0, 1.01])
def test_a_threshold_that_is_no_cosine_is_refused(equivalent: float) -> None:
    with pytest.raises(ValueError, match=f"equivalent={equivalent}"):
        ResolveLocal(equivalent=equivalent)


async def test_after_a_move_both_homes_keep_their_intervals() -> None:
    first, second = said("lives_in", "Oslo", day=1), said("moves_to", "Rome", day=8)
    edges = await told(RESOLVE, [first, second])
    assert edges.intervals() == [
        ("Ada lives in Oslo", first.said_at, second.said_at),
        ("Ada moves to Rome", second.said_at, None),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("likes", "jazz"), ("hates", "jazz")),
        (("hates", "jazz"), ("loves", "the jazz")),
        (("likes", "jazz"), ("doesn't like", "Jazz")),
        (("visits", "Rome"), ("never visited", "Rome")),
        (("not_likes", "jazz"), ("likes", "jazz")),
        (("owns", "car"), ("sold", "car")),
        (("lives_in", "Oslo"), ("no longer lives in", "Oslo")),
        (("moves_to", "Oslo"), ("used to live in", "Oslo")),
        (("lives_in", "Oslo"), ("moved away from", "Oslo")),
        (("plays", "guitar"), ("stopped playing", "guitar")),
        (("smokes", "pipe"), ("quit", "pipe")),
        (("is_married_to", "Ben"), ("divorced", "Ben")),
        (("works_at", "Acme"), ("was fired from", "Acme")),
        (("has_age", "30"), ("turned age", "31")),
        (("favorite_color", "red"), ("has favourite color", "blue")),
    ],
)
async def test_what_the_new_edge_denies_ends(old: tuple[str, str], new: tuple[str, str]) -> None:
    new_one = said(*new, day=2)
    (decision,) = await RESOLVE.decide([Proposal(new_one, hits(edge(said(*old))))])
    assert decision.operations == (Delete("m0", new_one.said_at), Add(new_one))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("likes", "jazz"), ("likes", "rock")),
        (("likes", "jazz"), ("hates", "rock")),
        (("sells", "car"), ("owns", "car")),
        (("used_to_live_in", "Oslo"), ("lives_in", "Oslo")),
        (("lives_in", "Oslo"), ("visits", "Rome")),
        (("lives_in", "Oslo"), ("is_from", "Rome")),
        (("lives_in", "Oslo"), ("used_to_live_in", "Rome")),
        (("lives_in", "Oslo"), ("moves_to", "a bigger flat")),
        (("lives_in", "Oslo"), ("lives_in", "Oslo, Norway")),
        (("lives_in", "Oslo, Norway"), ("resides_in", "Norway")),
        (("works_at", "Acme"), ("works_at", "Globex")),
        (("works_as", "nurse"), ("works_as", "teacher")),
        (("has_age", "30"), ("has_age", "30 years old")),
        (("favorite_color", "red"), ("favorite_book", "Emma")),
        (("speaks", "French"), ("speaks", "Italian")),
        (("🙂", "jazz"), ("🙁", "jazz")),
    ],
)
async def test_what_can_hold_beside_the_new_edge_stays(old: tuple[str, str], new: tuple[str, str]) -> None:
    new_one = said(*new, day=2)
    (decision,) = await RESOLVE.decide([Proposal(new_one, hits(edge(said(*old))))])
    assert decision.operations == (Add(new_one),)


async def test_all_live_rivals_of_a_slot_end() -> None:
    homes = [
        edge(said("lives_in", "Oslo"), "m0"),
        edge(said("moves_to", "Bergen"), "m1"),
        edge(said("likes", "tea"), "m2"),
    ]
    new = said("lives_in", "Rome", day=3)
    (decision,) = await RESOLVE.decide([Proposal(new, hits(*homes))])
    assert decision.operations == (Delete("m0", new.said_at), Delete("m1", new.said_at), Add(new))


async def test_an_old_move_told_late_does_not_end_the_newer_home() -> None:
    rome, oslo = said("lives_in", "Rome", day=1), said("moved to", "Oslo", day=2, when="2019")
    assert await lives(rome, oslo) == ["Ada lives in Rome", "Ada moved to Oslo (2019)"]


async def test_a_move_of_a_while_ago_ends_a_still_older_one() -> None:
    oslo, rome = said("moved to", "Oslo", day=1, when="2016"), said("moved to", "Rome", day=2, when="May 2019")
    assert await lives(oslo, rome) == ["Ada moved to Rome (May 2019)"]


async def test_a_move_of_last_week_ends_the_home_of_before() -> None:
    old, new = said("lives_in", "Oslo", day=1), said("moved to", "Rome", day=20, when="the week before 28 May 2023")
    assert await lives(old, new) == ["Ada moved to Rome (the week before 28 May 2023)"]


async def test_a_home_since_long_is_not_ended_by_a_move_before_it_was_told() -> None:
    old, new = said("lives_in", "Oslo", day=1, when="since 2016"), said("moved to", "Rome", day=2, when="2018")
    assert len(await lives(old, new)) == 2


async def test_a_home_of_an_unknown_time_counts_from_when_it_was_told() -> None:
    old = said("lives_in", "Oslo", day=1, when="a few years before 9 June 2023")
    assert len(await lives(old, said("moved to", "Rome", day=2, when="2018"))) == 2


async def test_a_move_to_come_ends_nothing_until_it_is_told_as_done() -> None:
    old, plan = said("lives_in", "Oslo", day=1), said("is moving to", "Rome", day=2, when="July 2023")
    assert len(await lives(old, plan)) == 2
    assert await lives(old, plan, said("lives in", "Rome", day=90)) == ["Ada is moving to Rome (July 2023)"]


async def test_what_is_done_at_some_time_denies_no_other_time() -> None:
    assert len(await lives(said("does", "dance", day=1), said("does not do", "dance", day=9))) == 2


async def test_what_was_not_done_once_denies_neither_another_day_nor_the_habit() -> None:
    habit, once = said("goes to", "gym", day=1), said("went to", "gym", day=2, when="9 May 2023")
    not_once = said("didn't go to", "gym", day=3, when="10 May 2023")
    assert len(await lives(habit, once, not_once)) == 3


async def test_a_speaker_may_change_her_mind_within_one_session() -> None:
    assert await lives(said("likes", "tea", turn=1), said("hates", "tea", turn=5)) == ["Ada hates tea"]


async def test_one_message_does_not_contradict_itself() -> None:
    assert len(await lives(said("lives_in", "Oslo"), said("lives_in", "Rome"))) == 2


async def test_the_same_again_credits_the_turn_and_adds_nothing() -> None:
    edges = await told(RESOLVE, [said("lives_in", "Oslo", day=1), said("Resided in", "oslo", day=2)])
    (only,) = edges.ledger.memories(retired=True)
    assert only.sources == ("D1:1", "D2:1")


async def test_what_was_said_earlier_than_its_rival_is_counted_and_ends_nothing() -> None:
    edges = await told(RESOLVE, [said("lives_in", "Oslo", day=5)])
    late = await one_more(RESOLVE, said("lives_in", "Rome", day=1), edges)
    assert late.operations == (Noop(None, ("D1:1",)),)
    assert [flaw.split(":")[0] for flaw in late.flaws] == ["out_of_order"]
    assert edges.live() == ["Ada lives in Oslo"]


async def test_what_is_known_is_credited_although_something_later_excludes_it() -> None:
    edges = await told(RESOLVE, [said("lives_in", "Oslo", day=5), said("moved to", "Rome", day=6, when="2019")])
    again = await one_more(RESOLVE, said("lives_in", "Oslo", day=5, turn=2), edges)
    assert again.operations == (Noop("m0", ("D5:2",)),)


async def test_turns_are_in_order_of_their_numbers_not_of_their_letters() -> None:
    assert await lives(said("likes", "tea", turn=9), said("hates", "tea", turn=10)) == ["Ada hates tea"]


async def test_a_close_wording_is_the_same_again_from_the_threshold_on() -> None:
    old, new = edge(said("adopts", "a puppy named Pixel")), said("adopted", "the puppy Pixel", day=2)
    for threshold, expected in ((0.9, Noop("m0", new.sources)), (0.91, Add(new)), (None, Add(new))):
        (decision,) = await ResolveLocal(equivalent=threshold).decide([Proposal(new, hits(old))])
        assert decision.operations == (expected,)


async def test_a_known_fact_is_a_noop_and_a_new_one_is_added() -> None:
    known, new = (
        candidate("ada: hi Ben! I moved to Oslo last week with my dog Pixel.", source="D9:1"),
        candidate("New."),
    )
    decisions = await RESOLVE.decide([Proposal(one, hits(*memories())) for one in (known, new)])
    assert [one.operations for one in decisions] == [(Noop("m0", ("D9:1",)),), (Add(new),)]


@st.composite
def stories(draw: st.DrawFn, labels: Sequence[str], times: Sequence[str] = TIMES) -> list[Candidate]:
    """Triples of a small world in the order they were said, some in one session, each in a turn of its own."""
    count = draw(st.integers(1, 12))
    day, told_so_far = 1, []
    for turn in range(1, count + 1):
        day += draw(st.integers(0, 2))
        one = said(
            draw(st.sampled_from(labels)),
            draw(st.sampled_from(("Oslo", "Rome", "the Rome", "30"))),
            subject=draw(st.sampled_from(("Ada", "Ben"))),
            day=day,
            turn=turn,
            when=draw(st.sampled_from(times)),
        )
        told_so_far.append(one)
    return told_so_far


@given(stories((*LABELS, *DENIALS)))
async def test_an_edge_ends_only_by_a_later_one_of_its_source_that_may_conflict(story: list[Candidate]) -> None:
    edges = Edges()
    for new in story:
        before = {one.id for one in edges.ledger.memories()}
        await one_more(RESOLVE, new, edges)
        assert isinstance(new.content, Triple)
        for one in edges.ledger.memories(retired=True):
            if one.id in before and one.retired_at is not None:
                old = edges.triple(one)
                assert one.retired_at == new.said_at >= one.valid_from
                assert old.subject == new.content.subject
                assert may_conflict(canonical(new.content.relation), canonical(old.relation))
                assert single_valued(old.relation) or plain(old.object.name) == plain(new.content.object.name)


@given(stories((*LABELS, *DENIALS)))
async def test_nothing_that_was_told_in_order_is_lost(story: list[Candidate]) -> None:
    edges = await told(RESOLVE, story)
    sources = {source for one in edges.ledger.memories(retired=True) for source in one.sources}
    assert sources == {source for one in story for source in one.sources}


@given(stories((*LABELS, *DENIALS)))
async def test_each_edge_told_twice_in_a_row_leaves_the_state_as_it_was(story: list[Candidate]) -> None:
    once = await told(RESOLVE, story)
    twice = await told(RESOLVE, [one for one in story for _ in range(2)])
    assert twice.intervals() == once.intervals()
    assert [one.sources for one in twice.ledger.memories()] == [one.sources for one in once.ledger.memories()]


@given(stories(("lives_in", "moves_to", "likes", "dislikes", "has_age", "visits", "works_at"), times=[""]))
async def test_a_whole_story_of_states_told_twice_leaves_the_state_as_it_was(story: list[Candidate]) -> None:
    edges = await told(RESOLVE, story)
    before = edges.intervals()
    await told(RESOLVE, story, edges)
    assert edges.intervals() == before


@given(st.lists(st.sampled_from(("Oslo", "Rome", "Bergen")), min_size=1, max_size=9))
async def test_of_homes_told_one_after_another_the_last_one_is_left(homes: list[str]) -> None:
    assert await lives(*(said("lives_in", home, day=day) for day, home in enumerate(homes))) == [
        f"Ada lives in {homes[-1]}"
    ]
