"""What the person said whom a question names."""

import re

from memlab.dialogue import Question
from memlab.memory import Hit
from memlab.retrieve.retriever import Retriever

WORD = re.compile(r"[^\W_]+")


class SpeakerMatch(Retriever):
    """Holds back what others said when a question names one of the speakers: their scores count `others` times.

    A speaker is named when a word of the name is a word of the question. A question that names nobody who speaks, or
    all who do, leaves the inner ranking as it is.
    """

    def __init__(self, inner: Retriever, *, others: float, top_k: int | None, max_tokens: int | None) -> None:
        if not 0 < others <= 1:
            raise ValueError(
                f"others={others} is not above 0 and at most 1; 1 changes nothing, 0.5 halves their scores"
            )
        self._inner = inner
        self._others = others
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return what the inner retriever ranks, memories of the named speakers moved up."""
        hits = await self._inner.rank(question, None)
        asked = words(question.text)
        named = {speaker for speaker in {hit.memory.speaker for hit in hits} if words(speaker) & asked}
        weighed = [hit if not named or hit.memory.speaker in named else self._held_back(hit) for hit in hits]
        return sorted(weighed, key=lambda hit: -hit.score)[:depth]

    def _held_back(self, hit: Hit) -> Hit:
        # Divided when negative (a cosine can be): multiplying would lift it.
        return Hit(hit.memory, hit.score * self._others if hit.score > 0 else hit.score / self._others)


def words(text: str) -> set[str]:
    """Return the words of a text in lower case; `Ada's` gives `ada` and `s`."""
    return set(WORD.findall(text.lower()))
