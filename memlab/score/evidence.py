"""Does the evidence come back? Recall, coverage and precision, from turn ids and words alone, without any LLM."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from memlab.answer.words import content_stems
from memlab.context import within
from memlab.memory import Hit

RANKS = (1, 5, 10, 20, 50)
"""The k of recall@k."""

BUDGETS = (512, 1764, 3616)
"""Context tokens; 1,764 and 3,616 are the means of Mem0 and Mem0g in arXiv 2504.19413 table 2."""

HEADS = ("", *(f"@{k}" for k in RANKS), *(f"@{budget}t" for budget in BUDGETS))
"""The heads of a ranking that are scored: what was shown, the first k, and what fits a budget."""

RANKING_METRICS = tuple(f"evidence_{kind}{head}" for head in HEADS for kind in ("recall", "coverage", "precision"))


def sources(hits: Iterable[Hit]) -> set[str]:
    """Return the ids of all turns that the memories of some hits came from."""
    return {source for hit in hits for source in hit.memory.sources}


def recall(evidence: Sequence[str], found: Collection[str]) -> float:
    """Return the share of a question's evidence turns (at least one) that are found."""
    return sum(turn in found for turn in evidence) / len(evidence)


def coverage(evidence: Sequence[str], hits: Sequence[Hit], words: Mapping[str, frozenset[str]]) -> float:
    """Return recall, each turn counted by the share of its content words that memories which came from it still say.

    Recall credits a memory with every turn it ever came from. Splitting a turn, or merging many turns into one memory,
    can raise recall and lose the words; it cannot raise this.
    """
    return sum(kept(turn, hits, words.get(turn, frozenset())) for turn in evidence) / len(evidence)


def kept(turn: str, hits: Iterable[Hit], said: frozenset[str]) -> float:
    """Return the share of a turn's content words in the memories that came from it; 1 for a turn without any."""
    texts = [content_stems(hit.memory.text) for hit in hits if turn in hit.memory.sources]
    if not texts:
        return 0.0
    return len(said.intersection(frozenset().union(*texts))) / len(said) if said else 1.0


def precision(evidence: Collection[str], hits: Sequence[Hit]) -> float:
    """Return the share of hits that hold at least one evidence turn; 0 when nothing was retrieved."""
    return sum(not set(evidence).isdisjoint(hit.memory.sources) for hit in hits) / len(hits) if hits else 0.0


def ranking_scores(
    evidence: Sequence[str], ranking: Sequence[Hit], shown: Sequence[Hit], words: Mapping[str, frozenset[str]]
) -> dict[str, float]:
    """Return recall, coverage and precision of every head of a ranking."""
    heads = [list(shown), *(list(ranking[:k]) for k in RANKS)]
    heads += [within(ranking, max_tokens=budget) for budget in BUDGETS]
    scores = {}
    for name, head in zip(HEADS, heads, strict=True):
        scores[f"evidence_recall{name}"] = recall(evidence, sources(head))
        scores[f"evidence_coverage{name}"] = coverage(evidence, head, words)
        scores[f"evidence_precision{name}"] = precision(evidence, head)
    return scores
