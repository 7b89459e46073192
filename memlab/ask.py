"""The read path: retrieve, answer, and what it cost."""

from time import perf_counter

from memlab.answer.answerer import Answerer
from memlab.context import context_tokens, within
from memlab.dialogue import Question
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
    start = perf_counter()
    ranking: list[Hit] = []
    searched = start
    try:
        ranking = await retriever.rank(question.asked(), retriever.depth(hits=max(RANKS), tokens=max(BUDGETS)))
        searched = perf_counter()
        shown = within(ranking, top_k=retriever.top_k, max_tokens=retriever.max_tokens)
        given = await answerer.answer(question.asked(), shown)
    except PartFailed as failure:
        nothing = {"answer": None, "used": None, "prompt_tokens": 0, "completion_tokens": 0}
        return {"status": "failed", "reason": str(failure), **nothing, **retrieved(ranking, [], start, searched)}
    return {
        "status": "answered",
        "answer": given.text,
        "used": None if given.used is None else list(given.used),
        "prompt_tokens": given.prompt_tokens,
        "completion_tokens": given.completion_tokens,
        **retrieved(ranking, shown, start, searched),
    }


def retrieved(ranking: list[Hit], shown: list[Hit], start: float, searched: float) -> Record:
    """Return the fields on hits, context and time; the ranking as far as any metric looks at it."""
    kept = ranking[: max(len(shown), max(RANKS), len(within(ranking, max_tokens=max(BUDGETS))))]
    return {
        "hits": [[hit.memory.id, round(hit.score, SCORE_DIGITS)] for hit in kept],
        "shown": len(shown),
        "context_tokens": context_tokens(shown),
        "search_seconds": searched - start,
        "total_seconds": perf_counter() - start,
        "replayed": False,
    }
