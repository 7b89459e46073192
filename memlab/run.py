"""Runs the pipeline over a dataset: conversations concurrently, each in order; what is recorded is never done again."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field

from memlab.answer.words import content_stems
from memlab.ask import ask
from memlab.config import Parts, Settings
from memlab.dialogue import Conversation, Question
from memlab.extract.extractor import Window
from memlab.ingest import Outcome, ingest, replay
from memlab.look_ahead import look_ahead
from memlab.memory import Hit, Memory
from memlab.memory_json import candidate_to_json, memory_to_json, operation_from_json, operation_to_json
from memlab.progress import Stages
from memlab.records import Record, RecordError, RunWriter
from memlab.score.answer_scores import Score, Trace, answer_scores, evidence_scores, used_score
from memlab.store.store import Store
from memlab.windows import windows

ByConversation = defaultdict[str, list[Record]]
"""Records by the id of their conversation; none for a conversation that has none yet."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run: its parts and settings, and by conversation what is recorded already and what will be at the end."""

    parts: Parts
    settings: Settings
    records: RunWriter
    stages: Stages
    ingested: ByConversation
    answered: ByConversation
    memories: ByConversation = field(default_factory=lambda: defaultdict(list))
    scores: ByConversation = field(default_factory=lambda: defaultdict(list))


def by_conversation(records: list[Record]) -> ByConversation:
    """Return records grouped by the conversation they are of."""
    grouped: ByConversation = defaultdict(list)
    for record in records:
        grouped[record["conversation"]].append(record)
    return grouped


async def run_conversations(conversations: tuple[Conversation, ...], job: Job) -> None:
    """Run every conversation to its last score, `concurrency` of them at a time."""
    places = asyncio.Semaphore(job.settings.concurrency)

    async def in_turn(conversation: Conversation) -> None:
        async with places:
            await run_conversation(conversation, job)

    async with asyncio.TaskGroup() as tasks:
        for conversation in conversations:
            tasks.create_task(in_turn(conversation))
    # Unlike windows and answers these cost nothing to make again from what is recorded, so they are written at the end.
    job.records.replace("memories", [record for one in conversations for record in job.memories[one.id]])
    job.records.replace("scores", [record for one in conversations for record in job.scores[one.id]])


async def run_conversation(conversation: Conversation, job: Job) -> None:
    """Ingest a conversation, then answer and score its questions."""
    store = job.parts.new_store()
    await fill(store, conversation, job)
    job.memories[conversation.id] = [
        {"conversation": conversation.id, **memory_to_json(memory)} for memory in store.memories(retired=True)
    ]
    retriever = job.parts.new_retriever(store)
    await job.parts.embedder.embed([question.text for question in conversation.questions])
    done = {(record["id"], record["attempt"]): record for record in job.answered[conversation.id]}
    trace = trace_of(conversation, job.ingested[conversation.id], store)
    known = {memory.id: memory for memory in store.memories(retired=True)}
    scores = job.scores[conversation.id] = []
    for attempt in range(1, job.settings.repeats + 1):
        for question in conversation.questions:
            record = done.get((question.id, attempt))
            if record is None or record["status"] == "failed":
                record = {
                    "id": question.id,
                    "attempt": attempt,
                    "conversation": conversation.id,
                    "category": question.category,
                    "question": question.text,
                    "gold": question.gold,
                    **await ask(question, retriever, job.parts.answerer),
                }
                job.records.append("answers", [record])
            job.stages.advance("answer")
            scores += [
                {key: record[key] for key in ("id", "attempt", "conversation", "category")}
                | {"metric": score.metric, "value": score.value, "reason": score.reason}
                for score in scores_of(question, record, known, trace)
            ]


async def fill(store: Store, conversation: Conversation, job: Job) -> None:
    """Bring an empty store to the end of its conversation: recorded windows are replayed, the others ingested."""
    parts, chosen = job.parts, job.settings
    every = windows(conversation, size=parts.extractor.messages_per_window, m=chosen.m)
    past = job.ingested[conversation.id]
    check_windows(past, every, conversation.id)
    operations = [operation_from_json(o) for record in past for decided in record["operations"] for o in decided]
    await parts.embedder.embed([c["content"]["text"] for record in past for c in record["candidates"]])
    await replay(operations, store)
    job.stages.advance("ingest", len(past))
    ahead = look_ahead(every[len(past) :], parts.extractor, parts.embedder, ahead=chosen.look_ahead)
    number = len(past)
    async for outcome in ingest(ahead, parts.updater, store, s=chosen.s):
        record = window_record(conversation, number, outcome)
        job.records.append("ingest", [record])
        past.append(record)
        job.stages.advance("ingest")
        number += 1


def check_windows(past: list[Record], every: list[Window], conversation: str) -> None:
    """Raise RecordError unless the recorded windows are the first ones of the conversation, in order."""
    for number, record in enumerate(past):
        expected = number < len(every) and [turn.id for turn in every[number].new]
        if record["window"] != number or record["turns"] != expected:
            raise RecordError(
                f"ingest.jsonl lacks window {number} of {conversation}, or holds another in its place; it was changed "
                "by hand or damaged. Remove the run's folder to run it anew"
            )


def window_record(conversation: Conversation, number: int, outcome: Outcome) -> Record:
    """Return the line of ingest.jsonl for a window."""
    return {
        "conversation": conversation.id,
        "window": number,
        "turns": [turn.id for turn in outcome.window.new],
        "candidates": [candidate_to_json(candidate) for candidate in outcome.candidates],
        "related": [list(ids) for ids in outcome.related],
        "operations": [[operation_to_json(o) for o in decision.operations] for decision in outcome.decisions],
        "flaws": [list(decision.flaws) for decision in outcome.decisions],
        "calls": 0,
        "tokens": 0,
        "seconds": outcome.extract_seconds + outcome.update_seconds,
        "extract_seconds": outcome.extract_seconds,
        "update_seconds": outcome.update_seconds,
    }


def trace_of(conversation: Conversation, past: list[Record], store: Store) -> Trace:
    """Return which turns were ingested, extracted from, and are behind a live memory, and what they said."""
    return Trace(
        ingested={turn for record in past for turn in record["turns"]},
        extracted={source for record in past for c in record["candidates"] for source in c["sources"]},
        survived={source for memory in store.memories() for source in memory.sources},
        words={turn.id: content_stems(turn.text or turn.caption or "") for turn in conversation.turns},
    )


def scores_of(question: Question, record: Record, known: dict[str, Memory], trace: Trace) -> list[Score]:
    """Return all scores of a recorded answer."""
    if unknown := [id for id, _ in record["hits"] if id not in known]:
        raise RecordError(f"answers.jsonl: {question.id} has hits {unknown[:3]}, which are no memories of this run")
    ranking = [Hit(known[id], score) for id, score in record["hits"]]
    head = ranking[: record["shown"]]
    failed = record["status"] == "failed"
    return [
        *answer_scores(question, record["answer"]),
        *evidence_scores(question, ranking, head, trace),
        used_score(question, head, record["used"], failed=failed),
    ]
