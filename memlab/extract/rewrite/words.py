"""The word lists in `english.toml`."""

import tomllib
from functools import cache
from importlib.resources import files


def words(*names: str) -> frozenset[str]:
    """Return the words of one list, or of several."""
    return frozenset(word for name in names for word in _lists()[name].split())


@cache
def _lists() -> dict[str, str]:
    return tomllib.loads((files("memlab.extract.rewrite") / "english.toml").read_text(encoding="utf-8"))
