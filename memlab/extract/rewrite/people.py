"""Persons besides the two speakers that a message names."""

import re
from dataclasses import dataclass

from memlab.extract.rewrite.sentences import sentences
from memlab.extract.rewrite.words import words


def _any_of(*names: str) -> str:
    return "|".join(sorted(words(*names), key=len, reverse=True))


WOMEN, MEN = words("women"), words("men")
NAME = r"[A-Z][a-z]+"
NAMED = (
    rf"(?:,? (?P<apposed>{NAME})\b|,? (?:whose|her|his|their|the) name(?:'s| is) (?P<called>{NAME})|"
    rf",? (?:named|called) (?P<given>{NAME}))"
)
NAME_IS = re.compile(rf"\b(?:(?P<her>[Hh]er)|[Hh]is) name(?:'s| is| was) (?P<name>{NAME})")
KIN = re.compile(
    rf"\b(?P<owner>(?i:my|your|our) (?:(?!(?:with|and|to|of|from|for|is|was|in|on|at|by|about)\b)[\w-]+ ){{0,2}}?)?"
    rf"(?P<noun>(?i:{_any_of('women', 'men', 'anybody')}))\b(?:{NAMED})?"
)
OTHERS = re.compile(
    rf"\b(?i:(?P<woman>{_any_of('woman')})|(?P<man>{_any_of('man')})|(?:{_any_of('somebody')}))\b(?:{NAMED})?"
)
PREDICATE = re.compile(
    r"(?:\b(?:as|is|was|be|been|become|became|am)|'s|'m) an? (?:[\w-]+ ){0,2}?"
    rf"(?:{_any_of('anybody', 'somebody')})\b",
    re.IGNORECASE,
)
"""`He works as a teacher`: nobody else is named."""
CAPITAL = re.compile(rf"(?<![\w']){NAME}(?: {NAME})*(?!\w)")
HE_OR_SHE = re.compile(r"\b(?:he|she)\b", re.IGNORECASE)
SUBJECT = re.compile(r"(?:'s|'ll|'d)? (?:and|is|was|has|had|will|would|can|could|did|does|got|went|just|\w+ed|\w+s)\b")
NO_NAME = words("opens_clause", "pronouns", "auxiliaries", "wh_words", "fillers", "calendar")


@dataclass(frozen=True, slots=True)
class Named:
    """A person (or pet) that a message names.

    `words` say it again (empty: too vague). `pronoun` is `she` or `he`, empty when it may be either, `?` when the name
    may not be a person's at all.
    """

    words: str
    pronoun: str


def people(text: str, speaker: str, listener: str, calls: frozenset[str]) -> list[Named]:
    """Return whom a message names besides the speakers; `calls` are the lower-case words that call those."""
    found = [one for sentence in sentences(text) for one in _in_sentence(sentence, speaker, listener, calls)]
    introduced = [
        Named(name["name"], "she" if name["her"] else "he")
        for name in NAME_IS.finditer(text)
        if name["name"].lower() not in calls | NO_NAME
    ]
    # `I got a puppy! Her name's Coco`: the puppy is nobody else.
    return [*introduced, *(one for one in found if one.words and one.pronoun != "?")] if introduced else found


def _in_sentence(sentence: str, speaker: str, listener: str, calls: frozenset[str]) -> list[Named]:
    sentence = PREDICATE.sub("", sentence)
    kin = [_kin(found, speaker, listener, calls) for found in KIN.finditer(sentence)]
    others = [
        Named(_name(found, calls), "she" if found["woman"] else "he" if found["man"] else "")
        for found in OTHERS.finditer(sentence)
    ]
    names = {one.words for one in (*kin, *others)}
    bare = [name for name in _names(sentence, calls) if name not in names]
    if len(bare) == 1 and not kin and not others:
        # `I met Clara, she ...`: the pronoun says that it is a person.
        said = {found.group().lower() for found in HE_OR_SHE.finditer(sentence[sentence.index(bare[0]) :])}
        if len(said) == 1:
            return [Named(bare[0], said.pop())]
    return [*kin, *others, *(Named(name, "?") for name in bare)]


def _kin(found: re.Match[str], speaker: str, listener: str, calls: frozenset[str]) -> Named:
    noun = found["noun"].lower()
    pronoun = "she" if noun in WOMEN else "he" if noun in MEN else ""
    if name := _name(found, calls):
        return Named(name, pronoun)
    owner = (found["owner"] or "").split()
    whose = {"my": speaker, "your": listener}.get(owner[0].lower(), "") if owner else ""
    return Named(f"{whose}'s {' '.join([*owner[1:], found['noun']])}" if whose else "", pronoun)


def _name(found: re.Match[str], calls: frozenset[str]) -> str:
    name: str = found["apposed"] or found["called"] or found["given"] or ""
    return "" if name.lower() in calls | NO_NAME else name


def _names(sentence: str, calls: frozenset[str]) -> list[str]:
    found = []
    for capital in CAPITAL.finditer(sentence):
        parts = [part for part in capital.group().split() if part.lower() not in calls | NO_NAME]
        if parts and (capital.start() > 0 or SUBJECT.match(sentence, capital.end())):
            found.append(" ".join(parts))
    return list(dict.fromkeys(found))
