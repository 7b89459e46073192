"""The scores of a run that a report looks at question by question: a few of the dozens that each question has."""

import json
import re
from collections.abc import Iterable

from memlab.records import SCHEMA, Record, RunFolder
from memlab.score.answer_scores import STAGES, USED
from memlab.score.evidence import BUDGETS

LOOKED_AT = (
    *("f1", "evidence_recall"),
    *(f"evidence_recall@{budget}t" for budget in BUDGETS),
    *(f"evidence_{stage}" for stage in STAGES),
    USED,
)


def scores_looked_at(folder: RunFolder, metrics: Iterable[str] = LOOKED_AT) -> list[Record]:
    """Return the records of scores.jsonl of some metrics; raises RecordError as `RunFolder.read` does.

    Lines of other metrics are not parsed, the others all at once: a study of eleven runs has half a million.
    """
    file = folder.file("scores")
    if not file.exists():
        return []
    wanted = re.compile(rb'"metric": ?"(?:%s)"' % b"|".join(re.escape(metric.encode()) for metric in metrics))
    *lines, _torn = file.read_bytes().split(b"\n")
    chosen = [line for line in lines if wanted.search(line)]
    try:
        found = json.loads(b"[" + b",".join(chosen) + b"]")
    except ValueError:
        found = []
    if len(found) == len(chosen) and all(type(one) is dict and one.get("schema") == SCHEMA for one in found):
        return list(found)
    kept = set(metrics)
    return [record for record in folder.read("scores") if record["metric"] in kept]
