"""What each channel of a fused search brings back alone, at what cost, and what only it brings back."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memlab.records import Record
from memlab.score.answer_scores import metric_of
from memlab.score.statistics import percentile
from memlab.summary.cells import metrics


def channels(
    answers: Sequence[Record], scores: Sequence[Record], cells: Mapping[str, Any], *, seed: int
) -> dict[str, Any]:
    """Return the numbers of each channel by its name, of answers that were given; none for a search of one channel.

    `evidence_recall`, `whole` and `alone` are cells overall and per category. `whole`: the share of questions all of
    whose evidence the channel alone would show within the same bounds; `alone`: those that no other channel would.
    """
    names = list(dict.fromkeys(name for answer in answers for name in answer.get("channels", {})))
    shares = metrics(share_scores(names, scores), seed=seed)
    return {
        name: {
            "evidence_recall": cells.get(metric_of(name), {}),
            "whole": shares.get(f"whole {name}", {}),
            "alone": shares.get(f"alone {name}", {}),
            **costs([answer["channels"][name] for answer in answers if name in answer.get("channels", {})]),
        }
        for name in names
    }


def share_scores(names: Sequence[str], scores: Sequence[Record]) -> Iterator[Record]:
    """Yield for each channel and answer with evidence whether it showed all of it, and whether no other did."""
    channel_of = {metric_of(name): name for name in names}
    by_answer: dict[tuple[str, int], dict[str, Record]] = defaultdict(dict)
    for score in scores:
        if score["metric"] in channel_of and score["value"] is not None:
            by_answer[score["id"], score["attempt"]][channel_of[score["metric"]]] = score
    for recalls in by_answer.values():
        whole = {name for name, score in recalls.items() if score["value"] == 1}
        for name, score in recalls.items():
            yield {**score, "metric": f"whole {name}", "value": float(name in whole)}
            yield {**score, "metric": f"alone {name}", "value": float(whole == {name})}


def costs(searches: Sequence[Record]) -> dict[str, Any]:
    """Return mean tokens of what a channel alone would show, and p50 and p95 of its own seconds."""
    seconds = [search["search_seconds"] for search in searches]
    return {
        "context_tokens": sum(search["context_tokens"] for search in searches) / len(searches),
        "search_p50_seconds": percentile(seconds, 0.50),
        "search_p95_seconds": percentile(seconds, 0.95),
    }
