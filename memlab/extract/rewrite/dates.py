"""Relative dates as absolute ones, in the words that LOCOMO's answers use: `the week before 9 June 2023`.

A closed set of English phrases, each kept at its own precision. Date parsers (dateparser, parsedatetime) resolve "last
week" to a single day, which claims more than was said, and take "may" and "second" for dates.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import partial

from memlab.context import day
from memlab.extract.rewrite.verbs import is_past

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
}  # fmt: skip
STEPS = {"last": -1, "past": -1, "this past": -1, "next": 1, "this coming": 1}
SEASON_ENDS = {"spring": 5, "summer": 8, "fall": 11, "autumn": 11, "winter": 2}
"""The month that a season ends in; northern hemisphere, like the dialogues."""

WEEKDAY = r"(?P<weekday>mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?"
NUMBER = r"(?P<number>an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|\d{1,2})"
VAGUE = r"(?P<vague>a few|few|several|a couple of|a couple|couple of|couple|some|many)"
UNIT = r"(?P<unit>day|week|weekend|month|year)s?"
PERIOD = r"(?P<unit>weekend|week|month|year)"
PART = r"(?P<part>morning|afternoon|evening|night)"
LEAD = r"(?:\b(?P<lead>on|in|during|for|since|until|till|by|from|of|over|about|around|like|spent)\s+)?"
NOT_OWNED = r"(?<!\bthe )(?<!\bmy )(?<!\bour )(?<!\bhis )(?<!\byour )(?<!\btheir )(?<!'s )(?<!\bone )"


def month(when: date) -> str:
    """Return `June 2023`."""
    return f"{when:%B %Y}"


def months_later(when: date, months: int) -> date:
    """Return the first day of the month that lies so many months later (earlier when negative)."""
    index = when.year * 12 + when.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def _day_word(found: re.Match[str], said: date) -> str:
    word = " ".join(found["word"].lower().split())
    offset = {"yesterday": -1, "the day before yesterday": -2, "tomorrow": 1, "the day after tomorrow": 2}.get(word, 0)
    when = day(said + timedelta(days=offset))
    part = "night" if word == "tonight" else found["part"]
    return f"on the {part.lower()} of {when}" if part else f"on {when}"


def _last_night(found: re.Match[str], said: date) -> str:
    return f"on the night of {day(said - timedelta(days=1))}"


def _this_part(found: re.Match[str], said: date) -> str:
    return f"on the {found['part'].lower()} of {day(said)}"


def _weekday(found: re.Match[str], said: date) -> str:
    name = next(name for name in WEEKDAYS if name.startswith(found["weekday"].lower())).capitalize()
    step = STEPS.get(found["which"].lower(), 0)
    if step == 0:
        return f"on {name} of the week of {day(said)}"
    return f"the {name} {'after' if step > 0 else 'before'} {day(said)}"


def _period(found: re.Match[str], said: date) -> str:
    step = STEPS.get(found["which"].lower(), 0)
    unit = found["unit"].lower()
    if unit == "year":
        return f"in {said.year + step}"
    if unit == "month":
        return f"in {month(months_later(said, step))}"
    return f"the {unit} {('of', 'after', 'before')[step]} {day(said)}"


def _season(found: re.Match[str], said: date) -> str:
    season, step = found["season"].lower(), STEPS.get(found["which"].lower(), 0)
    ended = said.month > SEASON_ENDS[season]
    if step < 0:
        step += ended
    elif step > 0:
        step -= not ended
    return f"in the {season} of {said.year + step}"


def _ago(found: re.Match[str], said: date) -> str:
    unit = found["unit"].lower()
    if found["vague"]:
        return f"{' '.join(found['vague'].lower().split())} {unit}s before {day(said)}"
    number = _number(found["number"])
    if unit == "day":
        return f"on {day(said - timedelta(days=number))}"
    if unit == "month":
        return f"in {month(months_later(said, -number))}"
    if unit == "year" and number < said.year:
        return f"{found['number'].lower()} year{'s' if number > 1 else ''} ago (in {said.year - number})"
    return f"{found['number'].lower()} {unit}{'s' if number > 1 else ''} before {day(said)}"


def _ahead(found: re.Match[str], said: date) -> str:
    number, unit = _number(found["number"]), found["unit"].lower()
    if unit == "day":
        return f"on {day(said + timedelta(days=number))}"
    if unit == "month":
        return f"in {month(months_later(said, number))}"
    if unit == "year":
        return f"in {said.year + number}"
    return f"{found['number'].lower()} {unit}{'s' if number > 1 else ''} after {day(said)}"


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word.lower()]


Resolve = Callable[[re.Match[str], date], str]
RULES: tuple[tuple[re.Pattern[str], Resolve], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), resolve)
    for pattern, resolve in (
        (rf"{LEAD}{NOT_OWNED}\blast night\b(?!'s)", _last_night),
        (
            rf"{LEAD}\b(?P<word>the day before yesterday|the day after tomorrow|yesterday|tomorrow|tonight|"
            rf"(?:earlier )?today)\b(?!'s)(?:\s+{PART}\b)?",
            _day_word,
        ),
        (rf"{LEAD}\bthis {PART}\b", _this_part),
        (rf"{LEAD}{NOT_OWNED}\b(?P<which>last|this past|past|next|this coming) {WEEKDAY}\b(?!'s)", _weekday),
        (rf"{LEAD}\b(?P<which>this) (?P<weekday>mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?day\b(?!'s)", _weekday),
        (rf"{LEAD}{NOT_OWNED}\b(?P<which>last|this past|next|this coming|this) {PERIOD}\b(?!'s| of\b|-)", _period),
        (
            rf"{LEAD}{NOT_OWNED}\b(?P<which>last|this past|next|this) (?P<season>spring|summer|fall|autumn|winter)\b",
            _season,
        ),
        (rf"{LEAD}\b(?:{NUMBER}|{VAGUE}) {UNIT}\s+(?:ago|back)\b", _ago),
    )
)
HINT = re.compile(r"\b(?:yesterday|to(?:morrow|night|day)|last|this|past|next|coming|ago|back)\b", re.IGNORECASE)
AHEAD = re.compile(rf"\bin (?:about )?(?!one day|a day){NUMBER} {UNIT}(?:'? time)?(?=[.,!?]|$| and\b)", re.IGNORECASE)
BARE_WEEKDAY = re.compile(rf"\bon (?P<weekday>{'|'.join(WEEKDAYS)})\b(?! of\b)", re.IGNORECASE)
TO_COME = re.compile(r"\b(?:will|going|gonna|plan\w*|coming|starts?|opens?|wait)\b|'ll\b", re.IGNORECASE)
KEEPS_LEAD = frozenset({"for", "since", "until", "till", "by", "from", "of", "about", "around", "like", "spent"})


def absolute(text: str, said_at: datetime) -> str:
    """Return a text with its relative dates resolved against the time it was said at."""
    said = said_at.date()
    if HINT.search(text):
        for pattern, resolve in RULES:
            text = pattern.sub(partial(_placed, resolve=resolve, said=said), text)
    to_come = bool(TO_COME.search(text))
    if to_come:
        text = AHEAD.sub(partial(_resolved, resolve=_ahead, said=said), text)
    if BARE_WEEKDAY.search(text):
        happened = any(is_past(word) or word in {"was", "were"} for word in re.findall(r"\w+", text.lower()))
        if happened != to_come:
            # The tense says which side; with both or neither it stays as it is.
            side = "after" if to_come else "before"
            text = BARE_WEEKDAY.sub(lambda found: f"the {found['weekday'].capitalize()} {side} {day(said)}", text)
    return text


def _resolved(found: re.Match[str], *, resolve: Resolve, said: date) -> str:
    try:
        return resolve(found, said)
    except (ValueError, OverflowError):
        # A date before year 1 or after 9999: the words say more.
        return found.group()


def _placed(found: re.Match[str], *, resolve: Resolve, said: date) -> str:
    """Return the resolved phrase with a preposition that fits: `since 7 May 2023`, `on 7 May 2023`."""
    phrase = _resolved(found, resolve=resolve, said=said)
    lead = found["lead"] or ""
    if lead.lower() in KEEPS_LEAD:
        return f"{lead} {phrase.removeprefix('on ').removeprefix('in ')}"
    return phrase[0].upper() + phrase[1:] if found.group()[0].isupper() else phrase
