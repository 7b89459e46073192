"""Signs that a file's answers are not all of one attempt: some questions asked again, the better answers merged in."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from memlab.audit.findings import Finding
from memlab.score.overlap import f1
from memlab.score.prediction_files import Prediction, read_document

WORDS = ("merge", "rerun", "re_run", "retry", "retries", "attempt", "previous", "patched", "replaced")
"""What the names of fields hold that tell of a second attempt."""
SAME = 1e-6
"""How far an F1 may be from that of its own answer and still be the same number."""


def merged(file: Path, rows: Sequence[Prediction]) -> Iterator[Finding]:
    """Yield what speaks of several attempts. A clean file proves nothing: merging can leave no trace."""
    document = read_document(file)
    yield from _told(document)
    yield from _other_shapes(document)
    counts = Counter(len(row.judgements) for row in rows if row.category != 5 and row.judgements)
    if len(counts) > 1:
        usual, _ = counts.most_common(1)[0]
        other = sum(number for verdicts, number in counts.items() if verdicts != usual)
        words = f"{other:,} rows have more or fewer verdicts than the {usual} of the others: they were judged apart"
        yield Finding("merged", "verdicts", words)
    stale = [
        row
        for row in rows
        if row.answer is not None
        and "f1" in row.published
        and abs(f1(row.gold, row.answer) - row.published["f1"]) > SAME
    ]
    if stale:
        words = f"{len(stale):,} rows carry an F1 that is not that of their answer, as when the answer was replaced " \
            f"after scoring; first: {stale[0].question!r}"  # fmt: skip
        yield Finding("merged", "F1", words)


def _told(document: Any) -> Iterator[Finding]:
    """Yield what the file itself says beside its rows."""
    about = {} if not isinstance(document, dict) else {
        name: value for name, value in document.items() if name not in ("detailed_results", "evaluations")
    }  # fmt: skip
    for name, value in _leaves({key: value for key, value in about.items() if _is_about(value)}):
        if value and any(word in name.lower() for word in WORDS):
            yield Finding("merged", name, f"the file says {name} = {str(value)[:60]}: answers of another run are in it")


def _is_about(value: Any) -> bool:
    return not isinstance(value, list) or not any(isinstance(one, dict) and "question" in one for one in value)


def _leaves(node: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(node, dict):
        yield prefix, node
        return
    for name, inner in node.items():
        yield from _leaves(inner, f"{prefix}.{name}".lstrip("."))


def _other_shapes(document: Any) -> Iterator[Finding]:
    """Yield how many rows have other fields than the rest, as rows of another program's run have."""
    shapes = Counter(frozenset(row) for row in _rows(document))
    if len(shapes) > 1:
        usual, _ = shapes.most_common(1)[0]
        other = {fields: number for fields, number in shapes.items() if fields != usual}
        changed = sorted(set().union(*(fields ^ usual for fields in other)))
        words = (
            f"{sum(other.values()):,} rows have other fields than the rest ({', '.join(changed)}): another run's rows?"
        )
        yield Finding("merged", "rows", words)


def _rows(node: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a document that hold a question."""
    if isinstance(node, dict) and "question" in node:
        yield node
    elif isinstance(node, (dict, list)):
        for inner in node.values() if isinstance(node, dict) else node:
            yield from _rows(inner)
