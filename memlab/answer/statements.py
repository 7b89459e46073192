"""Shown memories as single sentences, each with who said it and when."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from memlab.answer.words import content_stems
from memlab.context import day, words
from memlab.extract.rewrite.sentences import is_question, sentences
from memlab.memory import Hit

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
STAMPED = re.compile(r"[^|]{0,20}?\b(?P<day>\d{1,2}) (?P<month>[A-Z][a-z]+),? (?P<year>\d{4}) \| (?P<rest>.*)")
SPOKEN = re.compile(r"(?P<speaker>[^\W\d_][\w .'-]{0,30}?)(?: says)?: (?P<rest>.*)")
PHOTO = re.compile(r"\[shares ([^\]]*)\]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the stems of its words, of those of its whole line and day, and of its speaker's name."""

    text: str
    said_at: datetime
    stems: frozenset[str]
    line_stems: frozenset[str]
    speaker_stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a shown memory; `rank` counts the shown memories from 0, best first."""

    sentence: Sentence
    memory_id: str
    rank: int


def statements(hits: Iterable[Hit]) -> list[Statement]:
    """Return the sentences of all hits, best hit first; those that only ask are left out."""
    return [
        Statement(sentence, hit.memory.id, rank)
        for rank, hit in enumerate(hits)
        for sentence in told(words(hit.memory), hit.memory.speaker, hit.memory.updated_at)
    ]


@lru_cache(maxsize=1 << 14)
def told(text: str, speaker: str, said_at: datetime) -> tuple[Sentence, ...]:
    """Return the sentences of a memory's words that tell something; a photo's caption is one of its own."""
    found: list[Sentence] = []
    for rest, by, when in lines(text, speaker, said_at):
        line_stems = content_stems(f"{rest} {day(when)}")
        speaker_stems = content_stems(by)
        found.extend(
            Sentence(sentence, when, content_stems(sentence), line_stems, speaker_stems)
            for sentence in sentences(PHOTO.sub(r"\n\1", rest))
            if not is_question(sentence)
        )
    return tuple(found)


def lines(text: str, speaker: str, said_at: datetime) -> Iterator[tuple[str, str, datetime]]:
    """Yield (words, speaker, time) of every line of a memory, its time stamp and speaker's name taken off.

    `speaker` and `said_at` are the memory's own, for lines that do not tell theirs.
    """
    for line in text.splitlines():
        by, when, rest = speaker, said_at, line
        if stamped := STAMPED.fullmatch(line):
            by, when, rest = "", _stamp(stamped) or said_at, stamped["rest"]
        spoken = SPOKEN.fullmatch(rest)
        if spoken and by in ("", spoken["speaker"]):
            by, rest = spoken["speaker"], spoken["rest"]
        yield rest, by, when


def _stamp(found: re.Match[str]) -> datetime | None:
    try:
        return datetime(int(found["year"]), MONTHS.index(found["month"]) + 1, int(found["day"]))
    except ValueError:  # no month of that name, or no such day in it
        return None
