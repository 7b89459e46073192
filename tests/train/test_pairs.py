from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from memlab.train.pairs import LabelledPair, counts, held_out, thinned
from memlab.update.relation import RELATIONS

PAIRS = st.lists(
    st.builds(
        LabelledPair, st.text(max_size=3), st.text(max_size=3), st.sampled_from(RELATIONS), st.sampled_from("abcdef")
    )
)


@given(PAIRS, st.integers(0, 3), st.integers(0, 3))
def test_no_group_is_torn_apart_and_no_pair_is_lost(pairs: list[LabelledPair], validation: int, test: int) -> None:
    parts = held_out(pairs, validation=validation, test=test)
    groups = [{pair.group for pair in own} for own in (parts.train, parts.validation, parts.test)]
    assert sum(map(len, groups)) == len(set().union(*groups))
    assert len(groups[1]) <= validation
    assert len(groups[2]) <= test
    assert Counter((*parts.train, *parts.validation, *parts.test)) == Counter(pairs)


@given(PAIRS, st.floats(0.5, 3.0), st.text(max_size=2))
def test_only_unrelated_pairs_are_thinned_out(pairs: list[LabelledPair], unrelated: float, seed: str) -> None:
    kept = thinned(pairs, unrelated=unrelated, seed=seed)
    had, has = counts(pairs), counts(kept)
    assert {name: had[name] for name in RELATIONS[1:]} == {name: has[name] for name in RELATIONS[1:]}
    assert has["unrelated"] == min(had["unrelated"], round(unrelated * (len(pairs) - had["unrelated"])))
    assert kept == thinned(pairs, unrelated=unrelated, seed=seed)


def test_another_seed_draws_others() -> None:
    pairs = [LabelledPair(str(n), "b", "unrelated" if n % 4 else "augments", "g") for n in range(200)]
    assert thinned(pairs, unrelated=1.0, seed="0") != thinned(pairs, unrelated=1.0, seed="1")
