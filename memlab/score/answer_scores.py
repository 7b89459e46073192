"""All metrics of one answered question."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from memlab.dialogue import Question
from memlab.memory import Hit
from memlab.score.evidence import RANKING_METRICS, ranking_scores, recall, sources
from memlab.score.overlap import bleu1, f1, locomo_f1

NO_GOLD = "no gold answer"
NO_EVIDENCE = "no valid evidence"
FAILED = "the answer failed"
SEARCH_FAILED = "the search failed"
CANNOT_TELL = "the answerer cannot tell what it used"

ANSWER_METRICS = ("f1", "bleu1", "locomo_f1")
STAGES = ("ingested", "extracted", "survived", "retrieved")
FUNNEL = (*STAGES, "used")
EVIDENCE_METRICS = (*RANKING_METRICS, *(f"evidence_{stage}" for stage in STAGES))
USED = "evidence_used"


@dataclass(frozen=True, slots=True)
class Score:
    """A metric's value, or the reason why there is none."""

    metric: str
    value: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """What is known of a conversation: the turns behind windows, candidates and live memories; each turn's words."""

    ingested: Collection[str]
    extracted: Collection[str]
    survived: Collection[str]
    words: Mapping[str, frozenset[str]]


def answer_scores(question: Question, answer: str | None) -> list[Score]:
    """Return the scores of an answer's words; None is an answer that failed, which is never a zero."""
    if answer is None:
        return [Score(metric, None, FAILED) for metric in ANSWER_METRICS]
    locomo = Score("locomo_f1", locomo_f1(question.category, question.gold or "", answer))
    if question.gold is None:
        return [Score("f1", None, NO_GOLD), Score("bleu1", None, NO_GOLD), locomo]
    return [Score("f1", f1(question.gold, answer)), Score("bleu1", bleu1(question.gold, answer)), locomo]


def evidence_scores(
    question: Question, ranking: Sequence[Hit], shown: Sequence[Hit], trace: Trace, *, searched: bool = True
) -> list[Score]:
    """Return recall, coverage, precision and funnel of a question's evidence; `shown` is what the answerer saw.

    A search that failed (not `searched`) found nothing, which is no zero.
    """
    evidence = question.evidence
    if not evidence:
        return [Score(metric, None, NO_EVIDENCE) for metric in EVIDENCE_METRICS]
    stages = (trace.ingested, trace.extracted, trace.survived, sources(shown))
    values = ranking_scores(evidence, ranking, shown, trace.words)
    values |= {f"evidence_{stage}": recall(evidence, found) for stage, found in zip(STAGES, stages, strict=True)}
    unknown = () if searched else (*RANKING_METRICS, "evidence_retrieved")
    return [
        Score(metric, None, SEARCH_FAILED) if metric in unknown else Score(metric, values[metric])
        for metric in EVIDENCE_METRICS
    ]


def channel_score(question: Question, channel: str, shown: Sequence[Hit]) -> Score:
    """Return the recall of a question's evidence by what one channel alone would show."""
    if not question.evidence:
        return Score(metric_of(channel), None, NO_EVIDENCE)
    return Score(metric_of(channel), recall(question.evidence, sources(shown)))


def metric_of(channel: str) -> str:
    """Return what the evidence recall of one channel alone is called: `evidence_recall[nearest]`."""
    return f"evidence_recall[{channel}]"


def used_score(question: Question, shown: Sequence[Hit], used: Collection[str] | None, *, failed: bool) -> Score:
    """Return the funnel's last stage: the share of the evidence behind the memories that the answer rests on."""
    if not question.evidence:
        return Score(USED, None, NO_EVIDENCE)
    if used is None:
        return Score(USED, None, FAILED if failed else CANNOT_TELL)
    return Score(USED, recall(question.evidence, sources(hit for hit in shown if hit.memory.id in used)))
