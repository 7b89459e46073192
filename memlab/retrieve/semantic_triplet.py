"""The edges of the graph whose words are close to a question."""

from memlab.dialogue import Question
from memlab.memory import Hit, Triple
from memlab.retrieve.retriever import Retriever
from memlab.store.store import GraphStore


class SemanticTriplet(Retriever):
    """Ranks all edges by the whole question against their words (arXiv 2504.19413 section 2.2, second approach).

    An edge with a cosine below `threshold` is not ranked; `past`: retired ones are ranked, too.
    """

    def __init__(
        self, store: GraphStore, *, threshold: float, past: bool, top_k: int | None, max_tokens: int | None
    ) -> None:
        if not -1 <= threshold <= 1:
            raise ValueError(f"{threshold=} is not between -1 and 1; -1 ranks every edge")
        self._store = store
        self._threshold = threshold
        self._past = past
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return the edges close enough to the question, closest first."""
        k = self._edges() if depth is None else depth
        hits = await self._store.nearest_edges(question.text, k, past=self._past)
        return [hit for hit in hits if hit.score >= self._threshold]

    def _edges(self) -> int:
        return sum(isinstance(memory.content, Triple) for memory in self._store.memories(retired=self._past))
