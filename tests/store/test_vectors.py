from collections.abc import Iterable

import faiss
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.embed.embedder import Vectors
from memlab.store.vectors import VectorIndex


def unit(n: int, dimension: int, seed: int = 0) -> Vectors:
    drawn = np.random.default_rng(seed).standard_normal((n, dimension))
    rows: Vectors = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)
    return rows


def index_of(vectors: Iterable[Vectors], dimension: int) -> VectorIndex:
    index = VectorIndex(dimension, exact_up_to=None)
    for id_, vector in enumerate(vectors):
        index.put(id_, vector)
    return index


def brute_force(rows: dict[int, Vectors], query: Vectors, k: int) -> list[int]:
    scores = {id_: round(float(row.astype(np.float64) @ query), 6) for id_, row in rows.items()}
    return sorted(rows, key=lambda id_: (-scores[id_], id_))[:k]


@pytest.mark.parametrize("n", [1, 5, 63, 64, 65, 700])
@pytest.mark.parametrize("k", [1, 10, 1000])
def test_the_closest_come_back_in_order(n: int, k: int) -> None:
    rows, queries = unit(n, 24), unit(40, 24, seed=1)
    scores, ids = index_of(rows, 24).search(queries, k)
    assert ids.shape == scores.shape == (40, min(k, n))
    for query, found, score in zip(queries, ids, scores, strict=True):
        assert found.tolist() == brute_force(dict(enumerate(rows)), query, k)
        assert np.allclose(score, rows[found] @ query, atol=2e-6)


@given(
    steps=st.lists(st.tuples(st.sampled_from(["put", "remove"]), st.integers(0, 12), st.integers(0, 5)), max_size=60),
    k=st.integers(1, 15),
)
def test_any_sequence_of_changes_leaves_what_a_dictionary_would_hold(steps: list[tuple[str, int, int]], k: int) -> None:
    vectors, query = unit(6, 8), unit(1, 8, seed=1)
    index, expected = VectorIndex(8, exact_up_to=None), dict[int, Vectors]()
    for action, id_, which in steps:
        if action == "put":
            index.put(id_, vectors[which])
            expected[id_] = vectors[which]
        elif id_ in expected:
            index.remove(id_)
            del expected[id_]
    assert len(index) == len(expected)
    assert index.search(query, k)[1][0].tolist() == brute_force(expected, query[0], k)
    for id_, vector in expected.items():
        assert np.array_equal(index.vectors([id_])[0], vector)


@pytest.mark.parametrize("n", [30, 600, 5000])
@pytest.mark.parametrize("dimension", [24, 384])
def test_a_batch_gives_to_the_last_bit_what_single_searches_give(n: int, dimension: int) -> None:
    index, queries = index_of(unit(n, dimension), dimension), unit(64, dimension, seed=1)
    scores, ids = index.search(queries, 10)
    for row in range(64):
        alone = index.search(queries[row : row + 1], 10)
        assert alone[0].tobytes() == scores[row : row + 1].tobytes()
        assert alone[1].tobytes() == ids[row : row + 1].tobytes()


def test_how_the_rows_came_there_does_not_show() -> None:
    rows, queries = unit(300, 24), unit(20, 24, seed=1)
    straight = index_of(rows, 24)
    devious = VectorIndex(24, exact_up_to=None)
    for id_ in reversed(range(400)):
        devious.put(id_, rows[id_ % 7])
    for id_ in range(300, 400):
        devious.remove(id_)
    for id_ in (*range(150, 300), *range(150)):
        devious.put(id_, rows[id_])
    for ours, theirs in zip(straight.search(queries, 10), devious.search(queries, 10), strict=True):
        assert ours.tobytes() == theirs.tobytes()


def test_of_equal_vectors_the_older_come_first_however_many_there_are() -> None:
    rows = unit(50, 24)
    index = VectorIndex(24, exact_up_to=None)
    for id_ in reversed(range(1000)):
        index.put(id_, rows[id_ % 50])
    for queries in (rows[:1], rows[:32]):
        scores, ids = index.search(queries, 7)
        assert ids.tolist() == [[row + 50 * i for i in range(7)] for row in range(len(queries))]
        assert (scores == 1.0).all()


def test_rows_that_differ_by_less_than_a_score_can_show_count_as_equal() -> None:
    row = unit(1, 24)[0]
    nudged = [row + np.float32(1e-7) * noise for noise in unit(200, 24, seed=2)]
    scores, ids = index_of(nudged, 24).search(row[None], 5)
    assert (scores == 1.0).all()
    assert ids.tolist() == [[0, 1, 2, 3, 4]]


@pytest.mark.parametrize("k", [0, 3])
def test_an_empty_index_or_no_room_gives_no_hits(k: int) -> None:
    scores, ids = index_of(unit(0 if k else 4, 24), 24).search(unit(2, 24), k)
    assert scores.shape == ids.shape == (2, 0)


def test_no_query_gives_no_rows() -> None:
    scores, ids = index_of(unit(4, 24), 24).search(np.empty((0, 24), dtype=np.float32), 3)
    assert len(scores) == len(ids) == 0


def test_the_settings_of_faiss_are_left_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faiss.cvar, "distance_compute_blas_threshold", 77)
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(3)
    try:
        index_of(unit(100, 24), 24).search(unit(32, 24), 3)
        assert (faiss.omp_get_max_threads(), faiss.cvar.distance_compute_blas_threshold) == (3, 77)
    finally:
        faiss.omp_set_num_threads(threads)


@pytest.mark.parametrize("vector", [np.zeros(3), np.full(3, np.nan), np.array([3.0, 4.0, 0.0])])
def test_only_unit_vectors_are_taken(vector: Vectors) -> None:
    index = index_of(unit(2, 3), 3)
    with pytest.raises(ValueError, match="an index holds unit vectors, not one of length"):
        index.put(2, vector.astype(np.float32))
    assert len(index) == 2


def test_a_vector_of_another_dimension_is_refused_with_both_named() -> None:
    with pytest.raises(ValueError, match=r"a vector of shape \(4,\) does not fit an index of dimension 3"):
        VectorIndex(3, exact_up_to=None).put(0, unit(1, 4)[0])


def test_queries_of_another_dimension_are_refused_with_both_named() -> None:
    with pytest.raises(ValueError, match=r"queries of shape \(1, 4\) do not fit an index of dimension 3"):
        index_of(unit(2, 3), 3).search(unit(1, 4), 1)


def test_an_unknown_id_cannot_be_removed() -> None:
    with pytest.raises(KeyError):
        index_of(unit(2, 3), 3).remove(5)


def test_a_row_scores_alone_to_the_last_bit_what_it_scores_as_a_hit() -> None:
    index, queries = index_of(unit(700, 384), 384), unit(20, 384, seed=1)
    found, ids = index.search(queries, 50)
    for query, scores, hits in zip(queries, found, ids, strict=True):
        assert index.scores(query, hits).tobytes() == scores.tobytes()
        assert index.scores(query, hits[::-1].tolist()).tobytes() == scores[::-1].tobytes()


def test_no_ids_have_no_scores() -> None:
    assert index_of(unit(2, 3), 3).scores(unit(1, 3)[0], []).shape == (0,)


def test_an_unknown_id_has_no_score() -> None:
    index = index_of(unit(3, 3), 3)
    index.remove(1)
    with pytest.raises(KeyError, match="1"):
        index.scores(unit(1, 3)[0], [0, 1])


def test_a_query_of_another_dimension_is_refused_with_both_named() -> None:
    with pytest.raises(ValueError, match=r"a query of shape \(1, 3\) does not fit an index of dimension 3"):
        index_of(unit(2, 3), 3).scores(unit(1, 3), [0])
