"""A text with fields, such as `{P} lives in {v}.`."""

import re
from collections.abc import Mapping

FIELD = re.compile(r"\{(\w+)\}")
SENTENCE_START = re.compile(r"(?:^|(?<![.])[.!?][\"'”)]? )[\"'“(]?$")
"""What stands before a field that opens a sentence; dots of omission end none."""


class Template:
    """A text with fields; what fills a field that opens a sentence gets a capital letter. Compared by identity."""

    __slots__ = ("_parts", "fields", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.fields = frozenset(FIELD.findall(text))
        pieces = FIELD.split(text)
        self._parts = [
            (literal, field, SENTENCE_START.search("".join(pieces[: 2 * place])[-20:] + literal) is not None)
            for place, (literal, field) in enumerate(zip(pieces[::2], [*pieces[1::2], ""], strict=True))
        ]

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the text with its fields filled; raises KeyError for a field without a value."""
        filled = []
        for literal, field, opens in self._parts:
            filled.append(literal)
            if field:
                value = values[field]
                filled.append(value[:1].upper() + value[1:] if opens else value)
        return "".join(filled)
