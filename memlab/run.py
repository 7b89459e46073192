"""Runs the pipeline over a dataset: conversations concurrently, each in order; what is recorded is never done again."""

import asyncio
from collections.abc import Iterable

from memlab.answer.words import content_stems
from memlab.ask import SEARCH, ask
from memlab.bounded import bounded
from memlab.dialogue import Conversation, Question
from memlab.fill import filled
from memlab.job import Job
from memlab.memory import Hit, Memory
from memlab.perspective import Owner
from memlab.records import Record, RecordError
from memlab.retrieve.per_speaker import PerSpeaker
from memlab.retrieve.retriever import Retriever
from memlab.score.answer_scores import Score, Trace, answer_scores, channel_score, evidence_scores, used_score
from memlab.score.decisions import decision_records
from memlab.store.store import Store
from memlab.stored import all_memories, graph_records, memory_records
from memlab.verdicts import NONE, asked, judge_answer, try_judge, verdict_scores, verdicts_by_answer


async def run_conversations(conversations: tuple[Conversation, ...], job: Job) -> None:
    """Run every conversation to its last score, and try the judge.

    `concurrency` conversations are in work at a time, and so many questions of all of them together.
    """
    places, asking = (asyncio.Semaphore(job.settings.concurrency) for _ in range(2))
    try:
        await bounded((run_conversation(one, job, asking) for one in conversations), places)
        past = [verdict for records in job.past["verdicts"].values() for verdict in records]
        tried = {asked(verdict) for verdict in past if verdict["status"] != NONE}
        await try_judge(job.parts.judge, conversations, tried, job.records, asking)
    finally:
        # What is on its way is paid for: it reaches the cache whatever ended the run.
        await job.parts.settle()
    # Unlike windows and answers these cost nothing to make again from what is recorded, so they are written at the end.
    for name, made in (("memories", job.memories), ("scores", job.scores)):
        job.records.replace(name, [record for one in conversations for record in made[one.id]])
    for name, made in (("graph", job.graph), ("decisions", job.decisions), ("states", job.states)):
        if records := [record for one in conversations for record in made[one.id]]:
            job.records.replace(name, records)


async def run_conversation(conversation: Conversation, job: Job, asking: asyncio.Semaphore) -> None:
    """Ingest a conversation, then answer, judge and score its questions."""
    async with filled(conversation, job) as stores:
        job.memories[conversation.id] = memory_records(conversation, stores)
        job.graph[conversation.id] = graph_records(conversation, stores)
        if conversation.gold:
            windows = job.past["ingest"][conversation.id]
            job.decisions[conversation.id], job.states[conversation.id] = decision_records(conversation, windows)
        await ask_all(conversation, stores, job, asking)


async def ask_all(conversation: Conversation, stores: dict[Owner, Store], job: Job, asking: asyncio.Semaphore) -> None:
    """Answer, judge and score the questions of a conversation, unless it is skipped for a failed window."""
    failed = any(record["status"] == "failed" for record in job.past["ingest"][conversation.id])
    if failed and job.settings.on_failed_window != "evaluate":
        return
    await job.parts.embedder.embed([question.text for question in conversation.questions])
    retriever = retriever_of(stores, job)
    answered = {(record["id"], record["attempt"]): record for record in job.past["answers"][conversation.id]}
    verdicts = verdicts_by_answer(job.past["verdicts"][conversation.id])
    # In a thread: the first time, what it imports takes seconds, in which other conversations go on.
    trace = await asyncio.to_thread(trace_of, conversation, job.past["ingest"][conversation.id], list(stores.values()))
    known = {memory.id: memory for _, memory in all_memories(stores)}

    async def score(question: Question, attempt: int) -> list[Record]:
        record = await answer(question, attempt, conversation, answered.get((question.id, attempt)), retriever, job)
        past = verdicts.get((question.id, attempt), [])
        found = await judge_answer(job.parts.judge, question, record, past, job.records)
        if job.parts.judge.rubrics:
            job.stages.advance("judge", len(found))
        scores = scores_of(question, record, known, trace)
        scores += verdict_scores(question, record, found, job.parts.judge.rubrics)
        return [
            {key: record[key] for key in ("id", "attempt", "conversation", "category")}
            | {"metric": score.metric, "value": score.value, "reason": score.reason}
            for score in scores
        ]

    attempts = range(1, job.settings.repeats + 1)
    rows = await bounded((score(q, attempt) for attempt in attempts for q in conversation.questions), asking)
    job.scores[conversation.id] = [row for of_answer in rows for row in of_answer]


async def answer(
    question: Question, attempt: int, conversation: Conversation, past: Record | None, retriever: Retriever, job: Job
) -> Record:
    """Return the record of an answer: the one from before or a new one."""
    record = past
    if record is None:
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
    return record


def retriever_of(stores: dict[Owner, Store], job: Job) -> Retriever:
    """Return the retriever of a conversation: over its one store, or over both."""
    found = {owner: job.parts.new_retriever(store) for owner, store in stores.items()}
    return found[None] if None in found else PerSpeaker(found)


def trace_of(conversation: Conversation, past: list[Record], stores: Iterable[Store]) -> Trace:
    """Return which turns were ingested, extracted from, and are behind a live memory, and what they said."""
    return Trace(
        ingested={turn for record in past if record["status"] == "done" for turn in record["turns"]},
        extracted={source for record in past for c in record["candidates"] for source in c["sources"]},
        survived={source for store in stores for memory in store.memories() for source in memory.sources},
        words={turn.id: content_stems(turn.text or turn.caption or "") for turn in conversation.turns},
    )


def scores_of(question: Question, record: Record, known: dict[str, Memory], trace: Trace) -> list[Score]:
    """Return all scores of a recorded answer that need no judge."""
    ranking = hits_of(question, record, known)
    head = ranking[: record["shown"]]
    failed, channels = record["status"] == "failed", record.get("channels", {})
    return [
        *answer_scores(question, record["answer"]),
        *evidence_scores(question, ranking, head, trace, searched=record.get("failed_at") != SEARCH),
        used_score(question, head, record["used"], failed=failed),
        *(channel_score(question, name, hits_of(question, c, known)[: c["shown"]]) for name, c in channels.items()),
    ]


def hits_of(question: Question, ranked: Record, known: dict[str, Memory]) -> list[Hit]:
    """Return the hits that a record holds, of an answer or of one channel of its search."""
    if unknown := [id for id, _ in ranked["hits"] if id not in known]:
        raise RecordError(f"answers.jsonl: {question.id} has hits {unknown[:3]}, which are no memories of this run")
    return [Hit(known[id], score) for id, score in ranked["hits"]]
