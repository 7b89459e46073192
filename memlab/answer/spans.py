"""The part of a sentence that answers a question, found without any grammar.

Every word has a worth: new content is worth most, close to the question's own words still more, chat is worth little,
function words cost. The answer is the run of neighbouring words that is worth most together, at most so long.
"""

import math
import re
from collections.abc import Sequence, Set
from itertools import pairwise

from memlab.answer.questions import Wanted
from memlab.answer.words import WORD, is_content, stem

NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    "eighteen|nineteen|twenty|thirty|forty|fifty|hundred|thousand|once|twice|couple|dozen|several|few"
)
NUMBER = re.compile(rf"\$?\d(?:[\d,.]{{0,12}}\d)?k?\b|\b(?:{NUMBER_WORDS})\b", re.IGNORECASE)
UNIT = r"(?:second|minute|hour|day|week|weekend|month|year|decade|night)s?"
COUNT = rf"(?:an? (?:few|couple of)|an?|\d+|{NUMBER_WORDS})"
DURATION = re.compile(
    rf"\b{COUNT}(?: times?)?(?: (?:or|to) {COUNT})?(?: times?)?(?: (?:an?|per|every))? {UNIT}(?: ago)?\b"
    r"|\bsince (?:(?:[a-z]+ )?(?:19|20)\d\d|I was \w+)"
    r"|\b(?:every|each) (?:day|week|weekend|month|year|morning|night)\b|\b(?:daily|weekly|monthly|yearly)\b",
    re.IGNORECASE,
)
TITLE = re.compile(r"(?<!\w)\"([^\"]{0,60}\w[^\"]{0,60})\"")
FORMS = {Wanted.NUMBER: NUMBER, Wanted.DURATION: DURATION, Wanted.TITLE: TITLE}
NEGATION = re.compile(r"n't\b|\b(?:no|not|never|cannot|none|nobody|nothing|neither|nor|without)\b", re.IGNORECASE)

STOP = re.compile(r"[.,;:!?()\[\]\"]|\s-+\s|[–—]")
CHAT = """
    yesterday today tomorrow tonight last next week weekend month year day morning night time recently lately soon ago
    monday tuesday wednesday thursday friday saturday sunday now later first photo photography picture pic image
    amazing awesome great good nice cool glad sorry happy super totally definitely absolutely sure thing things stuff
    bit got get gonna wanna like love take check let know think want need go going see look make
"""
CHATTY = frozenset(CHAT.split())

NEW, CHATTED, OF_QUESTION, FUNCTION = 1.0, 0.1, -0.05, -0.2
"""The worth of a word by its kind; NEAR is added to new ones beside a word of the question, less further away."""
NEAR = 0.7
ACROSS_STOP = -1.5
"""Added where a run crosses a punctuation mark."""


def negated(text: str) -> bool:
    """Tell whether a text denies something."""
    return bool(NEGATION.search(text))


def exact_part(text: str, kind: Wanted) -> str | None:
    """Return the first number, duration or title in a text, whichever a question of this kind asks for."""
    if kind not in FORMS or not (found := FORMS[kind].search(text)):
        return None
    return found[found.lastindex or 0]


def short_phrase(text: str, asked: Set[str], speakers: Set[str], *, name_wanted: bool, most_words: int) -> str:
    """Return the run of at most `most_words` words that best answers a question of word stems `asked`; "" if none does.

    The speakers' names (stems) answer nothing: in a talk between two they mostly address the other.
    """
    found = list(WORD.finditer(text))
    worths = _worths([match.group() for match in found], asked, speakers, name_wanted)
    stops = [bool(STOP.search(text, word.end(), following.start())) for word, following in pairwise(found)]
    best, start, end = 0.0, 0, 0
    for first in range(len(found)):
        total = 0.0
        for last in range(first, min(first + most_words, len(found))):
            total += worths[last] + (ACROSS_STOP if last > first and stops[last - 1] else 0.0)
            if total > best + 1e-9:
                best, start, end = total, found[first].start(), found[last].end()
    return text[start:end]


def _worths(words: Sequence[str], asked: Set[str], speakers: Set[str], name_wanted: bool) -> list[float]:
    stems = [stem(word) if is_content(word) else "" for word in words]
    said = [i for i, one in enumerate(stems) if one in asked]
    new = [i for i, one in enumerate(stems) if one and one not in asked and one not in speakers]
    # The first word of a sentence has its capital letter anyway.
    capitals = [i for i in new if i > 0 and words[i][0].isupper()] if name_wanted else []
    worths = [FUNCTION] * len(words)
    for i in said:
        worths[i] = OF_QUESTION
    for i in capitals or new:
        # What comes after the question's words answers it more often than what stands before them.
        distance = min((i - j if j < i else j - i + 2 for j in said), default=math.inf)
        worths[i] = CHATTED if words[i].lower() in CHATTY else NEW + NEAR / distance
    return worths
