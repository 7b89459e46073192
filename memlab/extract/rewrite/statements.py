"""From a sentence of a turn to its final words, and which sentences stand together."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memlab.dialogue import Turn
from memlab.extract.rewrite.dates import absolute
from memlab.extract.rewrite.elided import with_subject
from memlab.extract.rewrite.persons import in_third_person

CONJUNCTION = r"(?:(?:and|but|so|plus|also|because|then|though|even|especially|like|not|only|just) )*"
LEANING = re.compile(
    rf"{CONJUNCTION}(?:it|its|that|this|these|those|they|them|their|he|him|his|she|her|there|such|both|which|here|"
    r"the (?:best|whole|first|second|last|other|others|idea|experience|reason))(?:'\w+)?\b",
    re.IGNORECASE,
)
LEANING_OBJECT = re.compile(
    r"(?:\S+ ){1,4}(?:it|them|this|that|him|her|there|those|one)"
    r"(?:[.!,]|$| (?:and|so|but|to|for|in|with|because|has|is|was|really|when|all|too)\b)",
    re.IGNORECASE,
)
CONNECTIVE = re.compile(r"(?:But|And|Plus|Also|So(?= [A-Z])),? (?=\w)")
PHOTO = re.compile(
    r"\b(?:photo|photograph|photography|picture|image|screenshot|selfie|drawing|poster)\b", re.IGNORECASE
)
EXPLETIVE = re.compile(
    rf"{CONJUNCTION}(?:it(?:'s| is| was| feels?| takes?)|there's) "
    r"(?!(?:this|that|the|my|our|her|his|from|in|on|at|about|like|for)\b)(?:\w+ ){1,4}?"
    r"(?:how|that|to|when|knowing|seeing|hearing|having)\b|it's been (?:a|an|so|too) \w+",
    re.IGNORECASE,
)
"""`It's great to ...`: an `it` that stands for nothing said before."""
ANSWERING = re.compile(
    r"(?:and |but )?(?:it|its|they|he|she)(?:'\w+)?\b|"
    r"(?:and |but )?(?:that's|that is|that was|this is|there's|there are)\b",
    re.IGNORECASE,
)
"""Opens an answer that takes its subject from the question."""
SHORTEST_ALONE = 3
"""Words below which a statement joins the one before it."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence in its final words.

    `leans`: it speaks of something in the sentence before it. `quoted`: it is in the speaker's own words, because it
    was unclear who is meant. `sources` are turns it rests on besides its own.
    """

    text: str
    leans: bool
    quoted: bool = False
    sources: tuple[str, ...] = ()


def stated(sentence: str, turn: Turn, listener: str | None, company: str) -> Statement:
    """Return a sentence of a turn as a statement: in the third person, with absolute dates.

    `company` is who `we` are besides the speaker, where that is known.
    """
    dated = absolute(sentence, turn.said_at)
    resolved = in_third_person(with_subject(dated), turn.speaker, listener, company)
    return Statement(_capital(dated if resolved is None else resolved), leans(sentence), quoted=resolved is None)


def leans(sentence: str) -> bool:
    """Tell whether a sentence speaks of something in the one before it."""
    if EXPLETIVE.match(sentence):
        return False
    return bool(LEANING.match(sentence) or LEANING_OBJECT.match(sentence)) or len(sentence.split()) < SHORTEST_ALONE


def shared(turn: Turn) -> Statement:
    """Return what a turn's photo shows as a statement."""
    caption = " ".join((turn.caption or "").split()).rstrip(".")
    shown = caption if PHOTO.search(caption) else f"a photo of {caption}"
    return Statement(f"{turn.speaker} shared {shown}.", leans=True)


def asking(question: str, statement: Statement, speaker: str, listener: str | None) -> Statement:
    """Return a statement with the question of the same speaker that it leans on before it."""
    asked = in_third_person(question, speaker, listener) or question
    words = f'"{statement.text}"' if statement.quoted else statement.text
    return Statement(f'{speaker} asked "{_capital(asked)}" and said: {words}', leans=False)


def grouped(statements: Iterable[Statement]) -> list[list[Statement]]:
    """Return statements in groups that stand on their own: one that leans joins those before it."""
    groups: list[list[Statement]] = []
    for statement in statements:
        if statement.leans and groups:
            groups[-1].append(statement)
        else:
            groups.append([statement])
    return groups


def together(group: Sequence[Statement], speaker: str) -> str:
    """Return a group as one text that names its speaker and keeps own words in quotes."""
    text, quoting = "", False
    for statement in (replace(group[0], text=_capital(CONNECTIVE.sub("", group[0].text))), *group[1:]):
        unnamed = not text and speaker not in statement.text
        words = f'"{statement.text}"' if statement.quoted else statement.text
        if statement.quoted and quoting:
            text = f"{text[:-1]} {words[1:]}"
        elif (statement.quoted or unnamed) and f"{speaker} said:" not in text:
            text = f"{text} {speaker} said: {words}".lstrip()
        else:
            text = f"{text} {words}".lstrip()
        quoting = statement.quoted
    return text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
