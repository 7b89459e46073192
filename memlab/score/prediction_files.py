"""The prediction files that memory projects publish for LOCOMO: Mem0's, Memobase's, MIRIX's, Zep's and their kin."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite, isnan
from pathlib import Path
from typing import Any

from memlab.dialogue import CATEGORIES


class PredictionFileError(ValueError):
    """A file that cannot be read as predictions; the message names the file, the place in it and what was expected."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """One published answer; what the file does not tell is None.

    `answer` is None where the file says that the run failed, or tells none. `judgements` are a judge's verdicts, one
    per judging run. `published` holds the values that the file itself gives, by metric (`f1`, `bleu1`).
    """

    question_id: str | None
    conversation: str | None
    category: int | None
    question: str
    gold: str
    answer: str | None
    judgements: tuple[bool, ...]
    published: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PredictionFile:
    """The rows of a file, in its order, and the name of the format they were read as."""

    format: str
    predictions: tuple[Prediction, ...]

    @property
    def has_cutoffs(self) -> bool:
        """Return whether it is of the format that answers at several retrieval cut-offs."""
        return self.format == _PLATFORM.name


@dataclass(frozen=True, slots=True)
class _Format:
    """Which keys tell the rows of a format from those of the others, and which two hold the gold and the answer."""

    name: str
    gold: str
    answer: str
    tell_tale: str

    def fits(self, fields: Mapping[str, object]) -> bool:
        return {"question", self.gold, self.tell_tale} <= fields.keys()


_CUTOFFS = "cutoff_results"
_PLATFORM = _Format("mem0-platform", gold="ground_truth_answer", answer="generated_answer", tell_tale=_CUTOFFS)
_FORMATS = (
    # Mem0's evaluation, with or without scores; Memobase and MIRIX publish the same rows.
    _Format("mem0", gold="answer", answer="response", tell_tale="response"),
    _Format("locomo-audit", gold="golden_answer", answer="generated_answer", tell_tale="generated_answer"),
    # Zep's grades and responses, and EverMemOS's judged answers.
    _Format("zep", gold="golden_answer", answer="answer", tell_tale="answer"),
    _PLATFORM,
)
_WRAPPERS = ("detailed_results", "evaluations")
_VERDICTS = ("llm_score", "grade", "judgment")
_METRICS = {"f1": "f1_score", "bleu1": "bleu_score"}


@dataclass(frozen=True, slots=True)
class _Row:
    file: Path
    place: str
    conversation: str | None
    fields: Mapping[str, object]

    def fault(self, key: str, expected: str) -> PredictionFileError:
        """Return the error for a field that is not what was expected."""
        found = f"found {self.fields[key]!r:.80}" if key in self.fields else "found none"
        return PredictionFileError(f"{self.file}: {self.place}.{key}: expected {expected}, {found}")

    def text(self, key: str) -> str:
        """Return a field as text; a number becomes its digits."""
        value = self.fields.get(key)
        finite = not isinstance(value, float) or isfinite(value)
        if isinstance(value, bool) or not isinstance(value, str | int | float) or not finite:
            raise self.fault(key, "a text or a number")
        return str(value)

    def lacks(self, key: str) -> bool:
        """Return whether a field is absent, null, or the NaN that table programs write for an empty cell."""
        value = self.fields.get(key)
        return value is None or (isinstance(value, float) and isnan(value))


def read_predictions(file: Path, cutoff: str | None = None) -> PredictionFile:
    """Read a file in any of the known formats, told apart by its shape.

    `cutoff` chooses among the retrieval cut-offs of a Mem0 platform file ("top_50"); it is needed only where a row has
    several.
    """
    rows = list(_rows(file, read_document(file)))
    if not rows:
        raise PredictionFileError(f"{file}: no rows of predictions in it")
    shape = next((known for known in _FORMATS if known.fits(rows[0].fields)), None)
    if shape is None:
        known = "; ".join(f"{each.name} (question, {each.gold}, {each.tell_tale})" for each in _FORMATS)
        found = ", ".join(rows[0].fields) or "no keys"
        raise PredictionFileError(f"{file}: unknown format: {rows[0].place} has {found}; known rows: {known}")
    if shape is _PLATFORM:
        rows = [_at_cutoff(row, cutoff) for row in rows]
    return PredictionFile(shape.name, tuple(_prediction(row, shape) for row in rows))


def read_document(file: Path) -> Any:
    """Return the JSON document that a file holds."""
    try:
        return json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise PredictionFileError(f"{file}: cannot be read: {error}") from error
    except (ValueError, RecursionError) as error:
        raise PredictionFileError(f"{file}: not JSON: {error}") from error


def _rows(file: Path, document: object) -> Iterator[_Row]:
    place = "$"
    for wrapper in _WRAPPERS:
        if isinstance(document, dict) and wrapper in document:
            document, place = document[wrapper], f"$.{wrapper}"
    groups: Mapping[str | None, object]
    if isinstance(document, list):
        groups = {None: document}
    elif isinstance(document, dict):
        groups = document
    else:
        raise PredictionFileError(f"{file}: {place}: expected rows, or rows by conversation, found {document!r:.80}")
    for conversation, rows in groups.items():
        here = place if conversation is None else f"{place}.{conversation}"
        if not isinstance(rows, list):
            raise PredictionFileError(
                f"{file}: {here}: expected the list of a conversation's rows, found {rows!r:.80}; "
                f"known files hold rows, or rows by conversation, at the top or under {' or '.join(_WRAPPERS)}"
            )
        for position, fields in enumerate(rows):
            if not isinstance(fields, dict):
                raise PredictionFileError(f"{file}: {here}[{position}]: expected an object, found {fields!r:.80}")
            yield _Row(file, f"{here}[{position}]", conversation, fields)


def _at_cutoff(row: _Row, cutoff: str | None) -> _Row:
    """Return the row with the fields of one cut-off beside its own."""
    results = row.fields.get(_CUTOFFS)
    if not isinstance(results, dict) or not results:
        raise row.fault(_CUTOFFS, "an object of results by cut-off")
    names = ", ".join(results)
    if cutoff is None and len(results) > 1:
        raise PredictionFileError(f"{row.file}: {row.place} has several cut-offs; choose one of: {names}")
    chosen = results.get(cutoff or next(iter(results)))
    if not isinstance(chosen, dict):
        raise PredictionFileError(f"{row.file}: {row.place}.{_CUTOFFS}: no results for {cutoff!r}; there are: {names}")
    verdict = chosen.get("judgment")
    failed = verdict == "ERROR"
    answer = chosen.get("generated_answer")
    outcome = {
        "generated_answer": None if failed and not answer else answer,
        "judgment": None if failed else {"CORRECT": True, "WRONG": False}.get(str(verdict), verdict),
    }
    number = None if row.lacks("conversation_idx") else row.text("conversation_idx")
    return _Row(row.file, row.place, number, {**row.fields, **outcome})


def _prediction(row: _Row, shape: _Format) -> Prediction:
    if shape.answer not in row.fields:
        raise row.fault(shape.answer, "an answer, or null for a failed one")
    category = _category(row)
    return Prediction(
        question_id=None if row.lacks("question_id") else row.text("question_id"),
        conversation=row.conversation,
        category=category,
        question=row.text("question"),
        gold="" if category == 5 and row.lacks(shape.gold) else row.text(shape.gold),
        answer=None if row.lacks(shape.answer) else row.text(shape.answer),
        judgements=tuple(_judgements(row)),
        published=dict(_published(row)),
    )


def _category(row: _Row) -> int | None:
    value = row.fields.get("category")
    if value is None:
        return None
    for category in CATEGORIES:
        if not isinstance(value, bool) and value in (category, str(category)):
            return category
    raise row.fault("category", "a category number from 1 to 5")


def _judgements(row: _Row) -> Iterator[bool]:
    """Yield the verdicts of a row; null is none."""
    several = row.fields.get("llm_judgments")
    if several is not None and not isinstance(several, dict):
        raise row.fault("llm_judgments", "an object of verdicts")
    verdicts = several.items() if several is not None else [(key, row.fields.get(key)) for key in _VERDICTS]
    for key, verdict in verdicts:
        if verdict in (0, 1):
            yield bool(verdict)
        elif verdict is not None:
            raise row.fault("llm_judgments" if several is not None else key, "true, false, 1, 0 or null")


def _published(row: _Row) -> Iterator[tuple[str, float]]:
    for metric, key in _METRICS.items():
        value = row.fields.get(key)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise row.fault(key, "a number")
        yield metric, float(value)
