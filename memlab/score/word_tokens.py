"""The word tokens that published BLEU-1 values rest on: those of NLTK 3.9.1's `word_tokenize` on lower-cased English.

Later NLTK releases split some texts otherwise (dashes, words that open with an apostrophe, curly quotes) and need a
downloaded model. This module gives the 3.9.1 tokens whatever is installed, from two steps: the text is cut into
sentences (Kiss and Strunk 2006), because only a full stop that ends a sentence is a token of its own, and sentences
are cut into words (Penn Treebank conventions).
"""

import json
import re
import string
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple


def word_tokens(text: str) -> list[str]:
    """Return the tokens of a text's lower-cased form; those of white space or of no text are none."""
    return [word for sentence in sentences(text.lower()) for word in _words(sentence)]


# --- sentences -------------------------------------------------------------------------------------------------------

_SPLITS_WORDS = r""")";}\]*:@'({\[?!"""
_RUN = r"-{2,}|\.{2,}|(?:\.\s){2,}\."
_WORD_END = rf"\s|$|[{_SPLITS_WORDS}]|{_RUN}"
_PIECE = re.compile(rf"{_RUN}|(?![-,;:&#*@\"`(){{}}\[\]])\S+?(?={_WORD_END}|,(?:{_WORD_END}))|\S")
_POSSIBLE_END = re.compile(rf"[.?!](?=(?P<after>[{_SPLITS_WORDS}]|\s+(?P<next>\S+)))")
_CLOSING_MARKS = re.compile(r"""(["')\]}]+)(\s+|(?=--)|$)""", re.MULTILINE)
_NUMBER = re.compile(r"-?[.,]?\d[\d,.-]*")
_INITIAL = re.compile(r"[^\W\d]\.")
_NEVER_OPENS = frozenset(";:,.!?")


class _Parameters(NamedTuple):
    """What the trained model knows that can matter in lower-cased text; see the NOTICE beside the file."""

    abbreviations: frozenset[str]
    openers: frozenset[str]


@cache
def _parameters() -> _Parameters:
    file = files("memlab") / "assets" / "punkt_english" / "parameters.json"
    values = json.loads(file.read_text(encoding="utf-8"))
    return _Parameters(frozenset(values["abbreviations"]), frozenset(values["lower_case_openers"]))


def sentences(text: str) -> list[str]:
    """Return the sentences of a lower-cased text, without the white space between them."""
    spans = []
    start = 0
    for end, context in _possible_ends(text):
        if any(_ends_sentence(*pair) for pair in pairwise(_pieces(context))):
            spans.append((start, end.end()))
            start = end.start("next") if end["next"] else end.end()
    spans.append((start, len(text.rstrip())))
    return [text[start:end] for start, end in _with_closing_marks(text, spans) if start < end]


def _possible_ends(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the last possible sentence end of each word, with the text from that word to the token after the end."""
    held: re.Match[str] | None = None
    word = 0
    for end in _POSSIBLE_END.finditer(text):
        seen = held.start() if held else 0
        # ASCII white space only, and not the very first character: so it was when the published values were computed.
        gap = max(text.rfind(mark, seen, end.start()) for mark in string.whitespace)
        next_word = gap + 1 if gap > seen else word
        if held and held.start() <= next_word:
            yield held, text[word : held.end("after")]
        held, word = end, next_word
    if held:
        yield held, text[word : held.end("after")]


def _pieces(context: str) -> list[str]:
    """Return words and marks, full stops left on their words; a newline always parts two pieces."""
    return [piece for line in context.split("\n") for piece in _PIECE.findall(line)]


def _ends_sentence(piece: str, following: str) -> bool:
    if piece in ("?", "!"):
        return True
    if not piece.endswith(".") or piece.endswith(".."):
        return False
    known = _parameters()
    name = piece[:-1]
    if name in known.abbreviations or name.rpartition("-")[2] in known.abbreviations:
        return False
    initial = _INITIAL.fullmatch(piece) is not None
    if not initial and not _NUMBER.fullmatch(name):
        return True
    # After an initial or a number ("b. smith", "no. 5. the"), what follows has to look like an opening.
    if following in _NEVER_OPENS:
        return False
    if following[0].islower():
        return following.removesuffix(".") in known.openers
    # A capital is left only where Unicode has no small form, as in mathematical letters.
    return not (initial and following[0].isupper())


def _with_closing_marks(text: str, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Move quotes and brackets that close a sentence from the head of the next sentence to its end."""
    moved = 0
    after = (len(text), len(text))
    for (start, end), (next_start, next_end) in pairwise([*spans, after]):
        marks = _CLOSING_MARKS.match(text, next_start, next_end)
        yield start + moved, marks.end(1) if marks else end
        moved = marks.end() - next_start if marks else 0


# --- words -----------------------------------------------------------------------------------------------------------

_APART = r" \g<0> "
_RULES = tuple(
    (re.compile(pattern, flags), replacement)
    for pattern, replacement, flags in (
        # opening quotes
        (r"``|[`«“‘„]", _APART, 0),
        (r'^"', " `` ", 0),
        (r"(?<=[ (\[{<])(?:\"|'')", " `` ", 0),
        (r"'(?![mtsdn])(?=\w\b)", "' ", re.IGNORECASE),
        # punctuation; the first is the full stop that ends the sentence, with what closes after it
        (r"""(?<=[^.])\.([\])}>"'»”’ ]*)\s*$""", r" . \1 ", 0),
        # The character after the mark belongs to the match, so of two marks in a row only the first is set apart.
        (r"([:,])(\D)", r" \1 \2", 0),
        (r"[:,]$", _APART, 0),
        (r"\.{2,}|[;@#$%&?!]", _APART, 0),
        (r"(?<=[^'])' ", " ' ", 0),
        (r"--|[*()\[\]{}<>»”’]", _APART, 0),
        # closing quotes and clitics
        (r"''|\"", " '' ", 0),
        (r"^|$|\s+", " ", 0),
        (r"(?<=[^' ])('[smd]|') ", r" \1 ", 0),
        (r"(?<=[^' ])('(?:ll|re|ve)|n't) ", r" \1 ", 0),
        # words written together
        (
            r"\b(can|d|gim|lem|gon|wan|got|more)"
            r"((?<=can)not|(?<=d)'ye|(?<=gim|lem)me|(?<=gon)na|(?<=wan)na(?=\s)|(?<=got)ta|(?<=more)'n)\b",
            r" \1 \2 ",
            re.IGNORECASE,
        ),
        (r" ('t)(is)\b", r" \1 \2 ", re.IGNORECASE),
        (r" ('t)(was)\b", r" \1 \2 ", re.IGNORECASE),
    )
)


def _words(sentence: str) -> list[str]:
    for pattern, replacement in _RULES:
        sentence = pattern.sub(replacement, sentence)
    return sentence.split()
