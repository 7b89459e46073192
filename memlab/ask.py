"""The read path: retrieve, answer, and what it cost."""

from collections.abc import Iterable, Sequence

from memlab.answer.answerer import Answerer
from memlab.context import context_tokens, within
from memlab.dialogue import Question
from memlab.llm.meter import Meter, metered
from memlab.memory import Hit
from memlab.part import PartFailed
from memlab.records import Record
from memlab.retrieve.channels import Channel, by_name, traced
from memlab.retrieve.retriever import Retriever
from memlab.score.evidence import BUDGETS, RANKS

SCORE_DIGITS = 6
"""Decimals of a hit's score in a record; beyond them processors differ."""

SEARCH, ANSWER = "search", "answer"
"""The steps that a failed answer can have failed at."""


async def ask(question: Question, retriever: Retriever, answerer: Answerer) -> Record:
    """Return what a question was answered with, as the fields of its line in answers.jsonl.

    A part that fails makes a failed answer, with the reason. Neither part sees gold, evidence or category.
    """
    ranking: list[Hit] = []
    shown: list[Hit] = []
    found: Record = {}
    step = SEARCH
    with metered() as meter, traced() as channels:
        search_seconds = 0.0
        try:
            ranking = await retriever.rank(question.asked(), retriever.depth(hits=max(RANKS), tokens=max(BUDGETS)))
            search_seconds = meter.seconds()
            step = ANSWER
            shown = retriever.shown(ranking)
            found = alone(channels, retriever)
            given = await answerer.answer(question.asked(), shown)
        except PartFailed as failure:
            said: Record = {"status": "failed", "failed_at": step, "reason": str(failure)}
            said |= dict.fromkeys(("answer", "used", "reply"))
        else:
            used = None if given.used is None else list(given.used)
            said = {"status": "answered", "answer": given.text, "used": used, "reply": given.reply}
        total_seconds = meter.seconds()
    return {
        **said,
        **retrieved(ranking, shown),
        **found,
        **spent(meter),
        "search_seconds": search_seconds,
        "total_seconds": total_seconds,
    }


def retrieved(ranking: list[Hit], shown: list[Hit]) -> Record:
    """Return the fields on hits and context; the ranking as far as any metric looks at it."""
    kept = ranking[: max(len(shown), max(RANKS), len(within(ranking, max_tokens=max(BUDGETS))))]
    return {**hits_field(kept), **shown_fields(shown)}


def hits_field(kept: Iterable[Hit]) -> Record:
    """Return the field on what was ranked: ids and scores, best first."""
    return {"hits": [[hit.memory.id, round(hit.score, SCORE_DIGITS)] for hit in kept]}


def shown_fields(shown: Sequence[Hit]) -> Record:
    """Return the fields on how many hits fit, and the tokens of context they cost."""
    return {"shown": len(shown), "context_tokens": context_tokens(shown)}


def alone(channels: Sequence[Channel], retriever: Retriever) -> Record:
    """Return the field on what each channel of a fused retriever would show alone within its bounds; none for one."""
    if len(channels) < 2:
        return {}
    found = {}
    for name, channel in by_name(channels).items():
        shown = retriever.shown(channel.ranking)
        kept = channel.ranking[: max(len(shown), max(RANKS))]
        found[name] = {**hits_field(kept), **shown_fields(shown), "search_seconds": channel.seconds}
    return {"channels": found}


def spent(meter: Meter) -> Record:
    """Return the fields on calls and tokens; seconds of retries are kept apart from those of the work."""
    return {
        "prompt_tokens": meter.spent.prompt_tokens,
        "completion_tokens": meter.spent.completion_tokens,
        "spent": meter.spent.record(),
        "flaws": meter.flaws,
        "replayed": meter.spent.replayed > 0,
    }
