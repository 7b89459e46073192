"""The words of a sentence, and what stands beside what."""

import re

from memlab.extract.rewrite.verbs import PLAIN_VERBS, is_adverb, is_past
from memlab.extract.rewrite.words import words

PIECE = re.compile(r"\w+(?:['-]\w+)*|\"|[^\w\"]+")
OPENS_CLAUSE = words("opens_clause")
AUXILIARIES = words("auxiliaries")
WH_WORDS = words("wh_words")
PRONOUNS = words("pronouns")
DETERMINERS = frozenset({"my", "the", "a", "an", "our", "his", "her", "their", "some", "me"})
LONGEST_SUBJECT = 4
"""Words that `my husband and I` may have before its `and`."""


class Clause:
    """The pieces of a sentence (words, and what is between them), with the word before and after any other."""

    def __init__(self, text: str) -> None:
        self.pieces: list[str] = PIECE.findall(text)
        self.lower = [piece.lower() for piece in self.pieces]

    def before(self, index: int) -> int | None:
        """Return the place of the word before in the same clause."""
        return (
            index - 2 if index >= 2 and self.pieces[index - 1] == " " and self.pieces[index - 2][0].isalnum() else None
        )

    def after(self, index: int) -> int | None:
        """Return the place of the word after in the same clause."""
        inside = index + 2 < len(self.pieces)
        return index + 2 if inside and self.pieces[index + 1] == " " and self.pieces[index + 2][0].isalnum() else None

    def verb(self, index: int) -> int | None:
        """Return the place of the first word after a subject that is no adverb."""
        place = self.after(index)
        while place is not None and is_adverb(self.lower[place]):
            place = self.after(place)
        return place

    def word_before(self, index: int) -> str:
        """Return the lower-case word before, or nothing at the start of a clause."""
        place = self.before(index)
        return "" if place is None else self.lower[place]

    def joined(self, index: int) -> bool:
        """Tell whether a verb follows `and` or `but`, adverbs apart."""
        place = self.before(index)
        while place is not None and is_adverb(self.lower[place]):
            place = self.before(place)
        return place is not None and self.lower[place] in {"and", "but"}

    def auxiliary(self, index: int) -> int | None:
        """Return the place of the auxiliary of an inverted subject: of `do` in `what do you think`."""
        place = self.before(index)
        if place is None or self.lower[place] not in AUXILIARIES:
            return None
        ahead = self.word_before(place)
        asks = any(word in WH_WORDS for word in self.lower[:place])
        return place if not ahead or asks or ahead in {"nor", "neither", "so", "and", "but"} else None

    def ends_compound(self, index: int) -> bool:
        """Tell whether `I` ends a subject of several, as in `my family and I`."""
        place = self.before(index)
        if place is None or self.lower[place] != "and":
            return False
        start = place
        while start > 0 and (self.pieces[start - 1] == " " or self.pieces[start - 1][0].isalnum()):
            start -= 1
        subject = [word for word in self.lower[start:place] if word[0].isalnum()]
        while subject and subject[0] in OPENS_CLAUSE:
            subject.pop(0)
        if not subject or len(subject) > LONGEST_SUBJECT:
            return False
        first = place - 2 * len(subject)
        person = len(subject) == 1 and self.pieces[first][0].isupper() and subject[0] not in PLAIN_VERBS | PRONOUNS
        if subject[0] not in DETERMINERS and not person:
            return False
        return not any(is_past(word) or word in AUXILIARIES or "'" in word for word in subject)
