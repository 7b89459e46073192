"""The file format of LOCOMO: strict models of what is read, and faults with their JSON path."""

import json
import re
from datetime import datetime
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, TypeAdapter, ValidationError
from pydantic import model_validator as validated
from pydantic_core import ErrorDetails, PydanticCustomError

from memlab.datasets.dataset import DatasetError
from memlab.dialogue import Turn

SHOWN_FAULTS = 5
SESSION_KEY = re.compile(r"session_(\d+)")
SAID_AT = re.compile(r"(\d{1,2}):(\d{2})\s*([ap])m\s+on\s+(\d{1,2})\s+([a-z]+)\s*,\s*(\d{4})", re.IGNORECASE)
# Spelled out, because the names that strptime and calendar know change with the locale.
MONTHS = ["january", "february", "march", "april", "may", "june"]
MONTHS += ["july", "august", "september", "october", "november", "december"]

T = TypeVar("T")


def _answer_text(value: object) -> object:
    # Years and counts are numbers in the file; a bool is an int to Python, but no answer of LOCOMO's.
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value


Text = Annotated[str, StringConstraints(strip_whitespace=True)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Answer = Annotated[Text, BeforeValidator(_answer_text)]


class Foreign(BaseModel):
    """A part of the file: types are strict, keys that are not named are never read."""

    model_config = ConfigDict(strict=True, extra="ignore")


class Said(Foreign):
    """A turn. The search `query` of its image is left out on purpose: it gives answers away."""

    dia_id: Name
    speaker: Name
    text: Text
    blip_caption: Text | None = None

    @validated(mode="after")
    def _says_something(self) -> Self:
        if not self.text and not self.blip_caption:
            raise PydanticCustomError("silent", "expected a text or a blip_caption, found neither")
        return self


class Asked(Foreign):
    """A question. `adversarial_answer`, the wrong answer that category 5 tempts to, is not read."""

    question: Name
    category: Literal[1, 2, 3, 4, 5]
    answer: Answer | None = None
    evidence: list[str] = []

    @validated(mode="after")
    def _has_gold(self) -> Self:
        if self.category != 5 and not self.answer:
            raise PydanticCustomError("no_gold", f"expected an answer (category {self.category}), found none")
        return self


class Chat(Foreign):
    """The two people; the sessions and their dates lie beside them under numbered keys, read by `read_turns`."""

    model_config = ConfigDict(extra="allow")

    speaker_a: Name
    speaker_b: Name

    def get(self, key: str) -> Any:
        """Return what lies under a numbered key, None if nothing does."""
        return (self.model_extra or {}).get(key)


class Sample(Foreign):
    """A conversation with its questions."""

    sample_id: Name
    conversation: Chat
    qa: list[Asked]


SAMPLE = TypeAdapter(Sample)
SESSION = TypeAdapter(list[Said])


class Faults:
    """What is wrong with a file, collected so that it is reported at once."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[str] = []

    def add(self, place: str, fault: str) -> None:
        """Note a fault at a JSON path."""
        self.found.append(f"{self.path}: {place}: {fault}")

    def checked(self, kind: TypeAdapter[T], value: object, place: str) -> T | None:
        """Return the value as `kind`; None, with its faults noted, when it is something else."""
        try:
            return kind.validate_python(value)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in detail["loc"])
                self.add(place + "".join(steps), wording(detail))
            return None

    def raise_if_any(self) -> None:
        """Raise a DatasetError that shows the first faults and counts the others."""
        if self.found:
            others = len(self.found) - SHOWN_FAULTS
            tail = [f"... and {others} more"] if others > 0 else []
            raise DatasetError("\n".join(self.found[:SHOWN_FAULTS] + tail))


def wording(detail: ErrorDetails) -> str:
    """Return what was expected and what was found, in the words of JSON."""
    expected = {
        "string_type": "a string",
        "string_too_short": "a string that is not empty",
        "list_type": "a list",
        "dict_type": "an object",
        "model_type": "an object",
        "literal_error": "1, 2, 3, 4 or 5",
    }.get(detail["type"])
    if detail["type"] == "missing":
        return f"missing; found the keys {shown(list(detail['input']))}"
    return f"expected {expected}, found {shown(detail['input'])}" if expected else detail["msg"]


def shown(value: object) -> str:
    """Return a foreign value as JSON, cut to a length that fits a message."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def read_samples(content: bytes, faults: Faults) -> dict[int, Sample]:
    """Return the well-formed samples by their position in the file; raises DatasetError when it is no JSON list."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{faults.path}: not JSON: {error}") from error
    if not isinstance(data, list):
        raise DatasetError(f"{faults.path}: $: expected a list of conversations, found {shown(data)}")
    checked = {i: faults.checked(SAMPLE, value, f"$[{i}]") for i, value in enumerate(data)}
    samples = {i: sample for i, sample in checked.items() if sample}
    first: dict[str, int] = {}
    for i, sample in samples.items():
        if first.setdefault(sample.sample_id, i) != i:
            faults.add(f"$[{i}].sample_id", f"{shown(sample.sample_id)} is taken by $[{first[sample.sample_id]}]")
    return samples


def read_turns(sample: Sample, place: str, faults: Faults) -> tuple[Turn, ...]:
    """Return the turns of all sessions, sessions in order of their number; date keys without a session are ignored."""
    chat = sample.conversation
    turns: dict[str, Turn] = {}
    numbers = {int(match[1]) for key in chat.model_extra or () if (match := SESSION_KEY.fullmatch(key))}
    for session in sorted(numbers):
        key = f"session_{session}"
        said = faults.checked(SESSION, chat.get(key), f"{place}.{key}")
        if not said:
            continue
        said_at = read_date(chat.get(f"{key}_date_time"), f"{place}.{key}_date_time", faults)
        for i, turn in enumerate(said):
            if turn.speaker not in (chat.speaker_a, chat.speaker_b):
                expected = f"{shown(chat.speaker_a)} or {shown(chat.speaker_b)}"
                faults.add(f"{place}.{key}[{i}].speaker", f"expected {expected}, found {shown(turn.speaker)}")
            if turn.dia_id in turns:
                faults.add(
                    f"{place}.{key}[{i}].dia_id",
                    f"{shown(turn.dia_id)} is taken, in session {turns[turn.dia_id].session}",
                )
            caption = turn.blip_caption or None
            turns[turn.dia_id] = Turn(turn.dia_id, turn.speaker, turn.text, said_at, session, caption)
    if not turns and not faults.found:
        faults.add(place, "expected turns under session_1, session_2, ..., found none")
    return tuple(turns.values())


def read_date(text: object, place: str, faults: Faults) -> datetime:
    """Return the time of a session, such as "1:56 pm on 8 May, 2023"; the fault is noted when there is none."""
    match = SAID_AT.fullmatch(text.strip()) if isinstance(text, str) else None
    if match and match[5].lower() in MONTHS and 1 <= int(match[1]) <= 12:
        hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
        try:
            return datetime(int(match[6]), MONTHS.index(match[5].lower()) + 1, int(match[4]), hour, int(match[2]))
        except ValueError:  # a day or minute that does not exist
            pass
    found = "nothing" if text is None else shown(text)
    faults.add(place, f'expected a time such as "1:56 pm on 8 May, 2023", found {found}')
    return datetime.min  # never seen: the fault is raised before a corpus is made
