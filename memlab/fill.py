"""Brings the stores of a conversation to its end: what is recorded is replayed, the rest is ingested and recorded."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import replace

from memlab.dialogue import Conversation
from memlab.extract.extractor import Window
from memlab.extract.summary import NoSummary
from memlab.ingest import Outcome, ingest, replay
from memlab.job import Job
from memlab.look_ahead import look_ahead
from memlab.memory_json import candidate_from_json, candidate_to_json, operation_from_json, operation_to_json
from memlab.part import PartFailed
from memlab.perspective import Owner, owners
from memlab.records import Record, RecordError
from memlab.store.store import Store
from memlab.summaries import Summaries, Summary, summary_record
from memlab.windows import windows


class NothingExtracted(PartFailed):
    """So many windows in a row gave no candidate that going on would be a waste."""


@asynccontextmanager
async def filled(conversation: Conversation, job: Job) -> AsyncIterator[dict[Owner, Store]]:
    """Hold open the stores of a conversation, one for each of its owners, with all of its windows ingested."""
    every = windows(conversation, size=job.parts.extractor.messages_per_window, m=job.settings.m)
    stores = {owner: job.parts.new_store() for owner in owners(conversation, job.settings.perspective)}
    async with AsyncExitStack() as opened:
        for owner, store in stores.items():
            opened.push_async_callback(store.close)
            await store.open("/".join((job.records.folder.path.name, conversation.id, *([owner] if owner else []))))
        summaries = summaries_of(conversation, every, job)
        try:
            async with asyncio.TaskGroup() as tasks:
                for owner, store in stores.items():
                    own = [replace(window, owner=owner) for window in every]
                    tasks.create_task(fill(store, owner, own, summaries, conversation, job))
        finally:
            await summaries.close()
        yield stores


def summaries_of(conversation: Conversation, every: Sequence[Window], job: Job) -> Summaries:
    """Return the summaries of a conversation; the recorded ones are not written again."""

    def keep(summary: Summary) -> None:
        job.records.append("summaries", [summary_record(conversation.id, summary)])

    recorded = {record["window"]: record["text"] for record in job.past["summaries"][conversation.id]}
    summariser = job.parts.summary if job.parts.extractor.reads_summary else NoSummary()
    return Summaries(summariser, every, recorded, keep)


async def fill(
    store: Store, owner: Owner, every: Sequence[Window], summaries: Summaries, conversation: Conversation, job: Job
) -> None:
    """Bring an empty store to the end of its windows, or to the failed one that its conversation is skipped for."""
    parts, chosen = job.parts, job.settings
    past = [record for record in job.past["ingest"][conversation.id] if record["perspective"] == owner]
    check_windows(past, every, conversation.id)
    candidates = [candidate_from_json(candidate) for record in past for candidate in record["candidates"]]
    await parts.embedder.embed([text for candidate in candidates for text in candidate.content.texts])
    decided = [operations for record in past for operations in record["operations"]]
    await replay([operation_from_json(operation) for operations in decided for operation in operations], store)
    job.stages.advance("ingest", len(past))
    check_extracting(past, chosen.stop_after_empty, conversation.id)
    extractions = look_ahead(
        every, parts.extractor, parts.embedder, summaries, ahead=chosen.look_ahead, first=len(past)
    )
    # Closed at once when a window ends it: what runs ahead must not go on asking.
    async with aclosing(extractions), aclosing(ingest(extractions, parts.updater, store, s=chosen.s)) as outcomes:
        async for outcome in outcomes:
            if outcome.failure is not None and chosen.on_failed_window == "stop":
                raise outcome.failure
            record = window_record(conversation.id, owner, len(past), outcome)
            job.records.append("ingest", [record])
            past.append(record)
            job.past["ingest"][conversation.id].append(record)
            job.stages.advance("ingest")
            check_extracting(past, chosen.stop_after_empty, conversation.id)
            if outcome.failure is not None and chosen.on_failed_window == "skip":
                return  # what came after it would be taken back, and paid for anew, by the run that mends it


def check_windows(past: list[Record], every: Sequence[Window], conversation: str) -> None:
    """Raise RecordError unless the recorded windows are the first ones of the conversation, in order."""
    for number, record in enumerate(past):
        expected = number < len(every) and [turn.id for turn in every[number].new]
        if record["window"] != number or record["turns"] != expected:
            raise RecordError(
                f"ingest.jsonl lacks window {number} of {conversation}, or holds another in its place; it was changed "
                "by hand or damaged. Remove the run's folder to run it anew"
            )


def check_extracting(past: Sequence[Record], limit: int | None, conversation: str) -> None:
    """Raise NothingExtracted when none of the last `limit` windows gave a candidate."""
    if limit is None or len(past) < limit or any(record["candidates"] for record in past[-limit:]):
        return
    reasons = [record["reason"] for record in past[-limit:] if record["reason"]]
    flaws = [flaw for record in past[-limit:] for flaw in record["extract_flaws"]]
    told = f"; {len(reasons)} of them failed, the last: {reasons[-1]}" if reasons else ""
    told += f"; {len(flaws)} flaws, the last: {flaws[-1]}" if flaws else ""
    raise NothingExtracted(
        f"{limit} windows in a row of {conversation} gave no candidate{told}. `python -m memlab doctor` tells what a "
        f"model can do; stop_after_empty={limit} is after how many such windows a run stops (null: never)"
    )


def window_record(conversation: str, owner: Owner, number: int, outcome: Outcome) -> Record:
    """Return the line of ingest.jsonl for a window."""
    extraction = outcome.extraction
    return {
        "conversation": conversation,
        "perspective": owner,
        "window": number,
        "status": "done" if outcome.failure is None else "failed",
        "reason": None if outcome.failure is None else str(outcome.failure),
        "turns": [turn.id for turn in extraction.window.new],
        "candidates": [candidate_to_json(candidate) for candidate in extraction.candidates],
        "related": [list(ids) for ids in outcome.related],
        "operations": [[operation_to_json(o) for o in decision.operations] for decision in outcome.decisions],
        "extract_flaws": list(extraction.flaws),
        "flaws": [list(decision.flaws) for decision in outcome.decisions],
        "calls": extraction.spent.calls + outcome.spent.calls,
        "tokens": extraction.spent.tokens + outcome.spent.tokens,
        "extract": extraction.spent.record(),
        "update": outcome.spent.record(),
        "seconds": extraction.seconds + outcome.update_seconds,
        "extract_seconds": extraction.seconds,
        "update_seconds": outcome.update_seconds,
    }
