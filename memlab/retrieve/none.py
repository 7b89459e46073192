"""Nothing."""

from memlab.dialogue import Question
from memlab.memory import Hit
from memlab.retrieve.retriever import Retriever


class NoMemory(Retriever):
    """Returns no memory: what an answerer can do alone."""

    def __init__(self, *, top_k: int | None, max_tokens: int | None) -> None:
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return no hit."""
        return []
