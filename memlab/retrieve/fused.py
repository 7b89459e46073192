"""Two rankings made one."""

from collections import defaultdict

from memlab.dialogue import Question
from memlab.memory import Hit, Memory
from memlab.retrieve.channels import ranked
from memlab.retrieve.retriever import Retriever
from memlab.store.ledger import number_of

LEAST_DEPTH = 1000
"""Places of each ranking that count: beyond them a place adds next to nothing, and in a large graph costs seconds."""


class Fused(Retriever):
    """Reciprocal rank fusion of two retrievers (Cormack et al. 2009): a memory scores the sum of 1 / (constant + rank).

    The smaller `rank_constant`, the more the first places weigh; 60 is the paper's, for lists of a thousand documents.
    Of each ranking the first LEAST_DEPTH places count, and more where the bounds can show more; the bounds of the two
    retrievers do not matter here. What each of them ranked alone is noted as a channel.
    """

    def __init__(
        self, first: Retriever, second: Retriever, *, rank_constant: int, top_k: int | None, max_tokens: int | None
    ) -> None:
        if rank_constant < 0:
            raise ValueError(f"rank_constant={rank_constant} is below 0; 60 is usual, 10 favours the first places")
        self._retrievers = (first, second)
        self._rank_constant = rank_constant
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return what either retriever ranks; of equal scores the older memory comes first."""
        memories: dict[str, Memory] = {}
        scores: defaultdict[str, float] = defaultdict(float)
        for retriever in self._retrievers:
            # Whatever the depth asked for: the head of the fused ranking must be the same for every depth.
            for rank, hit in enumerate(await ranked(retriever, question, self.depth(hits=LEAST_DEPTH)), start=1):
                memories[hit.memory.id] = hit.memory
                scores[hit.memory.id] += 1 / (self._rank_constant + rank)
        best_first = sorted(memories, key=lambda id_: (-scores[id_], number_of(id_)))
        return [Hit(memories[id_], scores[id_]) for id_ in best_first[:depth]]
