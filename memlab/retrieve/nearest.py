"""Memories by the similarity of their vectors."""

from memlab.dialogue import Question
from memlab.memory import Hit
from memlab.retrieve.retriever import Retriever
from memlab.store.store import Store


class Nearest(Retriever):
    """Ranks memories by what the store finds closest to the question: dense retrieval."""

    def __init__(self, store: Store, *, top_k: int | None, max_tokens: int | None) -> None:
        self._store = store
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return the live memories closest to the question."""
        return await self._store.nearest(question.text, len(self._store.memories()) if depth is None else depth)
