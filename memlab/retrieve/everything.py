"""All there is: full context."""

from memlab.dialogue import Question
from memlab.memory import Hit
from memlab.retrieve.retriever import Retriever
from memlab.store.ledger import number_of
from memlab.store.store import Store


class Everything(Retriever):
    """Returns every live memory in order of time, whatever the question; all score 0."""

    def __init__(self, store: Store, *, top_k: int | None, max_tokens: int | None) -> None:
        self._store = store
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return the live memories, oldest first."""
        memories = sorted(self._store.memories(), key=lambda memory: (memory.updated_at, number_of(memory.id)))
        return [Hit(memory, 0.0) for memory in memories[:depth]]
