"""Where each evidence turn of a question was lost on its way to the answer."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memlab.records import Record
from memlab.score.answer_scores import FUNNEL

ARRIVED = len(FUNNEL)
"""The fate of a turn that the answer rests on."""
SHOWN = ARRIVED + 1
"""The fate of a turn that was shown to an answerer which cannot tell what it used."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The turns of a conversation that got through the stages before retrieval, each a set."""

    stages: tuple[Collection[str], ...]


def reached(windows: Iterable[Record], memories: Iterable[Record]) -> Reached:
    """Return the turns that were ingested, extracted from, and are behind a live memory.

    Windows that an older memlab recorded have no status: all were done.
    """
    windows = list(windows)
    return Reached(
        (
            {turn for window in windows if window.get("status", "done") == "done" for turn in window["turns"]},
            {turn for window in windows for candidate in window["candidates"] for turn in candidate["sources"]},
            {turn for memory in memories if memory["retired_at"] is None for turn in memory["sources"]},
        )
    )


def fates(
    evidence: Sequence[str], before: Reached, answer: Record, sources: Mapping[str, Sequence[str]]
) -> list[int] | None:
    """Return of each evidence turn the place in FUNNEL of the first stage that it did not reach, ARRIVED or SHOWN.

    None when the search failed: then nothing can be said. `sources` are the turns behind each memory by its id.
    """
    if answer.get("failed_at") == "search":
        return None
    shown = [id_ for id_, _ in answer["hits"][: answer["shown"]]]
    used = answer["used"]
    last = [{turn for id_ in shown for turn in sources.get(id_, ())}]
    if used is not None:
        kept = set(used)
        last.append({turn for id_ in shown if id_ in kept for turn in sources.get(id_, ())})
    stages = (*before.stages, *last)
    end = ARRIVED if used is not None else SHOWN
    return [next((place for place, found in enumerate(stages) if turn not in found), end) for turn in evidence]


def fate_of_shares(shares: Sequence[Any]) -> list[int] | None:
    """Return the fate of the evidence as a whole, from the share that got through each stage; None: not known."""
    if any(share is None for share in shares[:-1]):
        return None
    lost = next((place for place, share in enumerate(shares) if share is not None and share < 1), None)
    return [lost if lost is not None else SHOWN if shares[-1] is None else ARRIVED]
