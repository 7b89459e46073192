"""From the words of a phrase to the name of an entity."""

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from memlab.extract.triples.kinds import kind_of, words
from memlab.memory import Entity

if TYPE_CHECKING:
    from spacy.tokens import Token

LEFT_OUT = frozenset({"predet", "preconj", "relcl", "acl", "advcl", "appos", "conj", "cc", "intj", "parataxis", "dep"})
MOST_JOINED = 12
"""Words joined by `and` that are looked at."""
DEEPEST = 12
"""Phrases within phrases that are looked at: a hostile text must not exhaust the stack."""
NAME_EDGES = " \t\r\n.,:;!?\"'“”‘’()[]{}-–—*~_…/\\&"


def entity(head: "Token", people: Collection[str], most_words: int) -> Entity | None:
    """Return what a noun phrase names: without determiner, `her` or clause; None when nothing is left of it."""
    head = counted(named(head))
    if head.pos_ == "PRON" and not _left(head):
        return None
    kept = _shortened(head, most_words)
    name = joined(kept)
    lower = name.lower()
    if (
        not any(map(str.isalnum, name))
        or lower in words("empty")
        or (head.ent_type_ in {"DATE", "TIME"} and head.is_stop)
    ):
        return None
    if head.dep_ == "appos" and head.head.lemma_.lower() in words("kin"):
        return Entity(name, "Person")
    if head.text in people and len(kept) == 1:
        return Entity(head.text, "Person")
    return Entity(name, kind_of(head, people))


def phrase(tokens: Iterable["Token"], most_words: int) -> str:
    """Return some words in their order as a name, determiners and words of degree left out, cut at `most_words`."""
    return joined(telling(tokens, most_words))


def telling(tokens: Iterable["Token"], most_words: int) -> list["Token"]:
    """Return the words that `phrase` makes a name of."""
    kept: list[Token] = []
    count = 0
    for token in sorted(tokens, key=lambda token: token.i):
        if _says_nothing(token) or (token.is_punct and not kept):
            continue
        count += not token.is_punct and token.tag_ != "POS"
        if count > most_words:
            break
        kept.append(token)
    while kept and _is_cut_off(kept):
        kept.pop()
    return kept


def _is_cut_off(kept: list["Token"]) -> bool:
    """Tell whether the last word needs one that was cut."""
    last = kept[-1]
    if last.dep_ in {"compound", "amod", "nummod", "poss"} and last.head.i > last.i and len(kept) > 1:
        return True
    if last.pos_ == "PRON" and last.tag_ in {"WDT", "WP", "WRB"}:
        return True
    return last.pos_ in {"ADP", "CCONJ", "SCONJ", "PART", "DET", "PUNCT", "AUX"} and last.tag_ != "POS"


def joined(tokens: Iterable["Token"]) -> str:
    """Return words as one text, punctuation at its ends left out."""
    text, last = "", None
    for token in tokens:
        gap = last is not None and token.i != last.i + 1 and not text.endswith(" ")
        text += (" " if gap and token.tag_ != "POS" else "") + token.text_with_ws
        last = token
    return " ".join(text.split()).strip(NAME_EDGES)


def named(head: "Token") -> "Token":
    """Return the name after a word for kin or company: `Clara` for `Ada's sister Clara`."""
    if head.lemma_.lower() in words("kin"):
        return next((child for child in head.rights if child.dep_ == "appos" and child.pos_ == "PROPN"), head)
    return head


def counted(head: "Token") -> "Token":
    """Return what is counted or sorted: `books` for `a lot of books`."""
    if head.lemma_.lower() in words("measure"):
        for prep in head.rights:
            if prep.lower_ == "of":
                for inner in prep.children:
                    if inner.dep_ == "pobj":
                        return counted(inner)
    return head


def coordinated(head: "Token") -> list["Token"]:
    """Return a word and those that `and`, `or` and commas join to it, verbs apart."""
    found = [head]
    for one in found:
        for child in one.rights:
            gerunds = one.pos_ in {"VERB", "AUX"} or one.tag_ == "VBG" or child.tag_ == "VBG"
            if child.dep_ == "conj" and (child.pos_ not in {"VERB", "AUX"} or gerunds) and len(found) < MOST_JOINED:
                found.append(child)
    return found


def _shortened(head: "Token", most_words: int) -> list["Token"]:
    """Return the words of a noun phrase; the phrases after it go first when there are too many, then those before."""
    after = [child for child in head.rights if child.dep_ in {"prep", "nummod", "npadvmod", "amod", "advmod", "poss"}]
    before = _left(head)
    rest = [list(_kept(child)) for child in after]
    while rest and len(before) + 1 + _length(token for part in rest for token in part) > most_words:
        rest.pop()
    while before and len(before) + 1 > most_words:
        before.pop(0)
    while before and before[0].tag_ == "POS":
        before.pop(0)
    kept = [*before, head, *(token for part in rest for token in part)]
    return sorted(kept, key=lambda token: token.i)


def _left(head: "Token") -> list["Token"]:
    return [token for child in head.lefts for token in _kept(child)]


def _kept(token: "Token", depth: int = DEEPEST) -> Iterator["Token"]:
    """Yield the words of a part of a noun phrase that belong to the name."""
    if token.dep_ in LEFT_OUT or _says_nothing(token) or (token.dep_ == "punct" and token.tag_ != "HYPH") or not depth:
        return
    inner = [one for child in token.children for one in _kept(child, depth - 1)]
    if token.dep_ == "prep" and not inner:
        return
    if token.dep_ == "case" and token.head.pos_ == "PRON":
        return
    if token.dep_ in {"pobj", "amod", "compound"}:
        for child in token.rights:
            if child.dep_ in {"conj", "cc"} and child.pos_ not in {"VERB", "AUX"}:
                inner += [child, *(one for grand in child.children for one in _kept(grand, depth - 1))]
    yield from sorted([token, *inner], key=lambda one: one.i)


def _length(tokens: Iterable["Token"]) -> int:
    return sum(not token.is_punct and token.tag_ != "POS" for token in tokens)


def _says_nothing(token: "Token") -> bool:
    """Tell whether a word is an article, `her` or `really`; the article inside a name belongs to it."""
    if token.tag_ == "PRP$" or token.dep_ == "predet":
        return True
    if token.pos_ == "DET" or token.dep_ == "det":
        inside_name = token.head.pos_ == "PROPN" and token.head.dep_ == "pobj"
        return not (inside_name and token.lower_ == "the") and token.lower_ not in {"no", "every", "each", "both"}
    return token.dep_ == "advmod" and token.lower_ in words("degree")
