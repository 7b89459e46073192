"""The read path: retrieve, answer, and what it cost."""

from memlab.answer.answerer import Answerer
from memlab.context import context_tokens, within
from memlab.dialogue import Question
from memlab.llm.meter import Meter, metered
from memlab.memory import Hit
from memlab.part import PartFailed
from memlab.records import Record
from memlab.retrieve.retriever import Retriever
from memlab.score.evidence import BUDGETS, RANKS

SCORE_DIGITS = 6
"""Decimals of a hit's score in a record; beyond them processors differ."""


async def ask(question: Question, retriever: Retriever, answerer: Answerer) -> Record:
    """Return what a question was answered with, as the fields of its line in answers.jsonl.

    A part that fails makes a failed answer, with the reason. Neither part sees gold, evidence or category.
    """
    ranking: list[Hit] = []
    shown: list[Hit] = []
    with metered() as meter:
        search_seconds = 0.0
        try:
            ranking = await retriever.rank(question.asked(), retriever.depth(hits=max(RANKS), tokens=max(BUDGETS)))
            search_seconds = meter.seconds()
            shown = retriever.shown(ranking)
            given = await answerer.answer(question.asked(), shown)
        except PartFailed as failure:
            said: Record = {"status": "failed", "reason": str(failure), "answer": None, "used": None, "reply": None}
        else:
            used = None if given.used is None else list(given.used)
            said = {"status": "answered", "answer": given.text, "used": used, "reply": given.reply}
        total_seconds = meter.seconds()
    return {
        **said,
        **retrieved(ranking, shown),
        **spent(meter),
        "search_seconds": search_seconds,
        "total_seconds": total_seconds,
    }


def retrieved(ranking: list[Hit], shown: list[Hit]) -> Record:
    """Return the fields on hits and context; the ranking as far as any metric looks at it."""
    kept = ranking[: max(len(shown), max(RANKS), len(within(ranking, max_tokens=max(BUDGETS))))]
    return {
        "hits": [[hit.memory.id, round(hit.score, SCORE_DIGITS)] for hit in kept],
        "shown": len(shown),
        "context_tokens": context_tokens(shown),
    }


def spent(meter: Meter) -> Record:
    """Return the fields on calls and tokens; seconds of retries are kept apart from those of the work."""
    return {
        "prompt_tokens": meter.spent.prompt_tokens,
        "completion_tokens": meter.spent.completion_tokens,
        "spent": meter.spent.record(),
        "flaws": meter.flaws,
        "replayed": meter.spent.replayed > 0,
    }
