"""What a run is made of."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from memlab.answer.answerer import Answerer
from memlab.datasets.dataset import Dataset
from memlab.embed.embedder import Embedder
from memlab.extract.extractor import Extractor
from memlab.extract.summary import Summariser
from memlab.judge.judge import Judge
from memlab.llm.cached import CachedChat
from memlab.retrieve.retriever import Retriever
from memlab.store.store import Store
from memlab.tracking import Tracker
from memlab.update.updater import Updater


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a run. Stores and retrievers are made anew for each conversation."""

    dataset: Dataset
    embedder: Embedder
    extractor: Extractor
    summary: Summariser
    updater: Updater
    answerer: Answerer
    judge: Judge
    tracker: Tracker
    new_store: Callable[[], Store]
    new_retriever: Callable[[Store], Retriever]
    caches: tuple[CachedChat, ...]
    """The caches of all models in use."""

    async def settle(self) -> None:
        """Wait until every reply that was asked for is in its cache, or has failed."""
        await asyncio.gather(*(cache.settle() for cache in self.caches))
