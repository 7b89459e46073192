"""Small runs and prediction files to compare."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memlab.compare.answers import Answers, Row

Asked = tuple[str, str, str, int | None]
"""Question, gold, answer and verdict."""


def file_of(path: Path, rows: Mapping[str, Sequence[Asked]], category: int = 4) -> Path:
    """Write a file in the format of Mem0's evaluation; a verdict of None is none."""
    content = {
        conversation: [
            {"question": question, "answer": gold, "response": answer, "category": category, "llm_score": verdict}
            for question, gold, answer, verdict in own
        ]
        for conversation, own in rows.items()
    }
    path.write_text(json.dumps(content))
    return path


def lines(records: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps({"schema": 1, **record}) + "\n" for record in records)


def run_of(
    folder: Path,
    values: Mapping[str, Mapping[str, float | None]],
    *,
    system: str = "mem0",
    data: str = "d1",
    judges: Sequence[str] = (),
    card: bool = False,
) -> Path:
    """Write the records of a finished run: values by metric of each question `conversation/qN`, category 4.

    A question whose F1 is None failed. With a card the judge is one without a language model.
    """
    folder.mkdir(parents=True)
    answers, scores = [], []
    for id_, by_metric in values.items():
        common = {"id": id_, "attempt": 1, "conversation": id_.split("/")[0], "category": 4}
        failed = by_metric["f1"] is None
        text = {"question": f"What of {id_}?", "gold": "it", "answer": "" if failed else f"{system} on {id_}"}
        answers.append({**common, **text, "status": "failed" if failed else "answered"})
        scores += [{**common, "metric": metric, "value": value, "reason": None} for metric, value in by_metric.items()]
    (folder / "answers.jsonl").write_text(lines(answers))
    (folder / "scores.jsonl").write_text(lines(scores))
    manifest = {
        "status": "complete",
        "choices": {"system": system, "judge": ("overlap" if card else "llm") if judges else "none"},
        "config": {},
        "dataset": {"name": "made", "sha256": data, "conversations": 2},
    }
    summary = {
        "key": folder.name,
        "metrics": {},
        "questions": {},
        "ingest": {"windows": 0},
        "judges": {rubric: {"card": {}} if card else {} for rubric in judges},
        "phases": {"judge": {"model": None if card else "a-model"}, "total": {"calls": 0}},
    }
    for name, content in (("manifest", manifest), ("summary", summary)):
        (folder / f"{name}.json").write_text(json.dumps({"schema": 1, **content}))
    return folder


def row(question: str, conversation: str | None = "conv-26", **more: Any) -> Row:
    fields: dict[str, Any] = {"id": None, "category": 4, "gold": "gold", "answer": "answer", "values": {}}
    return Row(**(fields | {"question": question, "conversation": conversation} | more))


def answers(*rows: Row, name: str = "one") -> Answers:
    return Answers(name, Path(name), "mem0", rows)
