"""The word lists in `english.toml`."""

import tomllib
from functools import cache
from importlib.resources import files


def words(name: str) -> frozenset[str]:
    """Return a list by its name."""
    return frozenset(_lists()[name].split())


@cache
def _lists() -> dict[str, str]:
    return tomllib.loads((files("memlab.extract.rewrite") / "english.toml").read_text(encoding="utf-8"))
