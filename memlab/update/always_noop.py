"""Nothing is ever stored: the floor of all strategies."""

from collections.abc import Sequence
from typing import ClassVar

from memlab.memory import Decision, Noop
from memlab.update.updater import Proposal, Updater


class AlwaysNoop(Updater):
    """Changes nothing, whatever is proposed."""

    needs_related: ClassVar[bool] = False

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order."""
        return [Decision((Noop(sources=proposal.candidate.sources),)) for proposal in proposals]
