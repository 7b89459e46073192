"""Memories by the similarity of their vectors."""

from collections.abc import Mapping
from typing import Literal

from memlab.dialogue import Question
from memlab.memory import Content, Fact, Hit, Triple
from memlab.retrieve.retriever import Retriever
from memlab.store.store import Store

Of = Literal["any", "fact", "triple"]
TYPES: Mapping[Of, type[Content] | None] = {"any": None, "fact": Fact, "triple": Triple}


class Nearest(Retriever):
    """Ranks memories by what the store finds closest to the question: dense retrieval. `of`: which type of content."""

    def __init__(self, store: Store, *, of: Of, top_k: int | None, max_tokens: int | None) -> None:
        self._store = store
        self._of = TYPES[of]
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return the live memories closest to the question."""
        k = len(self._store.memories()) if depth is None else depth
        return await self._store.nearest(question.text, k, of=self._of)
