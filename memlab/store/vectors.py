"""Search over unit vectors that come and go."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memlab.embed.embedder import Vectors
from memlab.store.flat_scan import closest_rows
from memlab.store.sign_bits import SignBits

Scores = NDArray[np.float64]
Ids = NDArray[np.int64]

SCORE_DECIMALS = 6
"""Scores are rounded to what float32 can tell apart, so that equal vectors score exactly 1.0 and ties are ties."""

_SMALLEST_CAPACITY = 64
_SPARE = 6
"""Candidates fetched beyond k, so that the exact order of the first k is nearly always certain at once."""

_PROPOSED = 1000
"""Candidates that sign bits propose. Of the ten best among 300,000 sentences of dimension 384, 300 candidates held
0.97 and 1000 held 0.996; to score 1000 takes less time than to find them."""

_PROPOSED_A_HIT = 20
"""Candidates needed for each hit: 1000 still held 0.98 of the fifty best. Searches for more hits look at all rows."""

_QUERIES_AT_ONCE = 4
"""Queries answered together by signs, which bounds the memory: 25 MB at dimension 384. More are not faster."""


class VectorIndex:
    """Unit vectors under whole-number ids, searched by inner product.

    Live rows fill the front of one array: putting appends or overwrites one row, removing moves the last row into the
    hole, and a search reads nothing else. What is found depends on the vectors and ids alone, not on the order of
    operations, the batch, the number of threads or the BLAS library: faiss or a product proposes, and one fixed sum
    per pair decides; equal scores go to the smaller id, which is the older memory.

    Up to `exact_up_to` live rows (None: always) nothing closer is ever missed. Beyond, the signs of the rows propose;
    scores stay exact, and now and then a row that belongs among the hits is not proposed.
    """

    def __init__(self, dimension: int, *, exact_up_to: int | None) -> None:
        self._dimension = dimension
        self._exact_up_to = exact_up_to
        self._rows = np.empty((0, dimension), dtype=np.float32)
        self._signs = None if exact_up_to is None else SignBits(dimension)
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
        if self._signs is not None:
            self._signs.put(slot, self._rows[slot])

    def remove(self, id_: int) -> None:
        """Take out the vector under this id; raises KeyError when there is none."""
        slot = self._slots.pop(id_)
        last = len(self._slots)
        if slot != last:
            moved = int(self._ids[last])
            self._rows[slot] = self._rows[last]
            self._ids[slot] = moved
            self._slots[moved] = slot
            if self._signs is not None:
                self._signs.move(last, slot)

    def vectors(self, ids: Sequence[int] | Ids) -> Vectors:
        """Return the vectors under these ids, one a row; raises KeyError when there is none under one of them."""
        rows: Vectors = self._rows[self._slots_of(ids)]
        return rows

    def scores(self, query: Vectors, ids: Sequence[int] | Ids) -> Scores:
        """Return the score of each of these ids' vectors, as a search gives it; raises KeyError as `vectors` does."""
        if query.shape != (self._dimension,):
            raise ValueError(f"a query of shape {query.shape} does not fit an index of dimension {self._dimension}")
        query = np.asarray(query, dtype=np.float32)
        scores: Scores = self._scores(query[None], self._slots_of(ids)[None])[0]
        return scores

    def search(self, queries: Vectors, k: int) -> tuple[Scores, Ids]:
        """Return scores and ids (len(queries), min(k, len(self))) of the closest vectors, closest first."""
        if queries.ndim != 2 or queries.shape[1] != self._dimension:
            raise ValueError(f"queries of shape {queries.shape} do not fit an index of dimension {self._dimension}")
        queries = np.ascontiguousarray(queries, dtype=np.float32)
        k = min(k, len(self))
        if k <= 0 or len(queries) == 0:
            return np.empty((len(queries), 0)), np.empty((len(queries), 0), dtype=np.int64)
        if self._exact_up_to is None or len(self) <= self._exact_up_to:
            return self._search(queries, k, k + _SPARE)
        starts = range(0, len(queries), _QUERIES_AT_ONCE)
        return _joined([self._search_by_signs(queries[at : at + _QUERIES_AT_ONCE], k) for at in starts])

    def _search(self, queries: Vectors, k: int, pool: int) -> tuple[Scores, Ids]:
        live = len(self)
        if pool >= live:
            return _joined([self._ranked(query[None], np.arange(live)[None], k) for query in queries])
        proposed, slots = closest_rows(queries, self._rows[:live], pool)
        scores, ids = self._ranked(queries, slots, k)
        # A row that was not proposed may still belong above the k-th if rounding alone could lift it there.
        unsure = np.flatnonzero(scores[:, -1] <= proposed.min(axis=1) + self._doubt)
        if len(unsure):
            scores[unsure], ids[unsure] = self._search(queries[unsure], k, 4 * pool)
        return scores, ids

    def _search_by_signs(self, queries: Vectors, k: int) -> tuple[Scores, Ids]:
        live = len(self)
        if self._signs is None or not _PROPOSED_A_HIT * k <= _PROPOSED < live:
            return self._search(queries, k, k + _SPARE)
        slots, counts = self._signs.closest(queries, live, _PROPOSED)
        scores, ids = self._ranked(queries, slots, k, counts)
        # Rows that are very much alike tie in their signs: too few are left, then, to choose from.
        unsure = np.flatnonzero(2 * counts.sum(axis=1) < _PROPOSED)
        if len(unsure):
            scores[unsure], ids[unsure] = self._search(queries[unsure], k, k + _SPARE)
        return scores, ids

    def _ranked(
        self, queries: Vectors, slots: Ids, k: int, counts: NDArray[np.bool_] | bool = True
    ) -> tuple[Scores, Ids]:
        """Return the best k of those of each query's proposed slots that count."""
        scores = np.where(counts, self._scores(queries, slots), -np.inf)
        ids = self._ids[slots]
        best = np.lexsort((ids, -scores), axis=-1)[:, :k]
        return np.take_along_axis(scores, best, axis=1), np.take_along_axis(ids, best, axis=1)

    def _scores(self, queries: Vectors, slots: Ids) -> Scores:
        """Return the score of each query with each of its slots, always the same for the same two vectors."""
        # A product and a sum along the last axis: numpy adds the terms of each pair in one fixed order.
        terms = self._rows[slots]
        exact = np.multiply(terms, queries[:, None, :], out=terms).sum(axis=-1)
        scores: Scores = np.round(exact.astype(np.float64), SCORE_DECIMALS)
        return scores

    def _slots_of(self, ids: Sequence[int] | Ids) -> Ids:
        return np.fromiter(map(self._slots.__getitem__, ids), dtype=np.int64, count=len(ids))

    def _grow(self) -> None:
        capacity = max(_SMALLEST_CAPACITY, 2 * len(self._ids))
        rows = np.empty((capacity, self._dimension), dtype=np.float32)
        ids = np.empty(capacity, dtype=np.int64)
        rows[: len(self._ids)] = self._rows
        ids[: len(self._ids)] = self._ids
        self._rows, self._ids = rows, ids
        if self._signs is not None:
            self._signs.grow(capacity)


def _joined(found: Sequence[tuple[Scores, Ids]]) -> tuple[Scores, Ids]:
    return np.concatenate([scores for scores, _ in found]), np.concatenate([ids for _, ids in found])
