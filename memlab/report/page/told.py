"""The answer of a report in words: which run is best at which budget, and whether the difference is real."""

from collections.abc import Sequence

from memlab.compare.cells import OVERALL, family
from memlab.records import Record
from memlab.report.certainty import sentence
from memlab.report.figures.series import Series, named_series
from memlab.report.paired import both, values
from memlab.report.rows import Run, value_of

ASKED = {
    "evidence_recall@512t": "Evidence within 512 tokens",
    "evidence_recall@1764t": "Evidence within 1,764 tokens",
    "evidence_recall@3616t": "Evidence within 3,616 tokens",
    "f1": "Answers (F1)",
}
SEED = 0
CAVEAT = (
    "The best of several runs was chosen by looking at these very numbers, which flatters it; its lead over the next "
    "one is tested as if the pair had been named before."
)


def findings(runs: Sequence[Run], scores: Sequence[Sequence[Record]]) -> list[tuple[str, str, str]]:
    """Return what was asked, the best runs with their values, and how sure the first one's lead over the second is.

    `scores` are the records of each run's scores.jsonl; runs on different data are not compared.
    """
    if len({manifest["dataset"]["sha256"] for manifest, _ in runs}) > 1:
        return []
    _, series = named_series(runs)
    found = []
    for metric, asked in ASKED.items():
        ranked = ranking(series, metric)
        if not ranked:
            continue
        best = ", ".join(f"{series[place].label} {value:.3f}" for place, value in ranked[:3])
        sure = ""
        if len(ranked) > 1:
            (first, _), (second, _) = ranked[:2]
            pairs = both(values(scores[second], metric), values(scores[first], metric))
            [[cell]] = family([pairs], (OVERALL,), seed=SEED)
            sure = sentence(metric, series[second].label, series[first].label, cell)
        found.append((asked, best, sure))
    return found


def ranking(series: Sequence[Series], metric: str) -> list[tuple[int, float]]:
    """Return the places of the runs and their values, the best first; without those for comparison only."""
    valued = [
        (place, value)
        for place, one in enumerate(series)
        if not one.sanity and (value := value_of(one.summary, metric)) is not None
    ]
    return sorted(valued, key=lambda own: -own[1])
