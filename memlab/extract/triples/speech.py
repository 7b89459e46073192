"""What a statement of the rewriting rules tells, apart from who said it to whom."""

import re
from dataclasses import dataclass
from functools import lru_cache

from memlab.extract.rewrite.verbs import is_past
from memlab.extract.triples.kinds import words

TITLE_WORDS = 6
"""A quotation of more words, or one with the end of a sentence in it, is speech and no title."""
QUOTED = re.compile(r'(?:(?<=\s)|^)"([^"]*)"(?=\s|$|[.,!?])')
DASH = re.compile(r"\s*(?:\s[-–]+|\s?—)\s+(?=(?:they|it|it's|he|she|that|this|that's|there|there's|so|[A-Z]\w+)\b)")
OTHER_DASH = re.compile(r"\s*(?:\s[-–]+\s|\s?—\s?)\s*")
CANNOT_WAIT = re.compile(r"\bcan['’]?t wait (to|for)\b")
HERE = re.compile(r"here(?:'s| is| are) (?=(?:an?|the|some|\w+'s) )", re.IGNORECASE)
SENTENCE = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"”]))\s+")


@dataclass(frozen=True, slots=True)
class Heard:
    """A statement's own sentences, the question that they answer, and the caption of an image that was shared."""

    text: str
    asked: str = ""
    caption: str = ""


@lru_cache(maxsize=1024)
def _frames(speaker: str) -> tuple[re.Pattern[str], ...]:
    name = re.escape(speaker)
    return (
        re.compile(rf'Asked by [^"]+? "(?P<question>[^"]*)", {name} said:\s*'),
        re.compile(rf'{name} asked "(?P<question>[^"]*)" and said:\s*'),
        re.compile(rf"(?:^|(?<=\s)){name} said:\s*"),
        re.compile(rf"(?:^|(?<=\s)){name} shared (?P<caption>(?:an? )?.+?)\.?$"),
    )


def heard(statement: str, speaker: str) -> Heard:
    """Return what a statement tells."""
    asked, own, said, shared = _frames(speaker)
    question = caption = ""
    text = " ".join(statement.split())
    *_, last = SENTENCE.split(text)
    if found := shared.match(last):
        caption, text = found["caption"], text[: len(text) - len(last)].rstrip()
    if found := asked.search(text) or own.search(text):
        question = found["question"]
        text = text[: found.start()] + text[found.end() :]
    text = QUOTED.sub(_unquoted, said.sub("", text))
    text = CANNOT_WAIT.sub(lambda found: "wants to" if found[1] == "to" else "looks forward to", text)
    text = OTHER_DASH.sub("; ", DASH.sub(". ", text))
    sentences = (_with_subject(sentence, speaker) for sentence in SENTENCE.split(text.strip()))
    return Heard(" ".join(sentences), question, caption)


def _unquoted(found: re.Match[str]) -> str:
    inside = found[1].strip()
    speech = inside.endswith((".", "!", "?")) or len(inside.split()) > TITLE_WORDS
    return inside if speech else found.group()


def _with_subject(sentence: str, speaker: str) -> str:
    """Return a sentence without a subject with the speaker before it: `Dyed Nate's hair`, `Here's a photo`."""
    if here := HERE.match(sentence):
        shown = re.sub(
            rf"(?<=\w)(?<!when)(?<!where)(?<!what)(?<!that)(?<! of)(?<! and) (?={re.escape(speaker)} \w+)",
            " that ",
            sentence[here.end() :],
            count=1,
        )
        return f"{speaker} shows {shown}"
    first, _, rest = sentence.partition(" ")
    stem = first.lower()
    if not rest or not is_past(stem) or rest.startswith(("by ", speaker + " ")) or stem in _impersonal_pasts():
        return sentence
    return f"{speaker} {stem} {rest}"


def _impersonal_pasts() -> frozenset[str]:
    return words("impersonal_pasts")
