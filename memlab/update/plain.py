"""Plain statements, which models of relations are taught on, told from talk; and what of one a memory does not say."""

import re
from typing import Literal

from memlab.update.text_features import SENTENCE_END, share, text_features

Compares = Literal["plain", "all"]
"""Which texts are compared: plain, statements alone, or all of them, talk too."""

LONGEST = 20
"""Words of a sentence that states one fact, at most: of the generated facts, which models learn from, 1 % have more."""
TALK = re.compile(
    # what is exclaimed, asked, quoted, or comes to mind on the way, and words that point at what was said around
    r"""[!?"\u201c\u201d]|:(?!\d)|\s[-\u2013]\s|\u2014"""
    r"""|\b(?:they|them|these(?!\ days)|those|this|others|here|really|just|it['\u2019]s)\b""",
    re.IGNORECASE,
)


def is_plain(text: str) -> bool:
    """Return whether every sentence of a text states something that can be understood without what was said around."""
    return not TALK.search(text) and all(len(one.split()) <= LONGEST for one in SENTENCE_END.split(text))


def is_one_statement(text: str) -> bool:
    """Return whether a text is plain and of one sentence."""
    return SENTENCE_END.search(text.strip()) is None and is_plain(text)


def unsaid(memory: str, candidate: str) -> float:
    """Return the share of a candidate's content words that a memory does not have."""
    told = text_features(candidate).content
    return share(len(told - text_features(memory).content), len(told))
