"""What kind of answer a question asks for, by its words alone."""

import re
from enum import Enum


class Wanted(Enum):
    """A kind of answer."""

    DATE = "when"
    DURATION = "how long"
    NUMBER = "how many"
    VERDICT = "yes or no"
    TITLE = "which book"
    NAME = "who or where"
    SEVERAL = "which ones"
    PHRASE = "anything else"


AUXILIARY = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|might|may)(?:n't)?"
WORK = r"(?:book|song|movie|film|album|game|novel|series|play|poem)"
SORT = r"(?:(?:of|the|some|new|other|different|types|kinds|kind|type) )*"
RULES = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (r"\bhow (?:many|much|old)\b|\b(?:what|which) (?:age|number)\b", Wanted.NUMBER),
        (r"\bhow (?:long|often|frequently)\b", Wanted.DURATION),
        (r"^\W*(?:\w+ )?when\b|\b(?:which|what) (?:day|date|month|year|week|weekend)\b", Wanted.DATE),
        (rf"\bwhen {AUXILIARY}\b(?!.*\bwh(?:o|at|ich|ere|y)\b)", Wanted.DATE),
        (rf"^\W*{AUXILIARY}\b(?!.*\bor\b)", Wanted.VERDICT),
        (rf"\b(?:what|which)(?:'s| is| was)?(?: the)? (?:\w+ )?{WORK}\b|\b(?:name|title) of\b", Wanted.TITLE),
        (r"\b(?:who|whom|whose|where)\b|\b(?:what|which) (?:city|country|state|town|place)\b", Wanted.NAME),
        (rf"\b(?:what|which) (?:are|were|{SORT}(?!{AUXILIARY}\b)[\w-]{{2,}}(?<!s)s(?<!'s))\b", Wanted.SEVERAL),
    )
)


def wanted(question: str) -> Wanted:
    """Return the kind of answer that the first rule which fits a question names."""
    return next((kind for pattern, kind in RULES if pattern.search(question)), Wanted.PHRASE)
