"""What a run holds of each conversation, for the page: memories with their story, and answers with what was found."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memlab.memory_json import content_from_json
from memlab.records import Record, RunFolder
from memlab.report.page.fates import Reached, fate_of_shares, fates, reached
from memlab.score.answer_scores import FUNNEL
from memlab.summary.summary import latest, latest_verdicts

MOST_HITS = 30
"""Memories that are listed for a question; of those after them, only the ones that carry evidence."""

ByAnswer = Mapping[tuple[str, int], Any]
Grouped = Mapping[str, list[Record]]


@dataclass(frozen=True, slots=True)
class Held:
    """A run as the page shows it: rows of memories and of answers by conversation, and its answers as recorded."""

    memories: dict[str, list[list[Any]]]
    answers: dict[str, list[list[Any]]]
    recorded: list[Record]


def held(folder: RunFolder, scores: Iterable[Record], evidence: Mapping[str, Sequence[str]]) -> Held:
    """Return what a run holds; `evidence` has the turns behind each question, as far as they are known."""
    recorded = latest(folder.read("answers"))
    memories, windows, answers = map(grouped, (folder.read("memories"), folder.read("ingest"), recorded))
    values, verdicts = values_of(scores), verdicts_of(folder)
    made: dict[str, list[list[Any]]] = {}
    asked: dict[str, list[list[Any]]] = {}
    for conversation in dict.fromkeys((*memories, *answers)):
        own = memories[conversation]
        stories = told(windows[conversation])
        made[conversation] = [memory_row(memory, stories.get(memory["id"], [])) for memory in own]
        found = Found(own, reached(windows[conversation], own))
        asked[conversation] = [
            answer_row(answer, found, evidence.get(answer["id"], ()), values, verdicts)
            for answer in answers[conversation]
        ]
    return Held(made, asked, recorded)


def grouped(records: Iterable[Record]) -> defaultdict[str, list[Record]]:
    """Return records by conversation."""
    found: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        found[record["conversation"]].append(record)
    return found


def memory_row(memory: Record, story: list[Any]) -> list[Any]:
    """Return a memory: id, text, turns, created, retired, earlier texts with their times, what happened to it."""
    earlier = [[content_from_json(old["content"]).text, day(old["updated_at"])] for old in memory["history"]]
    text = content_from_json(memory["content"]).text
    return [memory["id"], text, memory["sources"], day(memory["created_at"]), day(memory["retired_at"]), earlier, story]


def day(moment: str | None) -> str | None:
    """Return a time to the minute."""
    return None if moment is None else moment[:16].replace("T", " ")


def told(windows: Iterable[Record]) -> dict[str, list[list[str]]]:
    """Return what decisions did to each memory after it was added: the operation, on which turns, for which fact."""
    found: dict[str, list[list[str]]] = defaultdict(list)
    for window in windows:
        owner = window.get("perspective")
        for candidate, operations in zip(window["candidates"], window["operations"], strict=False):
            for operation in operations:
                target = operation.get("id") or operation.get("duplicate_of")
                if target is not None:
                    text, turns = content_from_json(candidate["content"]).text, ", ".join(candidate["sources"])
                    id_ = target if owner is None else f"{owner}:{target}"
                    found[id_].append([operation["type"], turns, text])
    return found


def values_of(scores: Iterable[Record]) -> dict[tuple[str, int, str], Any]:
    """Return the values of scores by question, attempt and metric."""
    return {(score["id"], score["attempt"], score["metric"]): score["value"] for score in scores}


def verdicts_of(folder: RunFolder) -> dict[tuple[str, int], list[list[Any]]]:
    """Return the verdicts on each answer: the rubric, 1, 0 or None, how probable, and why there is none."""
    found: dict[tuple[str, int], list[list[Any]]] = defaultdict(list)
    for one in latest_verdicts(folder.read("verdicts")):
        if one["probe"] is None:
            correct = None if one["correct"] is None else int(one["correct"])
            own = [one["rubric"], correct, one.get("probability"), one.get("reason") if correct is None else None]
            found[one["id"], one["attempt"]].append(own)
    return found


class Found:
    """The memories of a conversation as its answers name them."""

    def __init__(self, memories: Sequence[Record], before: Reached) -> None:
        self.before = before
        self.place = {memory["id"]: number for number, memory in enumerate(memories)}
        self.sources: dict[str, list[str]] = {memory["id"]: memory["sources"] for memory in memories}
        self._behind: dict[str, set[str]] = defaultdict(set)
        for id_, turns in self.sources.items():
            for turn in turns:
                self._behind[turn].add(id_)

    def hits(self, answer: Record, evidence: Iterable[str]) -> list[list[Any]]:
        """Return memories by number, their scores, and the ranks, from 1, of those listed beyond the first."""
        carrying = {id_ for turn in evidence for id_ in self._behind.get(turn, ())}
        kept = list(enumerate(answer["hits"][:MOST_HITS], start=1))
        kept += [
            (rank, hit)
            for rank, hit in enumerate(answer["hits"][MOST_HITS:], start=MOST_HITS + 1)
            if hit[0] in carrying
        ]
        kept = [(rank, hit) for rank, hit in kept if hit[0] in self.place]
        return [[self.place[id_] for _, (id_, _) in kept], [s for _, (_, s) in kept], [rank for rank, _ in kept]]


def answer_row(
    answer: Record,
    found: Found,
    evidence: Sequence[str],
    values: Mapping[tuple[str, int, str], Any],
    verdicts: ByAnswer,
) -> list[Any]:
    """Return an answer: id, attempt, why it failed, text, F1, verdicts, fates, tokens, shown, found, hits, used.

    The reason is None for an answer that did not fail; fates are those of the question's evidence turns.
    """
    id_, attempt = own = answer["id"], answer["attempt"]
    if evidence:
        fate = fates(evidence, found.before, answer, found.sources)
    else:
        fate = fate_of_shares([values.get((*own, f"evidence_{stage}")) for stage in FUNNEL])
    return [
        id_,
        attempt,
        None if answer["status"] == "answered" else answer.get("reason") or answer["status"],
        answer["answer"],
        values.get((*own, "f1")),
        verdicts.get(own, []),
        fate,
        answer["context_tokens"],
        answer["shown"],
        len(answer["hits"]),
        found.hits(answer, evidence),
        [found.place[used] for used in answer["used"] or () if used in found.place],
    ]
