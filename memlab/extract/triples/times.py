"""Times of events in a statement, taken out of its words."""

import re
from calendar import month_name
from dataclasses import dataclass

MONTH = rf"(?:{'|'.join(month_name[1:])})"
WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
DAY = (
    rf"(?:{MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}(?:,? \d{{4}}\b)?)"
)
NUMBER = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)"
VAGUE = r"(?:a few|few|several|a couple of|couple of|a couple|many|some)"
UNIT = r"(?:second|minute|hour|day|night|week|weekend|month|year|decade)s?"
PART = r"(?:morning|afternoon|evening|night|spring|summer|fall|autumn|winter|end|beginning|start|middle)"
PERIOD = rf"(?:week|weekend|month|{PART}|{WEEKDAY})"
BEFORE = (
    rf"(?:the (?:{PART} of (?:the )?)?{PERIOD} (?:of|before|after) |{WEEKDAY},? (?:of the week of )?"
    rf"|(?:about |around )?(?:{NUMBER}|{VAGUE}) {UNIT} (?:before|after) |the (?:day|night) (?:before|after) "
    rf"|(?:early|late|mid)[- ](?:in )?)"
)
LEAD = r"(?:(?:back |sometime )?(?:on|in|during|since|until|till|by|from|around|about|for|over|of|as of) )"
DATE = re.compile(
    rf"(?<![\w-])(?:"
    rf"(?:{NUMBER}|{VAGUE}) years? ago \(in \d{{4}}\)"
    rf"|{LEAD}?{BEFORE}?{DAY}(?!['’]s)"
    rf"|{LEAD}?{BEFORE}?{MONTH}(?:,| of)? (?:19|20)\d\d\b(?!['’]s)"
    rf"|{LEAD}(?:the {PART} of )?(?:19|20)\d\d\b(?!['’]s)"
    rf"|the {PART} of (?:19|20)\d\d\b"
    rf"|{LEAD}{MONTH}\b"
    rf")",
    re.IGNORECASE,
)
HABIT = re.compile(
    rf"\b(?:every (?:other |single )?(?:{UNIT}|{PART}|{WEEKDAY})|(?:once|twice|\w+ times) (?:a|an|per|every) {UNIT}"
    rf"|on (?:weekends|{WEEKDAY}s)"
    rf"|for (?:the (?:past|last) |about |around |over |almost |nearly |more than )*(?:{NUMBER}|{VAGUE}) {UNIT}"
    r"(?: now)?)\b(?! old)",
    re.IGNORECASE,
)
HAS_MONTH_OR_DIGIT = re.compile(rf"\d|\b{MONTH}\b")
SUBJECT_OF = re.compile(r" (?:is|was|has|have|had|will|were)\b")
BARE = re.compile(r"^(?:(?:back|sometime) )?(?:on|in|during|for|over|of|as of) ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mark:
    """A time and the place in the text that it was taken out of."""

    when: str
    at: int


def without_times(text: str) -> tuple[str, list[Mark]]:
    """Return a text without its absolute dates, habits and durations, and these with the places they stood at.

    A date that something is said of stays, too: `The week before 9 July 2023 was wild`.
    """
    left, marks, end = "", [], 0
    for start, stop, words in _found(text):
        left += text[end:start]
        if SUBJECT_OF.match(text, stop):
            marks.append(Mark(words, len(left)))
            end = start
            continue
        end = stop
        # What is left has to parse: no two blanks, no blank before a comma, no comma at the start of a sentence.
        while left.endswith(" ") and (stop == len(text) or not text[stop].isalnum()):
            left = left[:-1]
            if stop < len(text) and text[stop] == " ":
                break
        if (not left or re.search(r"[.!?]\s*$", left)) and (comma := re.compile(r"\s*,?\s*").match(text, stop)):
            end = comma.end()
            left = f"{left.rstrip()} " if left.strip() else ""
        marks.append(Mark(words, len(left)))
    return left + text[end:], marks


def _found(text: str) -> list[tuple[int, int, str]]:
    found = [
        (m.start(), m.end(), _when(m.group())) for m in DATE.finditer(text) if HAS_MONTH_OR_DIGIT.search(m.group())
    ]
    taken = {place for start, end, _ in found for place in range(start, end)}
    habits = [m for m in HABIT.finditer(text) if not taken & set(range(m.start(), m.end()))]
    return sorted([*found, *((m.start(), m.end(), m.group()) for m in habits)])


def _when(words: str) -> str:
    bare = BARE.sub("", words)
    first = bare.split()[0]
    # A month or a weekday keeps its capital.
    return bare if first in month_name or re.fullmatch(WEEKDAY, first) else bare[0].lower() + bare[1:]
