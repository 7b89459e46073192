"""From a question to memories."""

from abc import abstractmethod
from collections.abc import Sequence

from memlab.context import within
from memlab.dialogue import Question
from memlab.memory import Hit
from memlab.part import Part

SMALLEST_MEMORY = 4
"""Tokens that even the shortest memory costs in a context; bounds how deep a ranking can matter to a token budget."""


class Retriever(Part):
    """Ranks the live memories of one store for a question; the store stays unchanged.

    Retired memories are ranked only where a setting asks for the past; they are shown as past.
    `top_k` and `max_tokens` bound what an answerer is shown; None is no bound, and both together both hold.
    """

    top_k: int | None
    max_tokens: int | None

    @abstractmethod
    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return the best `depth` memories (None: all it would ever return), best first, each at most once."""

    def depth(self, *, hits: int = 0, tokens: int = 0) -> int | None:
        """Return how deep a ranking fills this retriever's bounds, so many hits and so many tokens; None: all."""
        if self.top_k is None and self.max_tokens is None:
            return None
        own = self.top_k if self.max_tokens is None else self.max_tokens // SMALLEST_MEMORY + 1
        return max(own or 0, hits, tokens // SMALLEST_MEMORY + 1)

    def shown(self, ranking: Sequence[Hit]) -> list[Hit]:
        """Return what an answerer is shown: the head of a ranking within `top_k` and `max_tokens`."""
        return within(ranking, top_k=self.top_k, max_tokens=self.max_tokens)

    async def retrieve(self, question: Question) -> list[Hit]:
        """Return what an answerer is shown for a question."""
        return self.shown(await self.rank(question, self.depth()))
