"""Search of more rows than are searched exactly."""

from copy import deepcopy
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.embed.embedder import Vectors
from memlab.store.vectors import VectorIndex
from tests.store.test_vectors import brute_force, unit

DIMENSION = 32
ROWS = 6000
PROPOSED = 1000


@cache
def rows_at_first() -> Vectors:
    return unit(ROWS, DIMENSION)


@cache
def index_at_first() -> VectorIndex:
    return filled(rows_at_first(), exact_up_to=100)


def filled(rows: Vectors, *, exact_up_to: int | None) -> VectorIndex:
    index = VectorIndex(rows.shape[1], exact_up_to=exact_up_to)
    for id_, row in enumerate(rows):
        index.put(id_, row)
    return index


def near(vector: Vectors, n: int, seed: int) -> Vectors:
    drawn = vector + 0.5 * unit(n, len(vector), seed)
    rows: Vectors = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    return rows


def naive(rows: dict[int, Vectors], query: Vectors, k: int) -> list[int]:
    unlike = {id_: int(((row > 0) != (query > 0)).sum()) for id_, row in rows.items()}
    last = sorted(unlike.values())[PROPOSED - 1]
    return brute_force({id_: row for id_, row in rows.items() if unlike[id_] < last}, query, k)


@settings(max_examples=15, deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["put", "replace", "remove"]), st.integers(0, ROWS - 1), st.integers(0, 11)),
        min_size=1,
        max_size=40,
    ),
    k=st.integers(1, 50),
)
def test_any_sequence_of_changes_leaves_what_a_plain_search_over_the_signs_finds(
    steps: list[tuple[str, int, int]], k: int
) -> None:
    [query] = unit(1, DIMENSION, seed=1)
    fresh = near(query, 12, seed=2)
    index, rows = deepcopy(index_at_first()), dict(enumerate(rows_at_first()))
    for action, which, vector in steps:
        if action == "remove":
            # Of the closest, where it shows, every other time.
            id_ = brute_force(rows, query, which % 20 + 1)[-1] if which % 2 else sorted(rows)[which % len(rows)]
            index.remove(id_)
            del rows[id_]
        else:
            id_ = ROWS + which if action == "put" else sorted(rows)[which % len(rows)]
            index.put(id_, fresh[vector])
            rows[id_] = fresh[vector]
    assert index.search(query[None], k)[1][0].tolist() == naive(rows, query, k)


def test_how_the_rows_came_there_does_not_show() -> None:
    rows, queries = rows_at_first(), unit(40, DIMENSION, seed=1)
    devious = VectorIndex(DIMENSION, exact_up_to=100)
    for id_ in reversed(range(ROWS + 500)):
        devious.put(id_, rows[id_ % 7])
    for id_ in range(ROWS, ROWS + 500):
        devious.remove(id_)
    for id_ in np.random.default_rng(3).permutation(ROWS).tolist():
        devious.put(id_, rows[id_])
    for ours, theirs in zip(index_at_first().search(queries, 50), devious.search(queries, 50), strict=True):
        assert ours.tobytes() == theirs.tobytes()


def test_a_batch_gives_to_the_last_bit_what_single_searches_give() -> None:
    index, queries = index_at_first(), unit(40, DIMENSION, seed=1)
    scores, ids = index.search(queries, 10)
    for row in range(40):
        alone = index.search(queries[row : row + 1], 10)
        assert alone[0].tobytes() == scores[row : row + 1].tobytes()
        assert alone[1].tobytes() == ids[row : row + 1].tobytes()


def test_a_hit_has_the_score_that_it_has_alone_and_in_an_exact_search() -> None:
    index, exact, queries = index_at_first(), filled(rows_at_first(), exact_up_to=None), unit(5, DIMENSION, seed=1)
    scores, ids = index.search(queries, 10)
    for query, hits, found in zip(queries, ids, scores, strict=True):
        assert index.scores(query, hits).tobytes() == found.tobytes() == exact.scores(query, hits).tobytes()


@pytest.mark.parametrize("copies", [300, 3000])
def test_of_equal_vectors_the_older_come_first_however_many_there_are(copies: int) -> None:
    twins = unit(2, DIMENSION, seed=4)
    index = deepcopy(index_at_first())
    for id_ in reversed(range(ROWS, ROWS + 2 * copies)):
        index.put(id_, twins[id_ % 2])
    scores, ids = index.search(twins, 5)
    assert (scores == 1.0).all()
    assert ids.tolist() == [[ROWS + twin + 2 * i for i in range(5)] for twin in range(2)]


def rows_with_a_hidden_best() -> tuple[Vectors, Vectors]:
    """Return a query and rows of which the first is closest, by one component, though it shares no other sign."""
    query = np.array([0.9, *[0.1] * (DIMENSION - 1)])
    best = np.array([0.95, *[-0.05] * (DIMENSION - 1)])
    others = np.abs(unit(PROPOSED + 500, DIMENSION, seed=5))
    others[:, 0] = 0.01
    others[::2, 1:8] *= -1  # rows that share fewer signs than the others tie with the last of the pool
    rows = np.concatenate([best[None], others])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return (query / np.linalg.norm(query)).astype(np.float32), rows.astype(np.float32)


@pytest.mark.parametrize(("beyond", "found"), [(0, True), (1, False), (None, True)])
def test_nothing_is_missed_up_to_the_bound(beyond: int | None, found: bool) -> None:
    query, rows = rows_with_a_hidden_best()
    index = filled(rows, exact_up_to=None if beyond is None else len(rows) - beyond)
    assert (index.search(query[None], 5)[1][0, 0] == 0) == found


def test_nothing_is_missed_when_many_hits_are_wanted() -> None:
    query, rows = rows_with_a_hidden_best()
    index = filled(rows, exact_up_to=10)
    assert index.search(query[None], 51)[1][0].tolist() == brute_force(dict(enumerate(rows)), query, 51)


def test_hardly_a_hit_is_missed_among_vectors_that_crowd() -> None:
    themes, random = unit(300, 384), np.random.default_rng(6)
    shares = random.random((20_000, 2, 1), dtype=np.float32)
    rows = (themes[random.integers(0, 300, (20_000, 2))] * shares).sum(axis=1) + 0.3 * unit(20_000, 384, seed=7)
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    queries = rows[::500] + 0.4 * unit(40, 384, seed=8)
    queries = (queries / np.linalg.norm(queries, axis=1, keepdims=True)).astype(np.float32)
    index, exact = filled(rows, exact_up_to=10_000), filled(rows, exact_up_to=None)
    pairs = zip(index.search(queries, 10)[1], exact.search(queries, 10)[1], strict=True)
    assert np.mean([len(set(ours) & set(theirs)) / 10 for ours, theirs in pairs]) >= 0.98
