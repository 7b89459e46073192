"""All metrics of one answered question."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memlab.dialogue import Question
from memlab.memory import Hit
from memlab.score.evidence import funnel, precision, ranking_scores, recall, sources
from memlab.score.overlap import bleu1, f1, locomo_f1

NO_GOLD = "no gold answer"
NO_EVIDENCE = "no valid evidence"
FAILED = "the answer failed"

ANSWER_METRICS = ("f1", "bleu1", "locomo_f1")


@dataclass(frozen=True, slots=True)
class Score:
    """A metric's value, or the reason why there is none."""

    metric: str
    value: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """What is known of a conversation's ingestion: the turns behind its windows, candidates and live memories."""

    ingested: Collection[str]
    extracted: Collection[str]
    survived: Collection[str]


def answer_scores(question: Question, answer: str | None) -> list[Score]:
    """Return the scores of an answer's words; None is an answer that failed, which is never a zero."""
    if answer is None:
        return [Score(metric, None, FAILED) for metric in ANSWER_METRICS]
    locomo = Score("locomo_f1", locomo_f1(question.category, question.gold or "", answer))
    if question.gold is None:
        return [Score("f1", None, NO_GOLD), Score("bleu1", None, NO_GOLD), locomo]
    return [Score("f1", f1(question.gold, answer)), Score("bleu1", bleu1(question.gold, answer)), locomo]


def evidence_scores(
    question: Question, ranking: Sequence[Hit], *, shown: int, used: Collection[str], trace: Trace
) -> list[Score]:
    """Return recall, precision and funnel of a question's evidence; `shown` is how many hits the answerer was shown."""
    evidence = question.evidence
    scored = bool(evidence)
    head = ranking[:shown]
    known = evidence or ("",)
    values = {"evidence_recall": recall(known, sources(head)), "evidence_precision": precision(known, head)}
    values |= ranking_scores(known, ranking)
    values |= funnel(
        known, ingested=trace.ingested, extracted=trace.extracted, survived=trace.survived, shown=head, used=used
    )
    return [
        Score(metric, value if scored else None, None if scored else NO_EVIDENCE) for metric, value in values.items()
    ]
