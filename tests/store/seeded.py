"""An embedder whose vectors are drawn at random, seeded by the text."""

import hashlib
from collections.abc import Sequence

import numpy as np

from memlab.embed.embedder import Embedder, Vectors


class Seeded(Embedder):
    """Gives every text its own unit vector, the same in every process; remembers what it was asked."""

    def __init__(self, dimension: int = 16, name: str = "seeded") -> None:
        self.dimension = dimension
        self.name = name
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.array([self.vector(text) for text in texts], dtype=np.float32).reshape(len(texts), self.dimension)

    def vector(self, text: str) -> Vectors:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        drawn = np.random.default_rng(seed).standard_normal(self.dimension)
        return (drawn / np.linalg.norm(drawn)).astype(np.float32)


class Failing(Seeded):
    """Fails as a network would, once `broken` is set."""

    broken = False

    async def embed(self, texts: Sequence[str]) -> Vectors:
        if self.broken:
            raise ConnectionError("the embedder is down")
        return await super().embed(texts)
