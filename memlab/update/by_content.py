"""Facts to one updater, triples to another: for a store that holds both."""

from collections.abc import Sequence
from typing import ClassVar, assert_never

from memlab.memory import Content, Decision, Fact, Triple
from memlab.update.updater import Proposal, Updater


class ByContent(Updater):
    """Gives each proposal to the updater of its candidate's type of content, in order."""

    needs_same_source: ClassVar[bool] = True

    def __init__(self, *, facts: Updater, triples: Updater) -> None:
        for name, part in (("facts", facts), ("triples", triples)):
            if part.joint:
                raise ValueError(
                    f"{name}: {type(part).__name__} decides for all candidates of a window at once, "
                    "but here each goes to the updater of its type; choose one that decides for one at a time"
                )
        self._facts = facts
        self._triples = triples

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order; raises what the updaters raise."""
        decisions: list[Decision] = []
        for proposal in proposals:
            decisions += await self._updater_of(proposal.candidate.content).decide([proposal])
        return decisions

    def _updater_of(self, content: Content) -> Updater:
        match content:
            case Fact():
                return self._facts
            case Triple():
                return self._triples
        assert_never(content)
