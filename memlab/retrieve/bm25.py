"""Memories by the words they share with a question."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Self

from memlab.dialogue import Question
from memlab.memory import Hit, Memory
from memlab.retrieve.retriever import Retriever
from memlab.store.store import Store

if TYPE_CHECKING:
    import bm25s
    from nltk.stem.snowball import EnglishStemmer

WORD = re.compile(r"[^\W_]+")


class BM25(Retriever):
    """Ranks memories by Okapi BM25 (Robertson and Zaragoza 2009) over stemmed English words without function words.

    `k1` says how much a repeated word adds, `b` (0 to 1) how much long memories are held back. A memory that shares no
    word with the question is not ranked. The index is rebuilt when the store has changed.
    """

    def __init__(self, store: Store, *, k1: float, b: float, top_k: int | None, max_tokens: int | None) -> None:
        if k1 < 0:
            raise ValueError(f"k1={k1} is below 0; 1.2 is usual")
        if not 0 <= b <= 1:
            raise ValueError(f"b={b} is not between 0 and 1; 0.75 is usual")
        self._store = store
        self._k1 = k1
        self._b = b
        self._built: tuple[int, WordIndex] | None = None
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return the live memories that share words with the question; of equal scores the older memory comes first."""
        return (await self._index()).matches(question.text)[:depth]

    async def _index(self) -> "WordIndex":
        version = self._store.version
        if self._built is None or self._built[0] != version:
            index = await asyncio.to_thread(WordIndex.of, self._store.memories(), k1=self._k1, b=self._b)
            self._built = (version, index)
            return index
        return self._built[1]


@dataclass(frozen=True, slots=True)
class WordIndex:
    """Memories and the weight of each of their words; no scorer when they have no words at all."""

    memories: Sequence[Memory]
    scorer: "bm25s.BM25 | None"

    @classmethod
    def of(cls, memories: Sequence[Memory], *, k1: float, b: float) -> Self:
        """Return the index of some memories."""
        import bm25s

        vocabulary: dict[str, int] = {}
        rows = [[vocabulary.setdefault(stem, len(vocabulary)) for stem in stems(memory.text)] for memory in memories]
        if not vocabulary:
            return cls(memories, None)
        scorer = bm25s.BM25(k1=k1, b=b, method="lucene")
        scorer.index((rows, vocabulary), create_empty_token=False, show_progress=False)
        return cls(memories, scorer)

    def matches(self, text: str) -> list[Hit]:
        """Return the memories that share a word with a text, best first."""
        if self.scorer is None or not (known := self.scorer.get_tokens_ids(list(stems(text)))):
            return []
        scores = self.scorer.get_scores_from_ids(known).tolist()
        found = [Hit(memory, score) for memory, score in zip(self.memories, scores, strict=True) if score > 0]
        return sorted(found, key=lambda hit: -hit.score)


def stems(text: str) -> Iterable[str]:
    """Return the stems of the words of a text, function words left out, in their order."""
    return (stem(word) for word in WORD.findall(text.lower()) if word not in function_words())


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return what the forms of a lower-case English word share: `adopt` for adopted."""
    return str(_stemmer().stem(word))


@cache
def function_words() -> frozenset[str]:
    """Return the English words that say nothing of what a text is about."""
    from bm25s.stopwords import STOPWORDS_EN_PLUS

    return frozenset(STOPWORDS_EN_PLUS)


@cache
def _stemmer() -> "EnglishStemmer":
    from nltk.stem.snowball import EnglishStemmer

    return EnglishStemmer()
