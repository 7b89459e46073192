"""The one spelling of a relation's label: words in snake_case, the first verb in the third person singular present."""

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

from memlab.verbs import form

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
APOSTROPHE = re.compile(r"(?<=[a-z])['’ʼ](?=[a-z])")
BETWEEN_WORDS = re.compile(r"(?<=[a-z0-9])[-‐‑–./]+(?=[a-z0-9])|[\s_]+")
AT_THE_ENDS = ".,:;!?\"'`()[]{}"
ARTICLES = frozenset({"a", "an", "the"})
DO = frozenset({"do", "does", "did"})
MODALS = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will", "would"})
CONTRACTED = {
    **{f"{word}nt": word for word in ("do", "does", "did", "is", "are", "was", "were", "has", "have", "had")},
    **{f"{word}nt": word for word in ("could", "might", "must", "should", "would")},
    "ca": "can",
    "cant": "can",
    "cannot": "can",
    "wont": "will",
    "aint": "is",
}
"""Auxiliaries that `not` has grown together with, without the apostrophe."""


@lru_cache(maxsize=1 << 14)
def canonical(label: str) -> str:
    """Return a label in snake_case and in one tense: `Lived in`, `livesIn` and `lives_in` are all `lives_in`.

    A denied one begins with `not_`, whichever way it was denied. `used_to_live_in` stays: it says that it is over. What
    is no English only loses its capitals, and its white space to `_`. Only white space has an empty form.
    """
    text = APOSTROPHE.sub("", _folded(CAMEL.sub(" ", label)))
    words = [word for part in BETWEEN_WORDS.split(text) if (word := part.strip(AT_THE_ENDS))]
    if not words:
        return "_".join(_folded(label).split())
    while (present := _present(_spelt(words))) != words:
        words = present
    return "_".join(words)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def _spelt(words: list[str]) -> list[str]:
    """Return the words with contractions written out, in one spelling, and without articles before another word."""
    spelt: list[str] = []
    for place, word in enumerate(words):
        if word == "t" and spelt and f"{spelt[-1]}t" in CONTRACTED:
            word = f"{spelt.pop()}t"  # what is left of `didn't` where an apostrophe was a gap
        if word in CONTRACTED and word != "ca":
            spelt += [CONTRACTED[word], "not"]
        elif word not in ARTICLES or place == len(words) - 1:
            spelt.append("favorite" if word == "favourite" else word)
    return spelt or words


def _present(words: list[str]) -> list[str]:
    denied, rest = _affirmed(words)
    auxiliary = rest[0] in DO | MODALS or ((known := form(rest[0])) is not None and known.third in ("is", "has"))
    if auxiliary and rest[1:]:
        denied_later, tail = _affirmed(rest[1:])
        denied_alone = tail[0] in ("not", "never")
        denied |= denied_later or denied_alone
        rest = [rest[0]] if denied_alone else [rest[0], *tail]
    return ["not", *_positive(rest)] if denied else _positive(rest)


def _affirmed(words: list[str]) -> tuple[bool, list[str]]:
    """Return whether the words begin by denying what follows, and what follows, without adverbs before it."""
    denied = False
    while len(words) > 1:
        if words[0] in ("not", "never"):
            denied, words = True, words[1:]
        elif words[:2] == ["no", "longer"] and words[2:]:
            denied, words = True, words[2:]
        elif words[0] in _words("adverbs"):
            words = words[1:]
        else:
            break
    return denied, words


def _positive(words: list[str]) -> list[str]:
    """Return words that deny nothing with their verb in the present, without its auxiliaries."""
    head, tail = words[0], words[1:]
    following = _kinds(tail[0]) if tail else frozenset()
    third = known.third if (known := form(head)) else ""
    if not tail or head in MODALS:
        return _simple(words)
    if head in DO and "base" in following:
        return _simple(tail)
    if third == "has" and tail[0] == "got":
        return ["has", *tail[1:]]
    if third == "has" and "participle" in following:
        return _simple(tail)
    if third == "is" and tail[0] == "been":  # `'s been`, taken for `is been`
        return _simple(tail)
    if third == "is" and "ing" in following:
        if tail[:2] == ["going", "to"] and tail[2:] and _kinds(tail[2]) & {"base", "noun"}:
            return ["will", *tail[2:]]
        return _simple(tail)
    return _simple(words)


def _simple(words: list[str]) -> list[str]:
    """Return words without auxiliaries in the present when they begin with a verb, and after `is` when they lack it."""
    head, tail = words[0], words[1:]
    known, following = form(head), tail[0] if tail else ""
    kinds = _kinds(head)
    if head in MODALS or (words[:2] == ["used", "to"] and tail[1:] and _kinds(tail[1]) & {"base", "noun"}):
        return words
    if words[:2] == ["been", "to"]:
        return ["visits", *tail[1:]]
    stated = head in _words("states") and following in _words("prepositions")
    if stated or ("participle" in kinds and following == "by"):
        return ["is", *words]
    is_noun = known is None or (kinds <= {"base", "noun"} and following == "of" and head not in _words("takes_of"))
    if is_noun and words[-1] == "of" and tail and not re.search("[^s]s$", head):
        return ["is", *words]
    if known is None or is_noun or kinds == {"noun"}:
        return words
    return [known.third, *tail]


def _kinds(word: str) -> frozenset[str]:
    known = form(word)
    return frozenset() if known is None else frozenset(known.kinds)


@cache
def _words(name: str) -> frozenset[str]:
    table = tomllib.loads((files("memlab") / "labels.toml").read_text(encoding="utf-8"))
    return frozenset(table[name].split())
