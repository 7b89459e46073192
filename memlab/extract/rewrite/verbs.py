"""Verbs after a subject that turns from first or second to third person."""

from memlab.extract.rewrite.words import words

BE_HAVE_DO = {
    "am": "is",
    "are": "is",
    "ain't": "isn't",
    "aren't": "isn't",
    "were": "was",
    "weren't": "wasn't",
    "have": "has",
    "haven't": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "go": "goes",
    "wanna": "wants to",
    "gotta": "has to",
    "gonna": "is going to",
    "dont": "doesn't",
    "havent": "hasn't",
}
UNCHANGING = words("unchanging")
PAST = words("past")
PARTICIPLES = words("participles")
ENDS_LIKE_PAST = words("ends_like_past")
ADVERBS = words("adverbs")
ENDS_LIKE_ADVERB = words("ends_like_adverb")
PLAIN_VERBS = words("plain_verbs")


def is_adverb(word: str) -> bool:
    """Tell whether a lower-case word may stand between a subject and its verb."""
    return word in ADVERBS or (word.endswith("ly") and len(word) > 3 and word not in ENDS_LIKE_ADVERB)


def is_past(word: str) -> bool:
    """Tell whether a lower-case word is a past form, which is the same in all persons."""
    return word in PAST or (word.endswith("ed") and word not in ENDS_LIKE_PAST)


def agrees(word: str) -> str:
    """Return the third-person singular of the verb after `I` or `you`; a word that is none, or has none, unchanged."""
    lower = word.lower()
    if lower in BE_HAVE_DO:
        return BE_HAVE_DO[lower]
    if lower in UNCHANGING or is_past(lower) or lower.endswith(("ing", "n't", "'ve", "'d", "'ll", "'s")):
        return word
    if not lower.isalpha() or not word.islower():
        return word
    return singular(lower)


def singular(verb: str) -> str:
    """Return the third-person singular of a plain verb."""
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in set("aeiou"):
        return verb[:-1] + "ies"
    return verb + "s"
