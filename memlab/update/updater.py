"""From candidates and related memories to operations."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from memlab.memory import Candidate, Decision, Hit
from memlab.part import Part


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate with the s most similar live memories, closest first (arXiv 2504.19413 section 2.1)."""

    candidate: Candidate
    related: tuple[Hit, ...]


class Updater(Part):
    """Chooses operations. It never touches a store; it may name only memories that were shown to it.

    joint=False (the paper): called with one proposal at a time, each seeing the effect of the one before.
    joint=True: called once with all candidates of a window.
    """

    joint: ClassVar[bool] = False
    needs_related: ClassVar[bool] = True
    """False: it does not look at related memories, so none need be searched."""

    needs_same_source: ClassVar[bool] = False
    """True: of a triple's related memories it takes for granted that they are edges out of the same source node."""

    needs_all: bool = False
    """True: it is shown all live memories, whatever s is."""

    foresees: ClassVar[bool] = False
    """True: `foresee` is of use to it."""

    async def foresee(self, proposals: Sequence[Proposal]) -> None:
        """See all proposals of a window as they are before the first is decided, to compute what it can in one batch.

        No decision may depend on whether this was called.
        """

    @abstractmethod
    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order."""
