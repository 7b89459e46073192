"""What a run holds of each conversation, for the page: memories with their story, and answers with what was found."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memlab.memory_json import content_from_json
from memlab.records import Record, RunFolder
from memlab.summary.summary import latest_verdicts

STAGES = ("ingested", "extracted", "survived", "retrieved", "used")
MOST_HITS = 30
"""Memories that are listed for a question; of those after them, only the ones that carry evidence."""

Block = dict[str, list[Any]]


def blocks(
    folder: RunFolder, answered: Iterable[Record], scores: Iterable[Record], evidence: Mapping[str, Sequence[str]]
) -> dict[str, Block]:
    """Return the memories and answers of a run by conversation; `evidence` has the turns behind each question."""
    memories: dict[str, list[Record]] = defaultdict(list)
    for memory in folder.read("memories"):
        memories[memory["conversation"]].append(memory)
    stories = told(folder.read("ingest"))
    answers: dict[str, list[Record]] = defaultdict(list)
    for answer in answered:
        answers[answer["conversation"]].append(answer)
    values, verdicts = by_answer(scores, folder.read("verdicts"))
    found = {}
    for conversation in dict.fromkeys((*memories, *answers)):
        own = memories[conversation]
        place = {memory["id"]: number for number, memory in enumerate(own)}
        found[conversation] = {
            "memories": [memory_row(memory, stories.get((conversation, memory["id"]), [])) for memory in own],
            "answers": [
                answer_row(answer, place, own, set(evidence.get(answer["id"], ())), values, verdicts)
                for answer in answers[conversation]
            ],
        }
    return found


def memory_row(memory: Record, story: list[Any]) -> list[Any]:
    """Return a memory: id, text, turns, created, retired, earlier texts with their times, what happened to it."""
    earlier = [[content_from_json(old["content"]).text, day(old["updated_at"])] for old in memory["history"]]
    text = content_from_json(memory["content"]).text
    return [memory["id"], text, memory["sources"], day(memory["created_at"]), day(memory["retired_at"]), earlier, story]


def day(moment: str | None) -> str | None:
    """Return a time to the minute."""
    return None if moment is None else moment[:16].replace("T", " ")


def told(windows: Iterable[Record]) -> dict[tuple[str, str], list[list[str]]]:
    """Return what decisions did to each memory after it was added: the operation, on which turns, for which fact."""
    found: dict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for window in windows:
        owner = window.get("perspective")
        for candidate, operations in zip(window["candidates"], window["operations"], strict=False):
            text, turns = content_from_json(candidate["content"]).text, ", ".join(candidate["sources"])
            for operation in operations:
                target = operation.get("id") or operation.get("duplicate_of")
                if target is not None:
                    id_ = target if owner is None else f"{owner}:{target}"
                    found[window["conversation"], id_].append([operation["type"], turns, text])
    return found


def by_answer(
    scores: Iterable[Record], found: Iterable[Record]
) -> tuple[dict[tuple[str, int, str], Any], dict[tuple[str, int], list[str]]]:
    """Return the values by question, attempt and metric, and the verdicts in words by question and attempt."""
    wanted = {"f1", *(f"evidence_{stage}" for stage in STAGES)}
    values = {
        (score["id"], score["attempt"], score["metric"]): score["value"]
        for score in scores
        if score["metric"] in wanted
    }
    verdicts: dict[tuple[str, int], list[str]] = defaultdict(list)
    for verdict in latest_verdicts(found):
        if verdict["probe"] is None:
            said = {True: "correct", False: "wrong", None: f"unscored ({verdict.get('reason')})"}[verdict["correct"]]
            chance = verdict.get("probability")
            verdicts[verdict["id"], verdict["attempt"]].append(
                f"{verdict['rubric']}: {said}" + ("" if chance is None else f" ({chance:.2f})")
            )
    return values, verdicts


def answer_row(
    answer: Record,
    place: Mapping[str, int],
    memories: Sequence[Record],
    evidence: set[str],
    values: Mapping[tuple[str, int, str], Any],
    verdicts: Mapping[tuple[str, int], list[str]],
) -> list[Any]:
    """Return an answer: question id, attempt, status, text, F1, verdicts, stages, shown, found, hits, used.

    A hit is the memory's number, its score, its rank from 1, and whether evidence is behind it.
    """
    own = answer["id"], answer["attempt"]
    hits = []
    for rank, (id_, score) in enumerate(answer["hits"], start=1):
        number = place.get(id_)
        carries = number is not None and not evidence.isdisjoint(memories[number]["sources"])
        if number is not None and (rank <= MOST_HITS or carries):
            hits.append([number, round(score, 4), rank, int(carries)])
    return [
        answer["id"],
        answer["attempt"],
        answer["status"],
        answer["answer"],
        values.get((*own, "f1")),
        verdicts.get(own, []),
        [values.get((*own, f"evidence_{stage}")) for stage in STAGES],
        answer["shown"],
        len(answer["hits"]),
        hits,
        [place[id_] for id_ in answer["used"] or () if id_ in place],
    ]
