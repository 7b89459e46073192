"""The signs of many vectors' components, a bit each: few bytes to read for a first guess of who is close."""

import numpy as np
from numpy.typing import NDArray

from memlab.embed.embedder import Vectors
from memlab.store.single_thread import single_threaded

Bits = NDArray[np.uint8]

_FAST_BYTES = (4, 8, 16, 20, 32, 64)
"""Row lengths that faiss compares in a loop of their own: 64 bytes take half the time of the 48 that 384 bits need."""


class SignBits:
    """Signs of vectors by slot, for whoever keeps the vectors themselves in the same slots.

    The signs are those of the vectors as they are. With 300 candidates and more, recall after a random rotation was
    within 0.015 of theirs, now above and now below; centred vectors gain as little, and a centre that moves with the
    vectors would let the past of an index show.
    """

    def __init__(self, dimension: int) -> None:
        self._used = (dimension + 7) // 8
        self._width = next((width for width in _FAST_BYTES if width >= self._used), self._used)
        self._bits: Bits = np.zeros((0, self._width), dtype=np.uint8)

    def grow(self, capacity: int) -> None:
        """Make room for slots below `capacity`."""
        bits = np.zeros((capacity, self._width), dtype=np.uint8)
        bits[: len(self._bits)] = self._bits
        self._bits = bits

    def put(self, slot: int, vector: Vectors) -> None:
        """Keep the signs of a vector in a slot."""
        self._bits[slot, : self._used] = np.packbits(vector > 0)

    def move(self, source: int, target: int) -> None:
        """Copy what one slot holds to another."""
        self._bits[target] = self._bits[source]

    def closest(self, queries: Vectors, live: int, pool: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return for each query the `pool` slots below `live` with the most signs in common, and which of them count.

        Of rows with equally many signs in common, faiss drops some by their slots, that is by the past. So those that
        tie with the last do not count: which ones do, depends on the vectors alone.
        """
        import faiss

        packed = np.zeros((len(queries), self._width), dtype=np.uint8)
        packed[:, : self._used] = np.packbits(queries > 0, axis=1)
        with single_threaded():
            # By counting: the time of a heap grows with the pool, this does not.
            distances, slots = faiss.knn_hamming(packed, self._bits[:live], pool, variant="mc")
        return slots, distances < distances[:, -1:]
