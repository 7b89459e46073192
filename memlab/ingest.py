"""The write path: extract, relate, decide, apply (arXiv 2504.19413 section 2.1), and nothing else."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from time import perf_counter

from memlab.extract.extractor import Window
from memlab.look_ahead import Extraction
from memlab.memory import Candidate, Decision, Operation
from memlab.store.store import Store, UnknownMemoryError
from memlab.update.updater import Proposal, Updater


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one window did: for each candidate the ids of its related memories and the decision that was applied."""

    window: Window
    candidates: tuple[Candidate, ...]
    related: tuple[tuple[str, ...], ...]
    decisions: tuple[Decision, ...]
    extract_seconds: float
    update_seconds: float


async def ingest(
    extractions: AsyncIterator[Extraction], updater: Updater, store: Store, *, s: int
) -> AsyncIterator[Outcome]:
    """Apply to a store what was extracted, strictly in order; yield each window's outcome once it is applied."""
    async for extraction in extractions:
        start = perf_counter()
        related: list[tuple[str, ...]] = []
        decisions: list[Decision] = []
        candidates = extraction.candidates
        for batch in [candidates] if updater.joint and candidates else [(candidate,) for candidate in candidates]:
            proposals = [await propose(candidate, updater, store, s) for candidate in batch]
            decided = await updater.decide(proposals)
            if len(decided) != len(proposals):
                raise ValueError(
                    f"{type(updater).__name__} gave {len(decided)} decisions for {len(proposals)} proposals"
                )
            related += [tuple(hit.memory.id for hit in proposal.related) for proposal in proposals]
            decisions += [await applied(decision, store) for decision in decided]
        yield Outcome(
            window=extraction.window,
            candidates=candidates,
            related=tuple(related),
            decisions=tuple(decisions),
            extract_seconds=extraction.seconds,
            update_seconds=perf_counter() - start,
        )


async def propose(candidate: Candidate, updater: Updater, store: Store, s: int) -> Proposal:
    """Return a candidate with the s memories most similar to it."""
    wanted = s > 0 and updater.needs_related
    return Proposal(candidate, tuple(await store.related(candidate.content, s)) if wanted else ())


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
