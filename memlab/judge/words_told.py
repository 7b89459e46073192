"""The words of questions, golds and answers, as they are compared by judges without a language model."""

import re
from functools import lru_cache

from memlab.answer.words import FUNCTION_WORDS, stem

WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
ORDINAL = re.compile(r"(\d)(?:st|nd|rd|th)\b")
SPELT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {word: str(number) for number, word in enumerate(SPELT)} | {
    "once": "1",
    "twice": "2",
    "first": "1",
    "second": "2",
    "third": "3",
}
SAID = frozenset(("no", "not", "yes"))
"""Function words that answer a question."""
ITEM = re.compile(r",|;|\band\b|\n|&")
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|;\s+")


@lru_cache(maxsize=1 << 16)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words in lower case, numbers as digits, `5th` as 5, 1,000 as 1000."""
    plain = ORDINAL.sub(r"\1", text.lower().replace(",", "").replace("’", "'"))
    return tuple(NUMBERS.get(word, word) for word in WORD.findall(plain))


@lru_cache(maxsize=1 << 16)
def content(text: str) -> tuple[str, ...]:
    """Return the words that say what a text is about."""
    return tuple(word for word in tokens(text) if word not in FUNCTION_WORDS or word in SAID)


@lru_cache(maxsize=1 << 16)
def stems(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the stems of words."""
    return tuple(stem(word) for word in words)


def numbers(text: str) -> frozenset[str]:
    """Return the whole numbers of a text."""
    return frozenset(word for word in tokens(text) if word.isdigit())


def items(text: str) -> list[str]:
    """Return the things that a gold lists."""
    return [part for found in ITEM.split(text) if (part := found.strip())] or [text]


def sentences(text: str) -> list[str]:
    """Return the sentences of an answer."""
    return [part for found in SENTENCE.split(text) if (part := found.strip())] or [text]


def covered(wanted: tuple[str, ...], given: tuple[str, ...]) -> float:
    """Return the share of wanted words, with repetitions, that are among those given; 1 for none wanted."""
    among = frozenset(given)
    return sum(word in among for word in wanted) / len(wanted) if wanted else 1.0
