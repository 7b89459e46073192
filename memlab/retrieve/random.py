"""Memories by lot: what chance finds."""

import random

from memlab.dialogue import Question
from memlab.memory import Hit
from memlab.retrieve.retriever import Retriever
from memlab.store.store import Store


class Random(Retriever):
    """Ranks memories by numbers drawn from seed and question id, so that the order of questions changes nothing."""

    def __init__(self, store: Store, *, seed: int, top_k: int | None, max_tokens: int | None) -> None:
        self._store = store
        self._seed = seed
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return the live memories in an order drawn for this question."""
        lot = random.Random(f"{self._seed}/{question.id}")
        drawn = [Hit(memory, lot.random()) for memory in self._store.memories()]
        return sorted(drawn, key=lambda hit: -hit.score)[:depth]
