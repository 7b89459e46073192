"""Questions that are known to have a wrong gold answer: an overlay that is used only where it is asked for."""

import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memlab.paper.locomo import question_id, sample_id
from memlab.records import Record, RecordError
from memlab.score.prediction_files import Prediction

RIGHT_GOLD = "WRONG_CITATION"
"""The kind of error that leaves the gold right: only the evidence named for it is wrong."""


class KnownErrorsError(RecordError):
    """A file that is no list of wrong golds; the message names the file, the place and what was expected."""


@dataclass(frozen=True, slots=True)
class WrongGold:
    """A question whose gold is wrong, by memlab's id; text and gold are None where the file lists ids alone."""

    id: str
    question: str | None
    gold: str | None

    @property
    def conversation(self) -> str:
        """Return the sample id of its conversation."""
        return self.id.partition("/")[0]


def bad_questions(file: Path) -> frozenset[str]:
    """Return memlab's ids of the questions whose gold is wrong, by a file; raises KnownErrorsError with the place."""
    return frozenset(error.id for error in read_errors(file))


def read_errors(file: Path) -> tuple[WrongGold, ...]:
    """Read a file of wrong golds.

    JSON: a list of objects with `question_id`, and if they are told `question`, `golden_answer` and `error_type` (those
    of type WRONG_CITATION have a right gold and are left out), or a list of ids. Or text: an id a line, `#` starts a
    comment. An id is `conv-26/q3`, or `locomo_0_qa3` by the conversation's index in locomo10.json.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise KnownErrorsError(f"{file}: cannot be read: {error}") from error
    entries: list[tuple[str, Any]]
    if text.lstrip().startswith(("[", "{")):
        entries = _json_entries(file, text)
    else:
        lines = ((n, line.partition("#")[0].strip()) for n, line in enumerate(text.splitlines(), 1))
        entries = [(f"line {n}", line) for n, line in lines if line]
    if not entries:
        raise KnownErrorsError(f"{file}: names no question; give ids such as conv-26/q3 or locomo_0_qa3")
    wrong = [_wrong_gold(file, place, entry) for place, entry in entries]
    return tuple({one.id: one for one in wrong if one}.values())


def _json_entries(file: Path, text: str) -> list[tuple[str, Any]]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise KnownErrorsError(f"{file}: not JSON: {error}") from error
    if not isinstance(document, list):
        raise KnownErrorsError(f"{file}: $: expected a list of wrong golds, found an object; see `score --help`")
    return [(f"$[{position}]", entry) for position, entry in enumerate(document)]


def _wrong_gold(file: Path, place: str, entry: Any) -> WrongGold | None:
    fields = entry if isinstance(entry, dict) else {"question_id": entry}
    if fields.get("error_type") == RIGHT_GOLD:
        return None
    named = fields.get("question_id")
    if not isinstance(named, str) or (own := question_id(named)) is None:
        raise KnownErrorsError(f"{file}: {place}: expected a question id such as conv-26/q3 or locomo_0_qa3, found "
                               f"{named!r:.80}")  # fmt: skip
    question, gold = fields.get("question"), fields.get("golden_answer")
    return WrongGold(own, None if question is None else str(question), None if gold is None else str(gold))


def without(ids: Container[str], scores: Iterable[Record]) -> list[Record]:
    """Return the records of answers.jsonl or scores.jsonl that are not of some questions."""
    return [record for record in scores if record["id"] not in ids]


def marked(errors: Sequence[WrongGold], predictions: Sequence[Prediction]) -> frozenset[int]:
    """Return the positions of the published answers to questions whose gold is wrong.

    A row is known by its id where it has one of its own, else by its conversation, text and gold; without a
    conversation by text and gold. Raises KnownErrorsError when rows have no such ids and the errors no texts: then
    nothing could be found.
    """
    ids = {error.id for error in errors}
    shared = shared_ids(predictions)
    own = [None if (id_ := _own_id(row)) in shared else id_ for row in predictions]
    nameless = own.count(None)
    if nameless and any(error.question is None for error in errors):
        raise KnownErrorsError(
            f"{nameless:,} rows carry no question id of their own, and the list of wrong golds no texts to know them "
            "by; give a list with `question` and `golden_answer` beside each `question_id`"
        )
    texts = {(error.conversation, *_told(error.question, error.gold)) for error in errors}
    anywhere = {told[1:] for told in texts}

    def wrong(row: Prediction, id_: str | None) -> bool:
        if id_ is not None:
            return id_ in ids
        told = _told(row.question, row.gold)
        return told in anywhere if row.conversation is None else (sample_id(row.conversation), *told) in texts

    return frozenset(position for position, row in enumerate(predictions) if wrong(row, own[position]))


def shared_ids(predictions: Sequence[Prediction]) -> frozenset[str]:
    """Return the ids that several questions carry: they name none of them."""
    asked: dict[str, set[str]] = {}
    for row in predictions:
        if (own := _own_id(row)) is not None:
            asked.setdefault(own, set()).add(_folded(row.question))
    return frozenset(own for own, questions in asked.items() if len(questions) > 1)


def _own_id(row: Prediction) -> str | None:
    return None if row.question_id is None else question_id(row.question_id)


def _told(question: str | None, gold: str | None) -> tuple[str, str]:
    return _folded(question), _folded(gold)


def _folded(text: str | None) -> str:
    return " ".join((text or "").casefold().split())
