"""When two names are the same but for case, articles and number, and whether a text has a name in it."""

import re
import unicodedata
from collections.abc import Iterable, Set
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.stem.snowball import EnglishStemmer

WORD = re.compile(r"[^\W_]+")
POSSESSIVE = re.compile(r"['\u2019]s\b")
SMALL = frozenset(
    {"a", "an", "the", "my", "your", "his", "her", "its", "our", "their", "this", "that", "these", "those"}
)
"""Words that a name may gain or lose and stay the same."""
LONGEST_WORD = 40
"""Characters from which on a word is taken as it is."""


def name_words(text: str) -> tuple[str, ...]:
    """Return the words of a name, casefolded, without possessives and small words; itself when it has none."""
    folded = folded_text(text)
    words = WORD.findall(POSSESSIVE.sub("", folded))
    return tuple(word for word in words if word not in SMALL) or tuple(words) or (folded.strip(),)


def stems(words: Iterable[str]) -> tuple[str, ...]:
    """Return words without English endings: `cities` and `city` are one."""
    return tuple(stem(word) for word in words)


def vocabulary(text: str) -> frozenset[str]:
    """Return the words of a text and their stems, to look names up in."""
    words = frozenset(WORD.findall(POSSESSIVE.sub("", folded_text(text))))
    return words | frozenset(stems(words))


def is_named(name: str, text: str, words: Set[str]) -> bool:
    """Return whether each word of a name is among the `words` of a text.

    A word that is not plain ASCII may be a part of one there: not every script parts its words.
    """
    folded = folded_text(text)
    return all(
        word in words or stem(word) in words or (not (word.isascii() and word.isalnum()) and word in folded)
        for word in name_words(name)
    )


def folded_text(text: str) -> str:
    """Return a text as it is compared: without case, and in one form of Unicode."""
    return unicodedata.normalize("NFKC", text).casefold()


@cache
def _stemmer() -> "EnglishStemmer":
    from nltk.stem.snowball import EnglishStemmer  # takes a second, so not before the first name

    return EnglishStemmer()


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return a casefolded word without its English ending."""
    return str(_stemmer().stem(word)) if len(word) < LONGEST_WORD else word
