"""How the speakers call each other."""

import re
from functools import lru_cache

SHORTEST_NICKNAME = 3
DASH = r"[-\u2013\u2014]"


@lru_cache(maxsize=1024)
def calls(name: str) -> frozenset[str]:
    """Return the lower-case words that may call a speaker: the parts of the name and their beginnings (`mel`)."""
    parts = name.lower().split()
    short = {part[:end] for part in parts for end in range(SHORTEST_NICKNAME, len(part))}
    return frozenset(short.union(parts))


@lru_cache(maxsize=1024)
def _vocatives(name: str) -> tuple[re.Pattern[str], ...]:
    any_call = "|".join(re.escape(call) for call in sorted(calls(name), key=len, reverse=True)) or "(?!)"
    call = rf"(?=(?-i:[A-Z]))(?:{any_call})"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?P<kept>)^{call}\s*(?:[,!.:]+\s*(?=\S)|\s{DASH}+\s+)",
            rf"(?:,\s*|(?P<kept>^\w+)\s){call}(?=\s*[.!?…]*\s*$)",
            rf"(?P<kept>),\s*{call}\s*(?=[,!?])",
        )
    )


def without_vocative(sentence: str, name: str) -> str:
    """Return a sentence without the listener being called by name at its start, end or between commas."""
    for pattern in _vocatives(name):
        sentence = pattern.sub(r"\g<kept>", sentence)
    return sentence
