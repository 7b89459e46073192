"""What can be seen of a memory and a candidate without a model: words in common, negation, endings, names, numbers."""

import math
import re
from dataclasses import dataclass

WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
RELATIVE = re.compile(r"\w['\u2019]s?\s+(?:[a-z-]+\s+){1,3}([A-Z]\w+)")
"""A person named by way of another: `Ada's sister Ben`."""
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, apart by spaces."""
    return frozenset(text.split())


FUNCTION = words_of("""
    a an the and or but if of in on at to for from by with about as into than then that this these those it its is am
    are was were be been being do does did has have had having will would can could shall should may might must he she
    they them him her his hers their theirs we us our you your i me my who whom which what when where there here so
    too very also just own each any some all
""")
NEGATION = words_of("""
    not no never nobody nothing none neither nor without cannot hardly isn't aren't wasn't weren't don't doesn't didn't
    won't wouldn't can't couldn't hasn't haven't hadn't
""")
ENDING = words_of("""
    longer anymore stopped stops stop ended ends end over quit quits left leaves gave given gives up cancelled canceled
    cancels called off dropped drops lost sold died dead gone finished abandoned broke broken split separated divorced
    retired resigned closed former formerly ex past used until ceased rid abolished withdrew withdrawn
""")
CHANGE = words_of("""
    now instead new changed changes change moved moves switched switches swapped swaps replaced replaces became becomes
    turned turns different another rather nowadays currently since meanwhile actually corrected correction really
    mistaken wrong after traded exchanged converted
""")
DETAIL = words_of("""
    because called named name reason since mainly especially favourite favorite means thanks while whose usually often
    always every makes costs takes lasts
""")
CUES = (NEGATION, ENDING, CHANGE, DETAIL)


@dataclass(frozen=True, slots=True)
class TextFeatures:
    """What is counted of one text: `parts` are its sentences, `content` the stems of all but function words.

    `sentences` are the stems of each part.
    """

    parts: tuple[str, ...]
    words: frozenset[str]
    content: frozenset[str]
    sentences: tuple[frozenset[str], ...]
    names: frozenset[str]
    relatives: frozenset[str]
    numbers: frozenset[str]
    start: tuple[str, ...]
    cues: tuple[float, ...]
    length: float


def text_features(text: str) -> TextFeatures:
    """Return the features of a text."""
    words = WORD.findall(text)
    lower = [word.lower().replace("\u2019", "'") for word in words]
    bare = [word.removesuffix("'s") for word in lower]
    parts = tuple(part for part in SENTENCE_END.split(text) if part.strip())
    parts = parts if len(parts) > 1 else (text,)
    return TextFeatures(
        parts=parts,
        words=frozenset(bare),
        content=content(lower),
        sentences=tuple(content(WORD.findall(part.lower())) for part in parts),
        names=frozenset(b for word, b in zip(words, bare, strict=True) if word[0].isupper() and b not in FUNCTION),
        relatives=frozenset(name.lower() for name in RELATIVE.findall(text)),
        numbers=frozenset(NUMBER.findall(text)),
        start=tuple(bare[:2]),
        cues=tuple(min(sum(word in cue for word in lower), 3) / 3 for cue in CUES),
        length=math.log1p(len(words)),
    )


def content(words: list[str]) -> frozenset[str]:
    """Return the stems of the words that are no function words."""
    bare = (word.removesuffix("'s") for word in words)
    return frozenset(stem(word) for word in bare if word not in FUNCTION)


def stem(word: str) -> str:
    """Return a word without the endings that grammar asks for, roughly."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] in "ey" else word


def pair_features(memory: TextFeatures, candidate: TextFeatures) -> tuple[float, ...]:
    """Return what a memory and a candidate have in common, and each alone; `WIDTH` numbers."""
    known, told = memory.content, candidate.content
    both = len(known & told)
    new = told - known
    topic, names = told - candidate.names, candidate.names & memory.names
    same_start = candidate.start[:1] == memory.start[:1]
    cue_pairs = [side for pair in zip(memory.cues, candidate.cues, strict=True) for side in pair]
    return (
        share(len(memory.words & candidate.words), len(candidate.words)),
        share(len(memory.words & candidate.words), len(memory.words)),
        share(both, len(told)),
        share(both, len(known)),
        share(both, len(known | told)),
        max(share(len(one & told), len(told)) for one in memory.sentences),
        max(share(len(one & told), len(one)) for one in memory.sentences),
        share(len(topic & known), len(topic)),
        math.log1p(len(new)),
        math.log1p(len(known - told)),
        math.log1p(len(names)),
        math.log1p(len(candidate.names - memory.names)),
        math.log1p(len(memory.names - candidate.names)),
        float(same_start),
        float(candidate.start == memory.start),
        float(any(name in names for name in candidate.start)),
        float(bool(candidate.relatives)),
        float(bool(memory.relatives)),
        float(candidate.relatives == memory.relatives),
        float(bool(candidate.relatives & memory.relatives)),
        *by_sentence(memory, candidate, topic),
        float(bool(candidate.numbers & memory.numbers)),
        float(bool(candidate.numbers - memory.numbers)),
        float(bool(memory.numbers - candidate.numbers)),
        *cue_pairs,
        abs(memory.cues[0] - candidate.cues[0]),
        memory.length,
        candidate.length,
        candidate.length - memory.length,
        math.log(len(memory.sentences)),
        math.log(len(candidate.sentences)),
    )


def by_sentence(memory: TextFeatures, candidate: TextFeatures, topic: frozenset[str]) -> tuple[float, ...]:
    """Return what a candidate has in common with the memory's sentence that shares most of its topic, and the first."""
    closest = max(memory.sentences, key=lambda one: (len(one & topic), -len(one)))
    first, missing = memory.sentences[0], closest - candidate.content - memory.names
    added = candidate.content - closest - candidate.names
    return (
        share(len(closest & topic), len(topic)),
        share(len(closest & topic), len(closest)),
        math.log1p(len(added)),
        math.log1p(len(missing)),
        float(len(added) <= 1),
        float(len(missing) <= 1),
        float(len(added) <= 1 and len(missing) <= 1 and len(closest & topic) >= 2),
        float(closest is first),
        share(len(first & topic), len(topic)),
    )


def share(part: int, whole: int) -> float:
    """Return a part of a whole, 0 of nothing."""
    return part / whole if whole else 0.0


WIDTH = len(pair_features(text_features("Ada sings."), text_features("Ada sang.")))
