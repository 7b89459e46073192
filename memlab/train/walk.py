"""The oracle's way through a dataset with gold: each candidate as an updater would be shown it, and what is right."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from memlab.datasets.dataset import Dataset, DatasetError
from memlab.dialogue import Conversation
from memlab.embed.embedder import Embedder
from memlab.extract.extractor import Extractor
from memlab.extract.summary import NoSummary
from memlab.gold import Told, Verb
from memlab.ingest import ingest
from memlab.look_ahead import look_ahead
from memlab.memory import Decision
from memlab.store.dense import DenseStore
from memlab.summaries import Summaries
from memlab.update.oracle import Oracle
from memlab.update.relation import OPERATION_OF, Relation
from memlab.update.updater import Proposal, Updater
from memlab.windows import windows

AHEAD = 256
"""Windows whose candidates are embedded in one batch."""
RECENT = 10
"""Turns before a window that an extractor sees, as in a run."""
RELATION_OF: dict[Verb, Relation] = {verb: relation for relation, verb in OPERATION_OF.items()}


@dataclass(frozen=True, slots=True)
class Step:
    """A proposal with its s related memories, the relation of each, and the operation that is right.

    `verb` is right where all memories can be chosen from. Where no related one tells what it is about, only ADD is
    possible.
    """

    conversation: str
    proposal: Proposal
    relations: tuple[Relation, ...]
    verb: Verb

    @property
    def possible(self) -> Verb:
        """The right operation among these related memories."""
        return self.verb if any(one != "unrelated" for one in self.relations) else "ADD"


class Watched(Updater):
    """Decides as the oracle does, and keeps what it was shown."""

    needs_all = True

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self.seen: list[Proposal] = []

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        """Return the oracle's decisions."""
        self.seen += proposals
        return await self._oracle.decide(proposals)


async def walk(dataset: Dataset, extractor: Extractor, embedder: Embedder, *, s: int) -> list[Step]:
    """Return every decision on what an extractor proposes, in order of the conversations, in stores without an error.

    Small talk repeated word for word is left out. Raises DatasetError when the dataset has no gold, and what the
    extractor and the embedder raise.
    """
    conversations = dataset.read().conversations
    if not any(conversation.gold for conversation in conversations):
        raise DatasetError(f"{type(dataset).__name__} knows no right operations; take a dataset with gold (synthetic)")
    oracle = Oracle(dataset, shown="all", merge="join", on_delete="retire")
    steps = []
    for conversation in conversations:
        steps += await walk_one(conversation, extractor, Watched(oracle), embedder, s)
        await asyncio.sleep(0)
    return steps


async def walk_one(
    conversation: Conversation, extractor: Extractor, updater: Watched, embedder: Embedder, s: int
) -> list[Step]:
    """Return the decisions of one conversation."""
    every = windows(conversation, size=extractor.messages_per_window, m=RECENT)
    store = DenseStore(embedder, exact_up_to=None)
    extractions = look_ahead(every, extractor, embedder, Summaries(NoSummary(), every), ahead=AHEAD)
    async with aclosing(extractions), aclosing(ingest(extractions, updater, store, s=s)) as outcomes:
        async for outcome in outcomes:
            if outcome.failure is not None:
                raise outcome.failure
    told = Told(conversation.gold)
    return [step(seen, told, conversation.id, s) for seen in updater.seen if not says_nothing_again(seen, told)]


def says_nothing_again(seen: Proposal, told: Told) -> bool:
    """Return whether this is small talk that was said before word for word: no operation is right or wrong for it."""
    text, sources = seen.candidate.content.text, seen.candidate.sources
    return told.statement(text, sources) is None and any(hit.memory.text == text for hit in seen.related)


def step(seen: Proposal, told: Told, conversation: str, s: int) -> Step:
    """Return a decision with the relation of each memory: the statement's, where the memory tells its target.

    A candidate that states nothing is related to no memory.
    """
    candidate = seen.candidate
    statement = told.statement(candidate.content.text, candidate.sources)
    own: Relation = "unrelated" if statement is None else RELATION_OF[statement.operation]
    target = None if statement is None else statement.target
    relations: list[Relation] = [
        own if target is not None and target in told.tells(hit.memory.text, hit.memory.sources) else "unrelated"
        for hit in seen.related
    ]
    verb = OPERATION_OF[own] if own in relations else "ADD"
    return Step(conversation, Proposal(candidate, seen.related[:s]), tuple(relations[:s]), verb)
