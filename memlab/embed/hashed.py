"""Vectors without a model, for tests: words hashed into random directions."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memlab.embed.embedder import Embedder, Vectors

WORD_WEIGHT = 4
"""How much a word weighs against the whole text, whose own direction keeps any two texts apart."""


class Hashed(Embedder):
    """Sums a fixed pseudo-random direction for each word, so that texts sharing words are closer; nothing is learnt."""

    def __init__(self, dimension: int) -> None:
        if dimension < 8:
            raise ValueError(f"dimension is {dimension}; fewer than 8 cannot keep texts apart")
        self.name = f"hash-{dimension}"
        self.dimension = dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row a text."""
        rows = np.empty((len(texts), self.dimension), np.float32)
        for number, text in enumerate(texts):
            words = re.findall(r"\w+", text.lower())
            total = self._direction(f"text {text}")
            total += WORD_WEIGHT * sum(self._direction(f"word {word}") for word in words)
            rows[number] = total / np.linalg.norm(total)
        return rows

    def _direction(self, key: str) -> NDArray[np.float64]:
        # Whole numbers below 2**31: their sums are exact, so the order of the words does not show in the last digits.
        digest = hashlib.shake_256(key.encode("utf-8", "surrogatepass")).digest(4 * self.dimension)
        return np.frombuffer(digest, "<i4").astype(np.float64)
