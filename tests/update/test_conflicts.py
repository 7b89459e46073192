from dataclasses import replace

import pytest

from memlab.memory import Fact, Hit, Memory, Noop, Revision
from memlab.testing import candidate
from memlab.testing.samples import START
from memlab.update.conflicts import exclude, rivals, same_again
from memlab.update.event_time import days
from tests.update.edges import edge, hits, said, triple

HOME = edge(said("lives_in", "Oslo", when="since May 2023"))


@pytest.mark.parametrize(
    ("relation", "object_", "when"),
    [
        ("lives_in", "Oslo", "since May 2023"),
        ("lived in", "  OSLO ", ""),
        ("resides_in", "the Oslo", ""),
        ("moved to", "Oslo.", "Since  may 2023"),
        ("livesIn", "Oslo", "May 2023 onwards"),
    ],
)
def test_the_same_in_other_words_credits_the_edge(relation: str, object_: str, when: str) -> None:
    new = said(relation, object_, day=2, when=when)
    assert same_again(new, hits(edge(said("likes", "Oslo"), "m7"), HOME)) == Noop("m0", new.sources)


@pytest.mark.parametrize(
    ("relation", "object_", "when"),
    [
        ("lives_in", "Rome", ""),
        ("lives_in", "Oslo Lake", ""),
        ("likes", "Oslo", ""),
        ("not_lives_in", "Oslo", ""),
        ("lives_in", "Oslo", "since 2019"),
    ],
)
def test_another_relation_object_or_time_is_not_the_same(relation: str, object_: str, when: str) -> None:
    assert same_again(said(relation, object_, day=2, when=when), hits(HOME)) is None


def test_a_time_where_none_was_told_is_more_than_was_known() -> None:
    known = edge(said("visits", "Rome"))
    assert same_again(said("visited", "Rome", day=2, when="2019"), hits(known)) is None
    assert same_again(said("visited", "Rome", day=2), hits(edge(said("visits", "Rome", when="2019")))) is not None


def test_what_an_edge_said_before_is_known_from_the_same_turns_only() -> None:
    old = said("lives_in", "Oslo")
    changed = replace(HOME, content=triple("lives_in", "Rome"), history=(Revision(old.content, old.sources, START),))
    assert same_again(old, hits(changed)) == Noop("m0", old.sources)
    assert same_again(said("lives_in", "Oslo", day=3), hits(changed)) is None


def test_from_the_same_turn_a_shorter_object_is_still_another_one() -> None:
    assert same_again(said("likes", "art"), hits(edge(said("likes", "art history")))) is None


def test_of_a_fact_the_same_words_of_the_same_speaker_are_known() -> None:
    known = Memory("m0", Fact("Ada lives in Oslo."), "Ada", ("D1:1",), START, START, START)
    said_again = candidate("ada lives  in Oslo", source="D2:1")
    assert same_again(said_again, hits(known)) == Noop("m0", ("D2:1",))
    assert same_again(replace(said_again, speaker="Ben"), hits(known)) is None
    assert same_again(said("lives_in", "Oslo"), hits(known)) is None


def test_rivals_are_the_edges_of_the_same_exclusive_or_opposed_relation_closest_first() -> None:
    labels = ("moved to", "likes", "resides_in", "not_lives_in", "is_from", "visits")
    edges = [edge(said(label, "Oslo"), f"m{place}") for place, label in enumerate(labels)]
    found = rivals(said("lives_in", "Rome", day=2), hits(*edges))
    assert [memory.id for memory in found] == ["m0", "m2", "m3"]


def test_facts_have_no_rivals_and_are_none() -> None:
    fact = Memory("m1", Fact("Ada lives in Oslo."), "Ada", ("D1:1",), START, START, START)
    assert rivals(candidate("Ada lives in Rome."), hits(HOME)) == []
    assert rivals(said("lives_in", "Rome"), (Hit(fact, 0.99), Hit(HOME, 0.5))) == [HOME]


@pytest.mark.parametrize(
    ("new", "old", "excluded"),
    [
        (triple("lives_in", "Oslo"), triple("moves_to", "Rome"), True),
        (triple("lives_in", "Oslo"), triple("lives_in", "the north"), False),
        (triple("lives_in", "奥斯陆"), triple("lives_in", "罗马"), True),
        (triple("has_age", "thirty"), triple("has_age", "forty"), True),
        (triple("likes", "tea"), triple("hates", "tea", when="2019"), True),
        (triple("sees", "Ben"), triple("not_sees", "Ben"), True),
        (triple("sees", "Ben", when="2019"), triple("not_sees", "Ben"), False),
        (triple("sees", "Ben"), triple("not_sees", "Tom"), False),
        (triple("owns", "car"), triple("sells", "car", when="7 May 2023"), True),
        (triple("plays", "chess"), triple("stops_playing", "chess", when="7 May 2023"), True),
        (triple("lives_in", "Oslo"), triple("not_lives_in", "Oslo", when="May 2023"), True),
    ],
)
def test_two_triples_exclude_each_other_only_where_the_tables_say_so(new: object, old: object, excluded: bool) -> None:
    assert exclude(new, old) == exclude(old, new) == excluded  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("when", "first", "last"),
    [
        ("7 May 2023", "2023-05-07", "2023-05-07"),
        ("on May 7th, 2023", "2023-05-07", "2023-05-07"),
        ("2023-05-07", "2023-05-07", "2023-05-07"),
        ("February 2024", "2024-02-01", "2024-02-29"),
        ("the summer of 2019", "2019-01-01", "2019-12-31"),
        ("since 2016", "2016-01-01", "9999-12-31"),
        ("until June 2020", "0001-01-01", "2020-06-30"),
        ("from 3 May 2023 to 5 May 2023", "2023-05-03", "9999-12-31"),
        ("between 3 May 2023 and 5 May 2023", "2023-05-03", "2023-05-05"),
        ("the week before 9 June 2023", "2023-05-26", "2023-06-08"),
        ("the Friday before 9 June 2023", "2023-05-26", "2023-06-08"),
        ("two years before 9 June 2023", "2020-06-09", "2022-06-08"),
        ("a few years before 9 June 2023", "0001-01-01", "2022-06-08"),
    ],
)
def test_days_of_a_time_in_words(when: str, first: str, last: str) -> None:
    found = days(when)
    assert found is not None
    assert (found[0].isoformat(), found[1].isoformat()) == (first, last)


@pytest.mark.parametrize("when", ["", "yesterday", "in the 1990s", "31 June 2023", "12023", "5 pm", "９９９９", "May"])
def test_words_without_a_date_have_no_days(when: str) -> None:
    assert days(when) is None


def test_a_count_beyond_all_calendars_leaves_the_first_day_open() -> None:
    assert days("9999 years before 9 June 2023") is not None
