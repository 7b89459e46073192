import tomllib
from importlib.resources import files

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memlab.relations import canonical, lasting, may_conflict, opposed, single_valued, slot, synonyms

TABLE = tomllib.loads((files("memlab") / "relations.toml").read_text(encoding="utf-8"))
WORDS = (
    "is was be been being has had have do did does not didn't doesn't never no longer used to going got will can't the",
    "a live lived living left found married allergic born of by in at friend favourite color name named t didn stop",
    "quit quitting smoking currently still visit visits Visited works",
)
labels = st.lists(st.sampled_from(" ".join(WORDS).split()), min_size=1, max_size=6).map(" ".join)


@pytest.mark.parametrize(
    ("expected", "written"),
    {
        "lives_in": "lived in|Lives in|live in|livesIn|lives-in|lives.in|LIVES_IN|is living in|living in|has lived in|"
        "have been living in|was living in|currently lives in|has always lived in|  lives \n in ",
        "goes_to": "went to|goes to|is going to|has gone to|did go to",
        "is_allergic_to": "is allergic to|allergic to|was allergic to|am allergic to|isAllergicTo",
        "is_born_in": "was born in|born in",
        "not_likes": "didn't like|does not like|doesn’t like|doesnt like|didn_t_like|never liked|no longer likes",
        "not_lives_in": "no longer lives in|does not live in|is not living in|hasn't lived in|isn't living in",
        "not_is_married_to": "isn't married to|is no longer married to|was never married to",
        "used_to_live_in": "used to live in|Used To Live In",
        "is_happy_with": "has been happy with|is been happy with|happy with",
        "visits": "visited|has been visiting|has been to|visiting|had visited",
        "not_can_swim": "can't swim|cannot swim|can not swim",
        "will_visit": "will visit|is going to visit",
        "is_member_of": "is a member of|member of|was the member of",
        "is_adopted_by": "adopted by|was adopted by|has been adopted by",
        "travels_to": "traveled to|travelled to|travelling to",
        "plans_to_visit": "planned to visit|is planning to visit|plan to visit",
        "has_dog": "has a dog|had a dog|has got a dog|have dog",
        "has_pet": "hasPet|HASPet|has_pet",
        "favorite_color": "Favourite color|favorite_color",
        "studies": "studied|is studying|study",
        "quits_smoking": "quit smoking|has quit smoking|quitting smoking",
        "does_yoga": "does yoga|did yoga|is doing yoga",
        "is_a": "is a|isA",
        "name": "name|Name",
        "date_of_birth": "date of birth|dateOfBirth",
        "住在": "住在| 住在 ",
        "住_在": "住 在",
        "👍🏽": "👍🏽",
        "живёт_в": "Живёт в",
        "...": "...",
    }.items(),
)
def test_labels_of_one_meaning_have_one_form(expected: str, written: str) -> None:
    assert {label: canonical(label) for label in written.split("|")} == dict.fromkeys(written.split("|"), expected)


@pytest.mark.parametrize(
    "label", ["friend", "has sister", "starts_school", "is_in", "wants_to_learn", "ist Mitglied von"]
)
def test_a_label_in_the_present_only_changes_its_spelling(label: str) -> None:
    assert canonical(label) == label.casefold().replace(" ", "_")


@given(st.text() | labels)
@example("ﬁ-ﬁ")
@example("İ.ß'ŉ")
@example("has been having been to")
@example("\ud800 a")
@example("_")
@example("x" * 10_000)
@example("not " * 2_500)
def test_canonical_is_its_own_canonical_form_and_empty_for_white_space_only(label: str) -> None:
    once = canonical(label)
    assert canonical(once) == once
    assert bool(once) == bool(label.strip())
    assert not any(one.isspace() for one in once)


@given(labels)
def test_capitals_and_separators_change_nothing(label: str) -> None:
    assert canonical(label) == canonical(label.upper()) == canonical(label.replace(" ", "_")) == canonical(f" {label} ")


def test_all_labels_in_the_table_are_canonical_and_in_one_slot_only() -> None:
    of_slots = [label for one in TABLE["slots"].values() for label in one["labels"].split()]
    sides = [one[side] for kind in ("opposed", "ended") for one in TABLE[kind] for side in one]
    every = [*of_slots, *(label for side in sides for label in side.split())]
    assert len(every) > 200
    assert [label for label in every if canonical(label) != label] == []
    assert sorted(set(of_slots)) == sorted(of_slots)


@pytest.mark.parametrize("label", ["lives_in", "has_age", "is_married_to", "favorite_color", "has_favorite_book"])
def test_a_source_has_one_destination_at_a_time(label: str) -> None:
    assert single_valued(label)


@pytest.mark.parametrize(
    "label",
    ["likes", "works_at", "works_as", "is_from", "is_born_in", "has_favorite", "visits", "owns", "favorite_", "x"],
)
def test_a_source_may_have_several_destinations(label: str) -> None:
    assert not single_valued(label)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("likes", "dislikes"),
        ("dislikes", "loves"),
        ("visits", "not_visits"),
        ("not_visits", "visits"),
        ("not_lives_in", "resides_in"),
        ("not_likes", "enjoys"),
        ("sells", "owns"),
        ("stops_playing", "plays"),
        ("stops_working_at", "is_employed_by"),
        ("used_to_live_in", "moves_to"),
        ("divorces", "is_married_to"),
    ],
)
def test_opposed_labels_may_conflict(new: str, old: str) -> None:
    assert opposed(new, old)
    assert may_conflict(new, old)


@pytest.mark.parametrize(
    ("new", "old"), [("owns", "sells"), ("plays", "stops_playing"), ("lives_in", "used_to_live_in")]
)
def test_what_happened_is_not_denied_by_a_later_state(new: str, old: str) -> None:
    assert opposed(old, new)
    assert not opposed(new, old)


@pytest.mark.parametrize(
    ("new", "old"), [("likes", "loves"), ("likes", "owns"), ("lives_in", "is_from"), ("not_x", "not_y"), ("🙂", "住在")]
)
def test_other_labels_do_not_conflict(new: str, old: str) -> None:
    assert not opposed(new, old)
    assert not may_conflict(new, old)


def test_labels_of_one_slot_may_conflict_without_denying_each_other() -> None:
    assert synonyms("works_at", "is_employed_by")
    assert may_conflict("works_at", "is_employed_by")
    assert not opposed("works_at", "is_employed_by")


def test_each_favorite_is_a_slot_of_its_own() -> None:
    assert slot("favorite_color") == slot("has_favorite_color") != slot("favorite_book")


def test_a_state_is_told_from_what_happens_once() -> None:
    assert all(map(lasting, ("lives_in", "likes", "not_likes", "favorite_color")))
    assert not any(map(lasting, ("visits", "not_visits", "goes_to", "plays")))


@given(labels, labels)
def test_a_label_and_its_denial_are_opposed_both_ways(label: str, other: str) -> None:
    plain, denied = canonical(label), f"not_{canonical(label)}"
    if not plain.startswith("not_"):
        assert opposed(plain, denied)
        assert opposed(denied, plain)
    assert may_conflict(canonical(other), canonical(other))
