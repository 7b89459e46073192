"""Every candidate becomes a memory: the add-only baseline."""

from collections.abc import Sequence
from typing import ClassVar

from memlab.memory import Add, Decision
from memlab.update.updater import Proposal, Updater


class Append(Updater):
    """Adds each candidate, whatever is stored already."""

    needs_related: ClassVar[bool] = False

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order."""
        return [Decision((Add(proposal.candidate),)) for proposal in proposals]
