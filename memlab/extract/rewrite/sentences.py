"""A message as sentences."""

import re

BOUNDARY = re.compile(r"(?<=[^\s])[.!?…]+[\"')\]]*\s+|\n+")
ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|e\.g|i\.e|a\.m|p\.m|approx)|\b[A-Z])\.$")
INNER_BACKTICK = re.compile(r"(?<=\w)[`´](?=\w)")
LONGEST_ABBREVIATION = 10
PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\xa0": " "})
TAIL = re.compile(
    r"\s+[-–—]+\s+|;\s+|,\s+(?=(?:have|has|did|do|does|are|is|was|were|what|how|got|any|would|could|can|where|when|why|"
    r"who|right|huh)\b)",
    re.IGNORECASE,
)
OPENS_QUESTION = re.compile(
    r"(?:and|but|so)?\s*(?:who|whom|whose|what|when|where|why|which|how|do|does|did|are|is|was|were|have|has|had|can|could|"
    r"will|would|should|may|got|any|anything|ever|wanna|what've|what's|how's|who's|where's|don't|isn't|aren't|haven't|"
    r"didn't|won't|mind|care to)(?![\w'])",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """Return the sentences of a message, each with its end mark; typographic quotes and apostrophes made plain."""
    text = INNER_BACKTICK.sub("'", text.translate(PLAIN))
    found, start = [], 0
    for boundary in BOUNDARY.finditer(text):
        mark, following = boundary.group().strip(), text[boundary.end() : boundary.end() + 1]
        runs_on = following.islower() and mark[:1] not in {"!", "?", ""}
        quoted = following.islower() and mark.endswith(('"', "'", ")"))
        if (
            runs_on
            or quoted
            or ABBREVIATION.search(text[max(start, boundary.end() - LONGEST_ABBREVIATION) : boundary.end()].rstrip())
        ):
            continue
        found.append(text[start : boundary.end()])
        start = boundary.end()
    found.append(text[start:])
    return [" ".join(sentence.split()) for sentence in found if sentence.strip()]


def is_question(sentence: str) -> bool:
    """Tell whether a sentence asks."""
    return sentence.rstrip("\"')]!").endswith("?")


def told_and_asked(sentence: str) -> tuple[str, str]:
    """Split a question into the statement before it (may be empty) and the question itself.

    `I went hiking last week, have you been there?` tells something before it asks.
    """
    cut = None
    for tail in TAIL.finditer(sentence):
        head = sentence[: tail.start()]
        if OPENS_QUESTION.match(head) or len(head.split()) < 3:
            continue
        cut = tail
    if cut is None:
        return "", sentence
    return sentence[: cut.start()] + ".", sentence[cut.end() :]
