"""The part of a sentence that answers a question, found without any grammar.

Every word has a worth: new content is worth most, close to the question's own words still more, chat and function
words cost. The answer is the run of neighbouring words that is worth most together, at most so long.
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
NUMBER = re.compile(rf"\$?\d(?:[\d,.]*\d)?k?\b|\b(?:{NUMBER_WORDS})\b", re.IGNORECASE)
UNIT = r"(?:second|minute|hour|day|week|weekend|month|year|decade|night)s?"
COUNT = rf"(?:an? (?:few|couple of)|an?|\d+|{NUMBER_WORDS})"
DURATION = re.compile(
    rf"\b{COUNT}(?: times?)?(?: (?:or|to) {COUNT})?(?: times?)?(?: (?:an?|per|every))? {UNIT}(?: ago)?\b"
    r"|\bsince (?:(?:[a-z]+ )?(?:19|20)\d\d|I was \w+)"
    r"|\b(?:every|each) (?:day|week|weekend|month|year|morning|night)\b|\b(?:daily|weekly|monthly|yearly)\b",
    re.IGNORECASE,
)
TITLE = re.compile(r"(?<!\w)\"([^\"]*\w[^\"]*)\"")
FORMS = {Wanted.NUMBER: NUMBER, Wanted.DURATION: DURATION, Wanted.TITLE: TITLE}
NEGATED = re.compile(r"n't\b|\b(?:no|not|never|cannot|none|nobody|nothing|neither|nor|without)\b", re.IGNORECASE)

STOP = re.compile(r"[.,;:!?()\[\]\"]|\s-+\s|[–—]")
CHAT = frozenset(
    "yesterday today tomorrow tonight last next week weekend month year day morning night time recently lately soon ago "
    "monday tuesday wednesday thursday friday saturday sunday now later first photo photography picture pic image "
    "amazing awesome great good nice cool glad sorry happy super totally definitely absolutely sure thing things stuff "
    "bit got get gonna wanna like love take check let know think want need go going see look make".split()
)
NEW, OF_QUESTION, CHATTED, FUNCTION, ACROSS_STOP = 1.0, 0.0, 0.1, -0.2, -0.6
NEAR = 0.7
CAPITAL = 1.0


def short_phrase(text: str, asked: Set[str], names: Set[str], kind: Wanted, most_words: int) -> str:
    """Return the best run of at most `most_words` words of a sentence for a question of word stems `asked`; or "".

    `names` are the stems of the speakers' names, which an answer rarely wants.
    """
    found = list(WORD.finditer(text))
    worths = _worths(found, asked, names, kind)
    stops = [0.0, *(ACROSS_STOP if STOP.search(text, a.end(), b.start()) else 0.0 for a, b in pairwise(found))]
    best, run = 0.0, None
    for first in range(len(found)):
        total = -stops[first]
        for last in range(first, min(first + most_words, len(found))):
            total += worths[last] + stops[last]
            if total > best + 1e-9:
                best, run = total, (first, last)
    return text[found[run[0]].start() : found[run[1]].end()] if run else ""


def _worths(found: Sequence[re.Match[str]], asked: Set[str], names: Set[str], kind: Wanted) -> list[float]:
    """Return the worth of every word of a sentence."""
    stems = [stem(match.group()) if is_content(match.group()) else "" for match in found]
    said = [i for i, word in enumerate(stems) if word in asked]
    worths = []
    for i, (match, word) in enumerate(zip(found, stems, strict=True)):
        lower = match.group().lower()
        if word in asked:
            worths.append(OF_QUESTION)
        elif not word or (word in names and kind is not Wanted.NAME):
            worths.append(FUNCTION)
        elif lower in CHAT:
            worths.append(CHATTED)
        else:
            # What comes after the question's words answers more often than what stands before them.
            distance = min((i - j if j < i else j - i + 2 for j in said), default=math.inf)
            capital = kind is Wanted.NAME and i > 0 and match.group()[0].isupper()
            worths.append(NEW + NEAR / distance + CAPITAL * capital)
    return worths
