"""What was said next to a good match."""

import numpy as np
from numpy.typing import NDArray

from memlab.dialogue import Question
from memlab.memory import Hit
from memlab.retrieve.retriever import Retriever
from memlab.store.store import Store

Scores = NDArray[np.float64]


class Smoothed(Retriever):
    """Spreads a retriever's scores over neighbours in the order of creation: in a dialogue turns answer one another.

    A memory's score gains `decay` times the scores of the memories just before and after it, decay squared times those
    two away, up to `reach` away. A memory that the inner retriever does not rank has score 0 before. Scores that fall
    off steeply from the top, as those of `Fused` do, spread best.
    """

    def __init__(
        self,
        inner: Retriever,
        store: Store,
        *,
        decay: float,
        reach: int,
        top_k: int | None,
        max_tokens: int | None,
    ) -> None:
        if not 0 <= decay <= 1:
            raise ValueError(f"decay={decay} is not between 0 and 1; 0.5 halves a score with each step")
        if reach < 0:
            raise ValueError(f"reach={reach} is below 0; it is the number of neighbours on each side")
        self._inner = inner
        self._store = store
        self._decay = decay
        self._reach = reach
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return what scores or stands near what does; of equal scores the older memory comes first."""
        hits = await self._inner.rank(question, None)
        found = {hit.memory.id for hit in hits}
        # A retired memory counts only where the inner retriever was asked for the past, too.
        memories = [m for m in self._store.memories(retired=True) if m.retired_at is None or m.id in found]
        places = {memory.id: place for place, memory in enumerate(memories)}
        scores = np.zeros(len(memories))
        scores[[places[hit.memory.id] for hit in hits]] = [hit.score for hit in hits]
        smooth = spread(scores, decay=self._decay, reach=self._reach)
        best_first = np.argsort(-smooth, kind="stable")
        reached = best_first[smooth[best_first] != 0][:depth]
        return [
            Hit(memories[place], score) for place, score in zip(reached.tolist(), smooth[reached].tolist(), strict=True)
        ]


def spread(scores: Scores, *, decay: float, reach: int) -> Scores:
    """Return each score plus those of its neighbours on both sides, each times decay to the power of its distance."""
    total = scores.copy()
    for distance in range(1, min(reach, len(scores) - 1) + 1):
        total[distance:] += decay**distance * scores[:-distance]
        total[:-distance] += decay**distance * scores[distance:]
    return total
