"""The kinds of facts that the people of the synthetic conversations have to tell."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Family = Literal["attribute", "item", "event", "plan"]
"""attribute: one value at a time. item: any number at once. event: happened once. plan: is to happen once."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fact: what can be told in addition, whether it can end, whether third persons have it, too.

    `needs` is the kind without which nobody has it; one that is not `shared` is not the same for two people.
    """

    name: str
    family: Family
    aspects: tuple[str, ...]
    ends: bool = False
    others: bool = False
    needs: str = ""
    shared: bool = True

    @property
    def dated(self) -> bool:
        """Whether it has a date."""
        return self.family in ("event", "plan")

    @property
    def changes(self) -> bool:
        """Whether another value can take the place of a value."""
        return self.family != "item"


@cache
def kinds() -> Mapping[str, Kind]:
    """Return all kinds by name."""
    tables = tomllib.loads((files(__package__) / "kinds.toml").read_text("utf-8"))
    return {name: Kind(name, **{**table, "aspects": tuple(table["aspects"])}) for name, table in tables.items()}
