"""Two rankings made one."""

from collections import defaultdict

from memlab.dialogue import Question
from memlab.memory import Hit, Memory
from memlab.retrieve.retriever import Retriever
from memlab.store.ledger import number_of


class Fused(Retriever):
    """Reciprocal rank fusion of two retrievers (Cormack et al. 2009): a memory scores the sum of 1 / (constant + rank).

    The smaller `rank_constant`, the more the first places weigh; 60 is the paper's, for lists of a thousand documents.
    The bounds of the two retrievers do not matter here.
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
            for rank, hit in enumerate(await retriever.rank(question, None), start=1):
                memories[hit.memory.id] = hit.memory
                scores[hit.memory.id] += 1 / (self._rank_constant + rank)
        best_first = sorted(memories, key=lambda id_: (-scores[id_], number_of(id_)))
        return [Hit(memories[id_], scores[id_]) for id_ in best_first[:depth]]
