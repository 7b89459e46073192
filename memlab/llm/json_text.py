"""JSON as models and servers write it, read so that every part of memlab can hold it."""

import json
from collections.abc import Mapping
from typing import Any


def without_lone_surrogates(text: str) -> str:
    """Return a text that is valid Unicode: halves of a pair are joined, a half alone becomes U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_json(text: str) -> Any:
    """Return the value of a JSON text, all strings valid Unicode; raises ValueError when it is no JSON."""
    try:
        value = json.loads(text, parse_constant=no_number)
        clean = without_lone_surrogates(json.dumps(value, ensure_ascii=False))
        return json.loads(clean, parse_constant=no_number)  # 1e999 is read as Infinity, and seen only here
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error


def read_object(text: str) -> Mapping[str, Any] | None:
    """Return the JSON object that a text is, or None when it is anything else."""
    try:
        value = read_json(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def no_number(name: str) -> float:
    """Refuse NaN and Infinity, which Python reads and JSON does not know."""
    raise ValueError(f"{name} is no JSON number")
