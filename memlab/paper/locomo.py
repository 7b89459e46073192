"""LOCOMO by the numbers: its ten conversations, and how many questions of each category they ask."""

import re
from collections.abc import Mapping
from types import MappingProxyType

SAMPLE_IDS = tuple(f"conv-{number}" for number in (26, 30, 41, 42, 43, 44, 47, 48, 49, 50))
"""The sample ids of locomo10.json in its order; published files call a conversation by its index in it, from 0."""

QUESTIONS: Mapping[int, int] = MappingProxyType({1: 282, 2: 321, 3: 96, 4: 841, 5: 446})
"""How many questions of each category the ten conversations ask. Category 5 is not scored by the paper."""

SCORED = sum(QUESTIONS[category] for category in (1, 2, 3, 4))

BY_CONVERSATION: Mapping[str, Mapping[int, int]] = MappingProxyType(
    {
        "conv-26": {1: 32, 2: 37, 3: 13, 4: 70, 5: 47},
        "conv-30": {1: 11, 2: 26, 3: 0, 4: 44, 5: 24},
        "conv-41": {1: 31, 2: 27, 3: 8, 4: 86, 5: 41},
        "conv-42": {1: 37, 2: 40, 3: 11, 4: 111, 5: 61},
        "conv-43": {1: 31, 2: 26, 3: 14, 4: 107, 5: 64},
        "conv-48": {1: 21, 2: 42, 3: 10, 4: 118, 5: 48},
        "conv-49": {1: 37, 2: 33, 3: 13, 4: 73, 5: 40},
    }
)
"""The same per conversation, where counted. Of the other three only their sum is known: what is left of QUESTIONS."""

TWICE: Mapping[str, int] = MappingProxyType({"conv-48": 11})
"""How many scored questions of a conversation are asked a second time in it, with the same text and gold."""

WRONG_GOLDS = 99
"""How many of the SCORED questions have a wrong gold answer, by the public audit of the ten conversations
(dial481/locomo-audit, errors.json at commit 9493fb4b: 156 reported errors, 57 of them wrong citations only)."""

WRONG_GOLDS_OF_SEVEN: Mapping[int, int] = MappingProxyType({1: 19, 2: 15, 3: 8, 4: 30})
"""Those of them, per category, in the seven conversations of BY_CONVERSATION: 72."""

_SAMPLE = re.compile(r"conv-\d+")
_INDEX = re.compile(r"(?:\D*(?:locomo|conv)\D*)?(\d)", re.IGNORECASE)
_QUESTION = re.compile(r"\D*(?:locomo|conv)\D*(\d)_qa?(\d+)", re.IGNORECASE)
_OURS = re.compile(r"conv-\d+/q\d+")


def sample_id(conversation: str) -> str:
    """Return LOCOMO's name of a conversation that a file calls `3` or `locomo_exp_user_3`; others as they are.

    A digit at the end of any other name (`mini-1`) says nothing of LOCOMO.
    """
    if _SAMPLE.fullmatch(conversation) or not (found := _INDEX.fullmatch(conversation)):
        return conversation
    return SAMPLE_IDS[int(found[1])]


def question_id(published: str) -> str | None:
    """Return the id `conv-42/q17` of a question that a file calls so, `locomo_3_qa17` or `conv3_q17`; None for others.

    The number is the question's position in its conversation's list, from 0.
    """
    if _OURS.fullmatch(published):
        return published
    found = _QUESTION.fullmatch(published)
    return f"{SAMPLE_IDS[int(found[1])]}/q{found[2]}" if found else None
