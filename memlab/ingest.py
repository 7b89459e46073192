"""The write path: extract, relate, decide, apply (arXiv 2504.19413 section 2.1), and nothing else."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from dataclasses import dataclass

from memlab.llm.meter import Spent, metered
from memlab.look_ahead import Extraction
from memlab.memory import Candidate, Decision, Operation
from memlab.part import PartFailed
from memlab.store.store import Store, UnknownMemoryError
from memlab.update.updater import Proposal, Updater


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one window did: for each candidate the ids of its related memories and the decision that was applied.

    When a part failed, `failure` says why, and only the candidates before have decisions.
    """

    extraction: Extraction
    related: tuple[tuple[str, ...], ...]
    decisions: tuple[Decision, ...]
    spent: Spent
    update_seconds: float
    failure: PartFailed | None


async def ingest(
    extractions: AsyncIterator[Extraction], updater: Updater, store: Store, *, s: int
) -> AsyncGenerator[Outcome, None]:
    """Apply to a store what was extracted, strictly in order; yield each window's outcome once it is applied."""
    async for extraction in extractions:
        related: list[tuple[str, ...]] = []
        decisions: list[Decision] = []
        failure = extraction.failure
        with metered() as meter:
            try:
                async for proposals, decided in decide(extraction.candidates, updater, store, s):
                    related += [tuple(hit.memory.id for hit in proposal.related) for proposal in proposals]
                    decisions += [await applied(decision, store) for decision in decided]
            except PartFailed as error:
                failure = error
        yield Outcome(extraction, tuple(related), tuple(decisions), meter.spent, meter.seconds(), failure)


async def decide(
    candidates: tuple[Candidate, ...], updater: Updater, store: Store, s: int
) -> AsyncIterator[tuple[list[Proposal], list[Decision]]]:
    """Yield what the updater decides: for all candidates at once, or for one after another as the store changes."""
    if len(candidates) > 1 and updater.foresees and not updater.joint:
        await updater.foresee([await propose(candidate, updater, store, s) for candidate in candidates])
    for batch in [candidates] if updater.joint and candidates else [(candidate,) for candidate in candidates]:
        proposals = [await propose(candidate, updater, store, s) for candidate in batch]
        decided = await updater.decide(proposals)
        if len(decided) != len(proposals):
            raise ValueError(f"{type(updater).__name__} gave {len(decided)} decisions for {len(proposals)} proposals")
        yield proposals, decided


async def propose(candidate: Candidate, updater: Updater, store: Store, s: int) -> Proposal:
    """Return a candidate with the s memories most similar to it."""
    k = len(store.memories()) if updater.needs_all else s if updater.needs_related else 0
    return Proposal(candidate, tuple(await store.related(candidate.content, k)) if k > 0 else ())


async def applied(decision: Decision, store: Store) -> Decision:
    """Apply a decision and return it; an operation on a memory that is not live is left out and counted as a flaw."""
    operations, flaws = [], list(decision.flaws)
    for operation in decision.operations:
        try:
            await store.apply(operation)
            operations.append(operation)
        except UnknownMemoryError as error:
            flaws.append(f"refused: {error}")
    return Decision(tuple(operations), tuple(flaws))


async def replay(operations: Iterable[Operation], store: Store) -> None:
    """Bring an empty store to where recorded operations had brought it."""
    for operation in operations:
        await store.apply(operation)
