import hashlib
from collections.abc import Sequence

import numpy as np
import pytest

from memlab.embed.embedder import Embedder, Vectors
from memlab.store.dense import DenseStore
from memlab.store.store import Store


class Letters(Embedder):
    """Vectors by which letter pairs a text has: texts that share words are close."""

    name = "letters"
    dimension = 64

    async def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for start in range(len(text) - 1):
                row[hashlib.sha256(text[start : start + 2].encode()).digest()[0] % self.dimension] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def new_store() -> Store:
    """An empty dense store in which similar spellings are close."""
    return DenseStore(Letters(), exact_up_to=None)
