"""What was said last."""

from memlab.dialogue import Question
from memlab.memory import Hit
from memlab.retrieve.retriever import Retriever
from memlab.store.ledger import number_of
from memlab.store.store import Store


class Recent(Retriever):
    """Ranks memories by the time of their last change, newest first, whatever the question; the n-th scores 1 / n."""

    def __init__(self, store: Store, *, top_k: int | None, max_tokens: int | None) -> None:
        self._store = store
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return the live memories, newest first; of one time the one created last comes first."""
        memories = sorted(
            self._store.memories(), key=lambda memory: (memory.updated_at, number_of(memory.id)), reverse=True
        )
        return [Hit(memory, 1 / rank) for rank, memory in enumerate(memories[:depth], start=1)]
