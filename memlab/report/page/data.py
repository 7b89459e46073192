"""What the failure browser and the timeline look at: an index of all questions, then block by block."""

import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from memlab.dialogue import CATEGORY_NAMES, SCORED_CATEGORIES, Conversation, Turn
from memlab.records import Record, RunFolder
from memlab.report.page.held import MOST_HITS, Held, held
from memlab.report.page.packed import packed
from memlab.score.answer_scores import FUNNEL

RIGHT = 0.5
"""The F1 from which the page counts an answer as right."""
AT_RETRIEVAL = FUNNEL.index("retrieved")


@dataclass(frozen=True, slots=True)
class Data:
    """The index, and the packed blocks by name."""

    index: dict[str, Any]
    blocks: dict[str, str]


def gathered(
    folders: Sequence[Path],
    names: Sequence[str],
    scores: Sequence[Sequence[Record]],
    conversations: Mapping[str, Conversation],
) -> Data:
    """Return the data of some runs; `conversations` are those that could be read again."""
    # What is parsed lives until the page is made: looking for garbage in it takes half as long again as the work.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return of_runs(folders, names, scores, conversations)
    finally:
        if collecting:
            gc.enable()


def of_runs(
    folders: Sequence[Path],
    names: Sequence[str],
    scores: Sequence[Sequence[Record]],
    conversations: Mapping[str, Conversation],
) -> Data:
    """Return the data of some runs.

    Runs that hold the same memories share their blocks: those that only search differently.
    """
    evidence = {question.id: question.evidence for one in conversations.values() for question in one.questions}
    asked: dict[str, Record] = {}
    blocks: dict[str, str] = {}
    outcomes, memories = [], []
    places: dict[str, int] = {}
    known: dict[str, str] = {}
    for run, (folder, values) in enumerate(zip(folders, scores, strict=True)):
        own = held(RunFolder(folder), values, evidence)
        for record in own.recorded:
            asked.setdefault(record["id"], record)
        for conversation in own.memories:
            places.setdefault(conversation, len(places))
        outcomes.append(outcomes_of(own))
        blocks |= {f"answers-{run}-{places[id_]}": packed(rows) for id_, rows in own.answers.items()}
        made = {f"memories-{run}-{places[id_]}": packed(rows) for id_, rows in own.memories.items()}
        names_of = zip(own.memories, made, strict=True)
        memories.append({str(places[id_]): known.setdefault(made[name], name) for id_, name in names_of})
        blocks |= {name: block for name, block in made.items() if known[block] == name}
    blocks |= {
        f"turns-{places[id_]}": packed([turn_row(turn) for turn in one.turns])
        for id_, one in conversations.items()
        if id_ in places
    }
    index = {
        "runs": list(names),
        "conversations": list(places),
        "questions": [
            [r["id"], places[r["conversation"]], r["category"], r["question"], r["gold"], evidence.get(r["id"], ())]
            for r in asked.values()
        ],
        "outcomes": [[own.get(id_) for id_ in asked] for own in outcomes],
        "memories": memories,
        "categories": {scheme: list(own) for scheme, own in CATEGORY_NAMES.items()},
        "stages": FUNNEL,
        "most": MOST_HITS,
        "right": RIGHT,
    }
    return Data(index, blocks)


def outcomes_of(own: Held) -> dict[str, list[Any]]:
    """Return how the first attempt at each question ended: failed, F1, judged correct, fates in a word."""
    return {
        row[0]: [
            int(row[2] is not None),
            None if row[4] is None else round(row[4], 3),
            judged(row[5]),
            "".join(map(str, row[6] or ())),
        ]
        for rows in own.answers.values()
        for row in rows
        if row[1] == 1
    }


def judged(verdicts: Sequence[Sequence[Any]]) -> int | None:
    """Return whether most verdicts say correct; None where there is none."""
    said = [correct for _, correct, *_ in verdicts if correct is not None]
    return int(fmean(said) >= 0.5) if said else None


def turn_row(turn: Turn) -> list[str]:
    """Return a turn: id, speaker, text, when it was said, what its image shows."""
    return [turn.id, turn.speaker, turn.text, turn.said_at.strftime("%Y-%m-%d %H:%M"), turn.caption or ""]


def lost_at_retrieval(index: Mapping[str, Any], run: int) -> tuple[list[Any], int]:
    """Return a question whose evidence a run held to the end and did not show, and how many there are.

    The first that was answered wrongly, if there is any; an empty list when all evidence was shown.
    """
    found = [
        (question, outcome)
        for question, outcome in zip(index["questions"], index["outcomes"][run], strict=True)
        if outcome is not None and str(AT_RETRIEVAL) in outcome[3] and question[2] in SCORED_CATEGORIES
    ]
    if not found:
        return [], 0
    wrong = [question for question, (_, f1, *_) in found if f1 is not None and f1 < RIGHT]
    return (wrong or [found[0][0]])[0], len(found)
