"""Operations by chance: what a measure of them must be able to tell from sense."""

import hashlib
from collections.abc import Sequence

from memlab.gold import OPERATIONS
from memlab.memory import Add, Candidate, Decision, Memory, Noop
from memlab.update.merge import Merge, merged
from memlab.update.policy import OnDelete, contradicted, one_of
from memlab.update.updater import Proposal, Updater


class RandomChoice(Updater):
    """Draws one of the four operations, each as likely, and its memory among the related ones.

    What is drawn depends on the seed, the candidate and the memories shown, not on what was drawn before; ADD where
    there is no memory.
    """

    def __init__(self, *, seed: int, merge: Merge, on_delete: OnDelete) -> None:
        one_of("merge", merge, Merge)
        one_of("on_delete", on_delete, OnDelete)
        self._seed = seed
        self._merge: Merge = merge
        self._on_delete: OnDelete = on_delete

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return one decision per proposal, in order."""
        return [self._decision(one.candidate, [hit.memory for hit in one.related]) for one in proposals]

    def _decision(self, candidate: Candidate, memories: Sequence[Memory]) -> Decision:
        if not memories:
            return Decision((Add(candidate),))
        words = (str(self._seed), candidate.content.text, *candidate.sources, *(memory.text for memory in memories))
        drawn = int.from_bytes(hashlib.sha256("\n".join(words).encode()).digest()[:8], "big")
        drawn, number = divmod(drawn, len(OPERATIONS))
        memory = memories[drawn % len(memories)]
        match OPERATIONS[number]:
            case "ADD":
                return Decision((Add(candidate),))
            case "UPDATE":
                return Decision((merged(candidate, memory, self._merge),))
            case "DELETE":
                return contradicted(candidate, memory, self._on_delete)
            case "NOOP":
                return Decision((Noop(memory.id, candidate.sources),))
