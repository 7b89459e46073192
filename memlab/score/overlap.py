"""How far the words of an answer and of the gold answer overlap: F1 and BLEU-1 as in Mem0's evaluation, LOCOMO's F1.

Every value lies in [0, 1]; more is better.
"""

import math
import re
import string
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from memlab.score.word_tokens import word_tokens

if TYPE_CHECKING:
    from nltk.stem.porter import PorterStemmer

_MARKS_TO_SPACES = str.maketrans(dict.fromkeys(".,!?", " "))
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
# A combining accent belongs to the letter before it: the "a" of a decomposed "á" is no article.
_ARTICLE = re.compile(r"(?<![\w\u0300-\u036f])(?:an?|and|the)(?![\w\u0300-\u036f])")
_REFUSALS = ("no information available", "not mentioned")


def f1(gold: str, answer: str) -> float:
    """Return the harmonic mean of precision and recall over the two sets of tokens; 0 when either set is empty."""
    expected = set(gold.lower().translate(_MARKS_TO_SPACES).split())
    given = set(answer.lower().translate(_MARKS_TO_SPACES).split())
    return _harmonic_mean(len(expected & given), len(expected), len(given))


def bleu1(gold: str, answer: str) -> float:
    """Return the answer's clipped unigram precision times the brevity penalty (Papineni et al. 2002).

    The value is that of NLTK's `sentence_bleu` with weights (1, 0, 0, 0) and smoothing method 1: that smoothing touches
    no unigram, and an answer that shares no token is 0.
    """
    expected, given = _gold_tokens(gold), word_tokens(answer)
    shared = _shared(expected, given)
    if not shared:
        return 0.0
    penalty = math.exp(min(0.0, 1 - len(expected) / len(given)))
    return penalty * shared / len(given)


@lru_cache(maxsize=1 << 12)
def _gold_tokens(gold: str) -> tuple[str, ...]:
    """Return the tokens of a gold; they are kept, because a gold meets the answers of many systems."""
    return tuple(word_tokens(gold))


def locomo_f1(question_category: int, gold: str, answer: str) -> float:
    """Return the F1 of LoCoMo's own evaluation (Maharana et al. 2024), over stemmed tokens with their counts.

    Category 1 asks for several things: the mean over the gold's comma-separated parts of the best F1 of any part of the
    answer. Category 3 counts only the gold before a semicolon. Category 5 is 1 when the answer says that the dialogue
    does not tell, else 0; its gold is not looked at.
    """
    match question_category:
        case 1:
            parts = answer.split(",")
            wanted = gold.split(",")
            return sum(max(_stemmed_f1(want, part) for part in parts) for want in wanted) / len(wanted)
        case 2 | 4:
            return _stemmed_f1(gold, answer)
        case 3:
            return _stemmed_f1(gold.partition(";")[0], answer)
        case 5:
            return float(any(refusal in answer.lower() for refusal in _REFUSALS))
        case _:
            raise ValueError(f"no LOCOMO category {question_category!r}; categories are 1 to 5")


def _stemmed_f1(gold: str, answer: str) -> float:
    expected, given = _stems(gold), _stems(answer)
    return _harmonic_mean(_shared(expected, given), len(expected), len(given))


@lru_cache(maxsize=1 << 14)
def _stems(text: str) -> tuple[str, ...]:
    """Return the stems of a text in lower case without punctuation, articles and "and"."""
    plain = text.replace(",", "").lower().translate(_NO_PUNCTUATION)
    return tuple(_stem(word) for word in _ARTICLE.sub(" ", plain).split())


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    stem: str = _stemmer().stem(word)
    return stem


@cache
def _stemmer() -> "PorterStemmer":
    from nltk.stem.porter import PorterStemmer  # imports much of NLTK, and only this metric needs it

    return PorterStemmer()


def _shared(expected: Sequence[str], given: Sequence[str]) -> int:
    """Return how many tokens two texts have in common, each as often as in both."""
    return (Counter(expected) & Counter(given)).total()


def _harmonic_mean(shared: int, expected: int, given: int) -> float:
    """Return the harmonic mean of shared/given and shared/expected."""
    return 2 * shared / (expected + given) if shared else 0.0
