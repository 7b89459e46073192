"""What can be seen of an answer beside its gold without a language model: words, meanings, numbers, dates, polarity.

Meanings are cosines of frozen sentence vectors, of whole texts and of single words.
"""

import re
from collections.abc import Callable, Sequence
from math import log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memlab.judge.days_told import apart, days, months, same, years
from memlab.judge.words_told import content, covered, items, numbers, sentences, stems, tokens

Vector = NDArray[np.float32]
VectorOf = Callable[[str], Vector]
Row = NDArray[np.float32]

NEGATIONS = frozenset(
    (
        *("not", "no", "never", "none", "nothing", "without", "unlikely"),
        *("didn't", "doesn't", "isn't", "wasn't", "hasn't", "don't", "won't"),
    )
)
REFUSAL = re.compile(
    r"not (?:mention|specif|provid|state|explicit|clear)|no (?:information|mention|specific|record|explicit|direct)|"
    r"(?:do(?:es)?|did)(?: not|n't) (?:mention|specify|provide|contain|include|have|say|state)|unknown|unclear|"
    r"cannot (?:be )?(?:determine|find|answer)|unspecified|don't know",
    re.IGNORECASE,
)
YES, NO = frozenset(("yes", "likely", "probably")), frozenset(("no", "not", "unlikely"))
OPENINGS = tuple(
    re.compile(opening, re.IGNORECASE)
    for opening in (
        "when",
        "how (?:many|often|long|much)",
        "who",
        "where",
        "why",
        "how (?:do|does|did)",
        r"(?:is|are|was|were|do|does|did|would|could|can|has|have)\b",
        "what",
    )
)
NEAR = 0.6
"""Cosine from which two words mean nearly the same."""
WHOLE = 0.999


def texts_of(question: str, gold: str, answer: str) -> list[str]:
    """Return the texts whose vectors `features` asks for, words among them."""
    listed = [question, gold, answer, f"{question} {gold}", *sentences(answer), *items(gold)]
    words = (*content(question), *content(gold), *content(answer), *(w for part in items(gold) for w in content(part)))
    return list(dict.fromkeys((*listed, *words)))


def features(question: str, gold: str, answer: str, category: int, vector: VectorOf) -> Row:
    """Return one row of numbers about an answer; `vector` knows every text of `texts_of`."""
    asked = frozenset(stems(content(question)))
    wanted, given = unasked(content(gold), asked), unasked(content(answer), asked)
    values = [
        *of_words(gold, answer, wanted),
        *of_meanings(gold, answer, wanted, given, vector),
        *of_items(gold, answer, asked, vector),
        *of_lengths(gold, answer, wanted, given),
        *of_whole_texts(question, gold, answer, vector),
        *of_numbers(gold, answer),
        *of_dates(gold, answer),
        *of_polarity(gold, answer),
        *(category == known for known in (1, 2, 3, 4)),
        *(bool(opening.match(question)) for opening in OPENINGS),
    ]
    return np.array(values, np.float32)


def row_length() -> int:
    """Return how many numbers a row has."""
    return len(features("?", "?", "?", 1, lambda _: np.ones(1, np.float32)))


def unasked(words: tuple[str, ...], asked: frozenset[str]) -> tuple[str, ...]:
    """Return the words that the question has not: those that answer it."""
    return tuple(word for word, own in zip(words, stems(words), strict=True) if own not in asked)


def of_words(gold: str, answer: str, wanted: tuple[str, ...]) -> list[Any]:
    """Return how far the same words are used."""
    given = stems(content(answer))
    overlap = covered(tokens(gold), tokens(answer))
    precision = covered(tokens(answer), tokens(gold))
    return [
        overlap,
        covered(stems(content(gold)), given),
        covered(stems(wanted), given) if wanted else -1.0,
        precision,
        2 * overlap * precision / (overlap + precision) if overlap + precision else 0.0,
    ]


def of_meanings(
    gold: str, answer: str, wanted: tuple[str, ...], given: tuple[str, ...], vector: VectorOf
) -> list[float]:
    """Return how near the words that answer the question come to those of the other text."""
    there = nearest(distinct(wanted or content(gold)), distinct(content(answer)), vector)
    back = nearest(distinct(given), distinct(content(gold)), vector)
    return [
        *(float(value) for value in (there.mean(), there.min(), (there > WHOLE).mean(), (there > NEAR).mean())),
        *(float(value) for value in (back.mean(), back.min(), (back > WHOLE).mean())),
    ]


def distinct(words: Sequence[str]) -> list[str]:
    """Return words without repetitions."""
    return list(dict.fromkeys(words))


def nearest(words: Sequence[str], among: Sequence[str], vector: VectorOf) -> NDArray[np.float64]:
    """Return for each word the cosine of the nearest among others: 1 for the same stem; numbers are near to none."""
    if not words:
        return np.ones(1)
    if not among:
        return np.zeros(len(words))
    cosines = np.stack([vector(word) for word in words]) @ np.stack([vector(word) for word in among]).T
    digits = np.array([word.isdigit() for word in words])[:, None] | np.array([word.isdigit() for word in among])[None]
    equal = np.array(stems(tuple(words)))[:, None] == np.array(stems(tuple(among)))[None]
    found: NDArray[np.float64] = np.where(equal, 1.0, np.where(digits, 0.0, cosines)).max(1).astype(np.float64)
    return found


def of_items(gold: str, answer: str, asked: frozenset[str], vector: VectorOf) -> list[float]:
    """Return how far each thing that the gold lists is in the answer."""
    given, parts = content(answer), items(gold)
    words = [own for part in parts if (own := unasked(content(part), asked) or content(part))]
    near = [float(nearest(distinct(own), distinct(given), vector).mean()) for own in words] or [0.0]
    exact = [covered(stems(own), stems(given)) for own in words] or [0.0]
    said = [vector(sentence) for sentence in sentences(answer)]
    whole = [max(float(vector(part) @ sentence) for sentence in said) for part in parts]
    mean = [sum(own) / len(own) for own in (near, exact, whole)]
    return [float(len(words)), *mean, min(near), max(near), min(exact), min(whole)]


def of_lengths(gold: str, answer: str, wanted: tuple[str, ...], given: tuple[str, ...]) -> list[float]:
    """Return how long the texts are, in words."""
    lengths = (len(tokens(gold)), len(tokens(answer)), len(wanted), len(given), len(sentences(answer)))
    return [*map(float, lengths), log1p(lengths[1])]


def of_whole_texts(question: str, gold: str, answer: str, vector: VectorOf) -> list[float]:
    """Return cosines of the texts, and of the best sentence of the answer."""
    asked, right, both = vector(question), vector(gold), vector(f"{question} {gold}")
    said = np.stack([vector(sentence) for sentence in sentences(answer)])
    whole = vector(answer)
    return [
        *(float(one @ whole) for one in (right, both, asked)),
        float(asked @ right),
        *(float((said @ one).max()) for one in (right, both, asked)),
    ]


def of_numbers(gold: str, answer: str) -> list[Any]:
    """Return whether the numbers agree."""
    wanted, given = numbers(gold), numbers(answer)
    return [
        len(wanted),
        len(given),
        len(wanted & given) / max(1, len(wanted)),
        bool(wanted and given and not wanted & given),
        bool(wanted and not given),
        len(given - wanted),
    ]


def of_dates(gold: str, answer: str) -> list[Any]:
    """Return whether the dates agree, and how far they are apart."""
    wanted, given = days(gold), days(answer)
    gap = min((apart(one, other) for one in wanted for other in given), default=None)
    found: list[Any] = [
        bool(wanted),
        bool(given),
        any(same(one, other) for one in wanted for other in given),
        -1.0 if gap is None else log1p(gap),
    ]
    for one, other in ((months(gold), months(answer)), (years(gold), years(answer))):
        found += [bool(one), bool(other), len(one & other) / max(1, len(one)), bool(one and other and not one & other)]
    return found


def of_polarity(gold: str, answer: str) -> list[Any]:
    """Return whether both say yes or no, deny, or refuse; and whether one holds the other word by word."""
    denied = [len(NEGATIONS.intersection(tokens(text))) for text in (gold, answer)]
    opening = [leading(text) for text in (gold, answer)]
    bare = [text.lower().strip(". ") for text in (gold, answer)]
    return [
        *denied,
        bool(denied[0]) != bool(denied[1]),
        bool(REFUSAL.search(answer)),
        bool(REFUSAL.search(gold)),
        *opening,
        opening[0] * opening[1],
        bare[0] in bare[1],
        bare[1] in bare[0],
        not answer,
    ]


def leading(text: str) -> int:
    """Return 1 for a text that begins with yes, -1 for no, 0 for neither."""
    first = tokens(text)[:1]
    return int(not YES.isdisjoint(first)) - int(not NO.isdisjoint(first))
