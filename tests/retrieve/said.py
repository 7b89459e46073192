"""Stores filled with lines of dialogue, for the tests of this folder."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from memlab.dialogue import Question
from memlab.embed.hashed import Hashed
from memlab.memory import Add, Hit
from memlab.retrieve.retriever import Retriever
from memlab.store.dense import DenseStore
from memlab.store.store import Store
from memlab.testing import candidate

START = datetime(2023, 5, 8, 13, 56)


def new_store() -> DenseStore:
    """An empty store in which texts that share words are close."""
    return DenseStore(Hashed(64), exact_up_to=None)


async def store_of(*lines: str) -> Store:
    """A store with one memory a line, `Ada: words`, each said a day after the one before."""
    store = new_store()
    for day, text in enumerate(lines):
        await store.apply(
            Add(candidate(text, speaker=text.split(":")[0], source=f"D{day + 1}:1", at=START + timedelta(days=day)))
        )
    return store


def asked(text: str, id_: str = "sample/q0") -> Question:
    """A question with this text."""
    return Question(id_, text, None, 4, ())


def ids(hits: Sequence[Hit]) -> list[str]:
    """The ids of the memories of some hits."""
    return [hit.memory.id for hit in hits]


class Fixed(Retriever):
    """Ranks memories as it was told, by id and score."""

    def __init__(self, store: Store, scores: dict[str, float]) -> None:
        self._store = store
        self._scores = scores
        self.top_k = None
        self.max_tokens = None

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        live = {memory.id: memory for memory in self._store.memories()}
        hits = [Hit(live[id_], score) for id_, score in self._scores.items() if id_ in live]
        return sorted(hits, key=lambda hit: -hit.score)[:depth]
