"""What judges say of answers, recorded verdict by verdict."""

import asyncio
from collections.abc import Container, Iterable, Sequence
from dataclasses import asdict, dataclass

from memlab.bounded import bounded
from memlab.dialogue import Conversation, Question
from memlab.judge.judge import Judge, Verdict, rubric_name
from memlab.judge.probes import Probe, probes
from memlab.llm.meter import metered
from memlab.part import PartFailed
from memlab.records import Record, RunWriter
from memlab.score.answer_scores import FAILED, NO_GOLD, Score

GIVEN, UNREAD, NONE = "given", "unread", "failed"
"""A verdict's status: it was given; no verdict could be read from the replies; there was no reply."""

NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class Asked:
    """One verdict to get: on which answer, by which rubric, which sample; `probe` when the answer is a judge's test."""

    id: str
    attempt: int
    rubric: str
    sample: int
    probe: str | None = None


def asked(record: Record) -> Asked:
    """Return what a recorded verdict is about."""
    return Asked(*(record[name] for name in ("id", "attempt", "rubric", "sample", "probe")))


async def judged(
    judge: Judge, question: Question, answer: str, conversation: str, wanted: Iterable[Asked], records: RunWriter
) -> list[Record]:
    """Return the wanted verdicts on an answer, each recorded as soon as it is there."""

    async def one(wish: Asked) -> Record:
        with metered() as meter:
            try:
                verdict = await judge.judge(question, answer, wish.rubric, wish.sample)
                status = UNREAD if verdict.correct is None else GIVEN
            except PartFailed as failure:
                verdict, status = Verdict(None, str(failure)), NONE
        record = {
            **asdict(wish),
            "conversation": conversation,
            "category": question.category,
            "status": status,
            **asdict(verdict),
            "answer": answer,
            "gold": question.gold,
            "flaws": meter.flaws,
            "spent": meter.spent.record(),
            "seconds": meter.seconds(),
        }
        records.append("verdicts", [record])
        return record

    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(one(wish)) for wish in wanted]
    return [task.result() for task in running]


async def judge_answer(
    judge: Judge, question: Question, record: Record, past: Iterable[Record], records: RunWriter
) -> list[Record]:
    """Return the verdicts on a recorded answer; those from before are asked for again only where there was no reply."""
    if record["status"] == "failed":
        return []
    known = {asked(verdict): verdict for verdict in past if verdict["answer"] == record["answer"]}
    open_ones = [
        wish
        for wish in wanted(judge, question, record["attempt"])
        if wish not in known or known[wish]["status"] == NONE
    ]
    new = await judged(judge, question, record["answer"], record["conversation"], open_ones, records)
    return list((known | {asked(verdict): verdict for verdict in new}).values())


async def try_judge(
    judge: Judge,
    conversations: Sequence[Conversation],
    tried: Container[Asked],
    records: RunWriter,
    places: asyncio.Semaphore,
) -> None:
    """Let a judge judge answers that are wrong, or right, on purpose; those it was tried with before are left out."""

    home = {question.id: conversation.id for conversation in conversations for question in conversation.questions}

    async def one(probe: Probe) -> None:
        wishes = [Asked(probe.question.id, 1, rubric, 0, probe.kind) for rubric in judge.rubrics]
        open_ones = [wish for wish in wishes if wish not in tried]
        await judged(judge, probe.question, probe.answer, home[probe.question.id], open_ones, records)

    if judge.rubrics and judge.probes:
        await bounded((one(probe) for probe in probes(conversations, judge.probes)), places)


def verdicts_by_answer(records: Iterable[Record]) -> dict[tuple[str, int], list[Record]]:
    """Return the recorded verdicts of each answer, those on a judge's probes left out."""
    found: dict[tuple[str, int], list[Record]] = {}
    for record in records:
        if record["probe"] is None:
            found.setdefault((record["id"], record["attempt"]), []).append(record)
    return found


def wanted(judge: Judge, question: Question, attempt: int) -> list[Asked]:
    """Return the verdicts that an answer needs; none where there is no gold answer."""
    if question.gold is None:
        return []
    return [Asked(question.id, attempt, rubric, sample) for rubric in judge.rubrics for sample in range(judge.repeats)]


def verdict_scores(
    question: Question, answer: Record, verdicts: Iterable[Record], rubrics: Iterable[str]
) -> list[Score]:
    """Return a score by each rubric: the share of verdicts that say correct; a verdict that failed is never a zero."""
    found = list(verdicts)
    scores = []
    for rubric in rubrics:
        own = [record for record in found if record["rubric"] == rubric]
        given = [float(record["correct"]) for record in own if record["correct"] is not None]
        metric = f"judge_{rubric_name(rubric)}"
        if given:
            scores.append(Score(metric, sum(given) / len(given)))
        else:
            scores.append(Score(metric, None, unscored(question, answer, own)))
    return scores


def unscored(question: Question, answer: Record, verdicts: list[Record]) -> str:
    """Return why there is no verdict on an answer; the same words for the same kind, so that they can be counted."""
    if answer["status"] == "failed":
        return FAILED
    if question.gold is None:
        return NO_GOLD
    if not verdicts:
        return NOT_JUDGED
    return "the judge's reply could not be read" if verdicts[-1]["status"] == UNREAD else "the judge failed"
