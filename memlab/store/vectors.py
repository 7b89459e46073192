"""Exact search over unit vectors that come and go."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from memlab.embed.embedder import Vectors

Scores = NDArray[np.float64]
Ids = NDArray[np.int64]

SCORE_DECIMALS = 6
"""Scores are rounded to what float32 can tell apart, so that equal vectors score exactly 1.0 and ties are ties."""

_SMALLEST_CAPACITY = 64
_SPARE = 6
"""Candidates fetched beyond k, so that the exact order of the first k is nearly always certain at once."""

_BATCH = 16
"""From so many queries on, one matrix product is faster than a scan for each."""

_QUERIES_A_PRODUCT = 64
"""Queries of one product, which bounds its memory: 25 MB at 100,000 rows."""

_GROUP = 32
"""Rows of which only the best is looked at first."""


class VectorIndex:
    """Unit vectors under whole-number ids, searched exactly by inner product.

    Live rows fill the front of one array: putting appends or overwrites one row, removing moves the last row into the
    hole, and a search reads nothing else. What is found depends on the vectors and ids alone, not on the order of
    operations, the batch, the number of threads or the BLAS library: faiss or a product proposes, and one fixed sum
    per pair decides; equal scores go to the smaller id, which is the older memory.
    """

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._rows = np.empty((0, dimension), dtype=np.float32)
        self._ids = np.empty(0, dtype=np.int64)
        self._slots: dict[int, int] = {}
        # Rounding of two float32 dot products of unit vectors, at worst, and of the returned score.
        self._doubt = dimension * 2.0**-23 + 10.0**-SCORE_DECIMALS

    def __len__(self) -> int:
        return len(self._slots)

    def put(self, id_: int, vector: Vectors) -> None:
        """Insert a vector, or replace the one under this id; raises ValueError unless it is a unit vector that fits."""
        if vector.shape != (self._dimension,):
            raise ValueError(f"a vector of shape {vector.shape} does not fit an index of dimension {self._dimension}")
        square = float(np.dot(vector, vector))
        if not abs(square - 1.0) < 1e-2:
            raise ValueError(f"an index holds unit vectors, not one of length {square**0.5:.4g}; normalise it first")
        slot = self._slots.get(id_)
        if slot is None:
            slot = len(self._slots)
            if slot == len(self._ids):
                self._grow()
            self._slots[id_] = slot
            self._ids[slot] = id_
        self._rows[slot] = vector

    def remove(self, id_: int) -> None:
        """Take out the vector under this id; raises KeyError when there is none."""
        slot = self._slots.pop(id_)
        last = len(self._slots)
        if slot != last:
            moved = int(self._ids[last])
            self._rows[slot] = self._rows[last]
            self._ids[slot] = moved
            self._slots[moved] = slot

    def vectors(self, ids: Sequence[int]) -> Vectors:
        """Return the vectors under these ids, one a row."""
        rows: Vectors = self._rows[[self._slots[id_] for id_ in ids]]
        return rows

    def search(self, queries: Vectors, k: int) -> tuple[Scores, Ids]:
        """Return scores and ids (len(queries), min(k, len(self))) of the closest vectors, closest first."""
        if queries.ndim != 2 or queries.shape[1] != self._dimension:
            raise ValueError(f"queries of shape {queries.shape} do not fit an index of dimension {self._dimension}")
        queries = np.ascontiguousarray(queries, dtype=np.float32)
        k = min(k, len(self))
        if k <= 0 or len(queries) == 0:
            return np.empty((len(queries), 0)), np.empty((len(queries), 0), dtype=np.int64)
        return self._search(queries, k, k + _SPARE)

    def _search(self, queries: Vectors, k: int, pool: int) -> tuple[Scores, Ids]:
        live = len(self)
        if pool >= live:
            found = [self._ranked(query[None], np.arange(live)[None], k) for query in queries]
            return np.concatenate([scores for scores, _ in found]), np.concatenate([ids for _, ids in found])
        proposed, slots = self._propose(queries, pool)
        scores, ids = self._ranked(queries, slots, k)
        # A row that was not proposed may still belong above the k-th if rounding alone could lift it there.
        unsure = np.flatnonzero(scores[:, -1] <= proposed.min(axis=1) + self._doubt)
        if len(unsure):
            scores[unsure], ids[unsure] = self._search(queries[unsure], k, 4 * pool)
        return scores, ids

    def _propose(self, queries: Vectors, pool: int) -> tuple[Vectors, Ids]:
        """Return scores and slots of the closest rows, in any order; scores are right but for rounding."""
        if len(queries) >= _BATCH:
            parts = range(0, len(queries), _QUERIES_A_PRODUCT)
            found = [
                _best_of_product(queries[at : at + _QUERIES_A_PRODUCT], self._rows[: len(self)], pool) for at in parts
            ]
            return np.concatenate([scores for scores, _ in found]), np.concatenate([slots for _, slots in found])
        import faiss

        with _single_threaded():
            scores, slots = faiss.knn(queries, self._rows[: len(self)], pool, metric=faiss.METRIC_INNER_PRODUCT)
        return scores, slots

    def _ranked(self, queries: Vectors, slots: Ids, k: int) -> tuple[Scores, Ids]:
        """Return the best k of each query's proposed slots, scored the same way whatever they were proposed with."""
        # A product and a sum along the last axis: numpy adds the terms of each pair in one fixed order.
        exact = np.multiply(self._rows[slots], queries[:, None, :]).sum(axis=-1)
        scores = np.round(exact.astype(np.float64), SCORE_DECIMALS)
        ids = self._ids[slots]
        best = np.lexsort((ids, -scores), axis=-1)[:, :k]
        return np.take_along_axis(scores, best, axis=1), np.take_along_axis(ids, best, axis=1)

    def _grow(self) -> None:
        capacity = max(_SMALLEST_CAPACITY, 2 * len(self._ids))
        rows = np.empty((capacity, self._dimension), dtype=np.float32)
        ids = np.empty(capacity, dtype=np.int64)
        rows[: len(self._ids)] = self._rows
        ids[: len(self._ids)] = self._ids
        self._rows, self._ids = rows, ids


def _best_of_product(queries: Vectors, rows: Vectors, pool: int) -> tuple[Vectors, Ids]:
    """Return scores and slots of the `pool` rows closest to each query, by one matrix product and no full sort.

    Rows are put in groups; the best `pool` rows lie in the `pool` groups with the best members.
    """
    scores: Vectors = queries @ rows.T
    groups = len(rows) // _GROUP
    slots = np.broadcast_to(np.arange(len(rows)), scores.shape)
    if groups > pool:
        # A group takes every groups-th row, so that its maximum is found along whole rows of the product at once.
        best = scores[:, : groups * _GROUP].reshape(len(queries), _GROUP, groups).max(axis=1)
        chosen = np.argpartition(-best, pool - 1, axis=1)[:, :pool]
        members = (chosen[:, :, None] + groups * np.arange(_GROUP)).reshape(len(queries), -1)
        slots = np.concatenate([members, slots[:, groups * _GROUP :]], axis=1)
        scores = np.take_along_axis(scores, slots, axis=1)
    top = np.argpartition(-scores, pool - 1, axis=1)[:, :pool]
    return np.take_along_axis(scores, top, axis=1), np.take_along_axis(slots, top, axis=1)


@contextmanager
def _single_threaded() -> Iterator[None]:
    """Run faiss on this thread alone, and leave its setting, which belongs to the calling thread, as it was.

    On a busy machine several OpenMP threads wait for each other far longer than one thread takes.
    """
    import faiss

    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(threads)
