"""The rows closest to queries, right but for rounding, by looking at all of them."""

import numpy as np
from numpy.typing import NDArray

from memlab.embed.embedder import Vectors
from memlab.store.single_thread import single_threaded

_BATCH = 16
"""From so many queries on, one matrix product is faster than a scan for each."""

_QUERIES_A_PRODUCT = 64
"""Queries of one product, which bounds its memory: 25 MB at 100,000 rows."""

_GROUP = 32
"""Rows of which only the best is looked at first."""


def closest_rows(queries: Vectors, rows: Vectors, pool: int) -> tuple[Vectors, NDArray[np.int64]]:
    """Return scores and row numbers (len(queries), pool) of the rows with the highest inner products, in any order."""
    if len(queries) >= _BATCH:
        starts = range(0, len(queries), _QUERIES_A_PRODUCT)
        found = [_best_of_product(queries[at : at + _QUERIES_A_PRODUCT], rows, pool) for at in starts]
        return np.concatenate([scores for scores, _ in found]), np.concatenate([slots for _, slots in found])
    import faiss

    with single_threaded():
        scores, slots = faiss.knn(queries, rows, pool, metric=faiss.METRIC_INNER_PRODUCT)
    return scores, slots


def _best_of_product(queries: Vectors, rows: Vectors, pool: int) -> tuple[Vectors, NDArray[np.int64]]:
    """Return scores and numbers of the `pool` rows closest to each query, by one matrix product and no full sort.

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
