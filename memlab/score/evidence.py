"""Does the evidence come back? Recall, precision and the loss funnel, from turn ids alone, without any LLM."""

from collections.abc import Collection, Iterable, Sequence

from memlab.context import within
from memlab.memory import Hit

RANKS = (1, 5, 10, 20, 50)
"""The k of recall@k and precision@k."""

BUDGETS = (512, 1764, 3616)
"""Context tokens; 1,764 and 3,616 are the means of Mem0 and Mem0g in arXiv 2504.19413 table 2."""


def sources(hits: Iterable[Hit]) -> set[str]:
    """Return the ids of all turns that the memories of some hits came from."""
    return {source for hit in hits for source in hit.memory.sources}


def recall(evidence: Sequence[str], found: Collection[str]) -> float:
    """Return the share of a question's evidence turns (at least one) that are found."""
    return sum(turn in found for turn in evidence) / len(evidence)


def precision(evidence: Collection[str], hits: Sequence[Hit]) -> float:
    """Return the share of hits that hold at least one evidence turn; 0 when nothing was retrieved."""
    return sum(not set(evidence).isdisjoint(hit.memory.sources) for hit in hits) / len(hits) if hits else 0.0


def ranking_scores(evidence: Sequence[str], ranking: Sequence[Hit]) -> dict[str, float]:
    """Return recall and precision of a ranking's heads: at each rank, and within each token budget."""
    heads = {f"@{k}": list(ranking[:k]) for k in RANKS}
    heads |= {f"@{budget}t": within(ranking, max_tokens=budget) for budget in BUDGETS}
    scores = {}
    for name, head in heads.items():
        scores[f"evidence_recall{name}"] = recall(evidence, sources(head))
        scores[f"evidence_precision{name}"] = precision(evidence, head)
    return scores


def funnel(
    evidence: Sequence[str],
    *,
    ingested: Collection[str],
    extracted: Collection[str],
    survived: Collection[str],
    shown: Sequence[Hit],
    used: Collection[str],
) -> dict[str, float]:
    """Return the share of the evidence turns that is left after each stage of the pipeline.

    ingested: in a window; extracted: behind a candidate; survived: behind a live memory at the end; retrieved: behind
    a memory that was shown; used: behind a memory that the answer rests on.
    """
    return {
        "evidence_ingested": recall(evidence, ingested),
        "evidence_extracted": recall(evidence, extracted),
        "evidence_survived": recall(evidence, survived),
        "evidence_retrieved": recall(evidence, sources(shown)),
        "evidence_used": recall(evidence, sources(hit for hit in shown if hit.memory.id in used)),
    }
