"""Answers with a judge's verdicts, read from a file: a line of JSON each, plain or compressed."""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memlab.dialogue import SCORED_CATEGORIES
from memlab.settings import ConfigError

FIELDS = "system, conv, category, question, gold, response, labels"


@dataclass(frozen=True, slots=True)
class Labelled:
    """An answer of some system, whose judge's labels are in `labels` (1 correct, 0 wrong)."""

    system: str
    judge: str
    conversation: str
    category: int
    question: str
    gold: str
    answer: str
    labels: tuple[int, ...]

    @property
    def correct(self) -> bool:
        """Whether at least half of the labels say correct."""
        return 2 * sum(self.labels) >= len(self.labels)


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """The answers of a file in its order, and the sha256 of its content."""

    name: str
    sha256: str
    answers: tuple[Labelled, ...]


def read_labelled(file: Path) -> LabelledFile:
    """Return the labelled answers of a file; raises ConfigError naming the line and what was expected."""
    if not file.is_file():
        raise ConfigError([f"no file at {file}; give labelled answers, lines of JSON with {FIELDS}"])
    content = file.read_bytes()
    try:
        text = (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise ConfigError([f"{file} cannot be read ({error}); get it again, or pack it anew"]) from error
    answers = tuple(labelled(line, f"{file}:{number}") for number, line in numbered(text))
    if len({one.conversation for one in answers}) < 2:
        raise ConfigError([f"{file}: answers about two conversations and more are needed, to measure on unseen ones"])
    by_conversation = {(one.conversation, one.correct) for one in answers}
    for out in sorted({one.conversation for one in answers}):
        if len({correct for conversation, correct in by_conversation if conversation != out}) < 2:
            raise ConfigError(
                [
                    f"{file}: all answers but those about conversation {out} have the same label, so nothing can be "
                    "learnt from them and measured on it; give correct and wrong answers about more conversations"
                ]
            )
    return LabelledFile(file.name, hashlib.sha256(content).hexdigest(), answers)


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers from 1."""
    yield from ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())


def labelled(line: str, place: str) -> Labelled:
    """Return the answer of a line."""
    try:
        fields = json.loads(line, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise ConfigError([f"{place} is not JSON: {error}"]) from error
    if not isinstance(fields, dict):
        raise ConfigError([f"{place}: expected an object with {FIELDS}, found {line[:60]!r}"])
    labels, category = fields.get("labels"), fields.get("category")
    if not (isinstance(labels, list) and labels and all(label in (0, 1) for label in labels)):
        raise ConfigError([f"{place}: labels is {labels!r}; expected a list of 0 (wrong) and 1 (correct)"])
    if category not in SCORED_CATEGORIES:
        raise ConfigError([f"{place}: category is {category!r}; expected a number from 1 to 4"])
    return Labelled(
        system=word(fields, "system", place),
        judge=str(fields.get("judge") or "unknown"),
        conversation=word(fields, "conv", place),
        category=int(category),
        question=word(fields, "question", place),
        gold=word(fields, "gold", place),
        answer=str(fields["response"]) if fields.get("response") is not None else "",
        labels=tuple(int(label) for label in labels),
    )


def no_number(name: str) -> None:
    """Refuse what Python takes for a number and JSON does not."""
    raise ValueError(f"{name} is no number")


def word(fields: dict[str, Any], key: str, place: str) -> str:
    """Return a field as text."""
    value = fields.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ConfigError([f"{place}: {key} is {value!r}; expected a text or a number"])
    return str(value)
