"""From texts to vectors."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memlab.part import Part

Vectors = NDArray[np.float32]


class Embedder(Part):
    """Maps texts to unit vectors.

    The vector of a text depends on the text alone: never on what it was batched with, nor on what came before.
    """

    name: str
    """Identifies the model and every setting that changes a vector; saved with each store."""
    dimension: int

    @abstractmethod
    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return a float32 array (len(texts), dimension) of L2-normalised rows, in the order of `texts`."""
