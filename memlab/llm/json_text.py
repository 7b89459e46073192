"""JSON as models and servers write it, read so that every part of memlab can hold it."""

import json
import re
from collections.abc import Mapping
from typing import Any

FENCE = "```"
MOST_ATTEMPTS = 1000
"""Brackets tried before a text is given up; each failure costs as much as the text is long."""
OPENING = re.compile(r"[{\[]")
LENIENT = json.JSONDecoder(strict=False)
"""Takes line breaks inside strings, a common slip."""
STRING_OR_TRAILING_COMMA = re.compile(r'("(?:\\.|[^"\\])*+(?:"|\\?\Z))|,(?=\s*[}\]])', re.DOTALL)
"""A string goes on to its closing quote or to the end, so that no text is looked at twice."""


def without_lone_surrogates(text: str) -> str:
    """Return a text that is valid Unicode: halves of a pair are joined, a half alone becomes U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_json(text: str) -> Any:
    """Return the value of a JSON text, all strings valid Unicode; raises ValueError when it is no JSON."""
    try:
        return tamed(json.loads(text, parse_constant=no_number))
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error


def read_object(text: str) -> Mapping[str, Any] | None:
    """Return the JSON object that a text is, or None when it is anything else."""
    try:
        value = read_json(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def found_json(text: str) -> Any:
    """Return the JSON object or array in what a model wrote; raises ValueError with a short reason when there is none.

    It may be the whole text, stand in a fence or amid words, and have commas too many; of several the first is taken.
    """
    blocks = text.split(FENCE)[1::2]
    bare = text.strip()
    is_json = bare[:1] in ("{", "[") and bare[-1:] in ("}", "]")
    parts = (text, *blocks) if is_json else (*blocks, text)
    faults = []
    for part in parts:
        for written in dict.fromkeys((part, STRING_OR_TRAILING_COMMA.sub(r"\1", part))):
            try:
                return tamed(first_value(written))
            except RecursionError:
                faults.append("the JSON is nested too deeply")
            except ValueError as error:
                faults.append(str(error))
    raise ValueError(faults[0])


def first_value(text: str) -> Any:
    """Return the first object or array in a text that is complete; raises ValueError, naming the first fault."""
    fault, place = "there is no JSON object or array", 0
    for attempt in range(MOST_ATTEMPTS):
        opening = OPENING.search(text, place)
        if opening is None:
            break
        try:
            value, _ = LENIENT.raw_decode(text, opening.start())
        except json.JSONDecodeError as error:
            if attempt == 0:
                where = repr(text[error.pos : error.pos + 20]) if error.pos < len(text) else "its end"
                fault = f"the JSON is broken at {where} ({error.msg})"
            # Not the next bracket: what lies inside a broken object is a part of an answer, not the answer.
            place = max(error.pos, opening.end())
        else:
            return value
    raise ValueError(fault)


def tamed(value: Any) -> Any:
    """Return a JSON value with all strings valid Unicode; raises ValueError when a number is not finite."""
    clean = without_lone_surrogates(json.dumps(value, ensure_ascii=False))
    return json.loads(clean, parse_constant=no_number)  # 1e999 is read as Infinity, and seen only here


def no_number(name: str) -> float:
    """Refuse NaN and Infinity, which Python reads and JSON does not know."""
    raise ValueError(f"{name} is no JSON number")
