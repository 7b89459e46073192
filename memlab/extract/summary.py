"""The rolling summary S of a conversation, context for extraction (arXiv 2504.19413 section 2.1)."""

from abc import abstractmethod
from collections.abc import Sequence

from memlab.dialogue import Turn
from memlab.part import Part


class Summariser(Part):
    """Writes S anew every `every` windows; what covers window k is read from window k + `lag` on.

    Stateless: one instance serves every conversation.
    """

    every: int | None
    """None: there is no summary."""
    lag: int

    @abstractmethod
    async def summarise(self, previous: str, turns: Sequence[Turn]) -> str:
        """Return the summary that follows from the previous one ("" at first) and the turns said since then."""


class NoSummary(Summariser):
    """Leaves S empty."""

    every = None
    lag = 1

    async def summarise(self, previous: str, turns: Sequence[Turn]) -> str:
        """Return nothing."""
        return ""
