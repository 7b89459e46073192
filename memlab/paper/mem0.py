"""Tables 1 and 2 of the Mem0 paper as data (mem0.toml), categories by LOCOMO's number."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class Cell:
    """What table 1 prints for a method and category, in percent; J and its std only where the paper judged."""

    f1: float
    bleu1: float
    j: float | None
    j_std: float | None


@dataclass(frozen=True, slots=True)
class Method:
    """A row of table 1: cells by category number."""

    name: str
    cells: Mapping[int, Cell]


@dataclass(frozen=True, slots=True)
class System:
    """A row of table 2: overall J with its std in percent, mean context tokens, p50 and p95 in seconds.

    RAG has `k` and `chunk_size` in place of `tokens`; full context and OpenAI search nothing.
    """

    method: str
    k: int | None
    chunk_size: int | None
    tokens: int | None
    search: tuple[float, float] | None
    total: tuple[float, float]
    j: float
    j_std: float

    @property
    def name(self) -> str:
        """Return the method, with what tells its rows apart."""
        return self.method if self.k is None else f"{self.method} k={self.k} chunk={self.chunk_size}"


@dataclass(frozen=True, slots=True)
class Paper:
    """Both tables, the paper's names of the categories, and what its runs were made of."""

    title: str
    judge_runs: int
    reader: str
    embedder: str
    judge: str
    categories: Mapping[str, int]
    methods: tuple[Method, ...]
    systems: tuple[System, ...]

    def method(self, name: str) -> Method | None:
        """Return a row of table 1."""
        return next((one for one in self.methods if one.name == name), None)


@cache
def mem0_paper() -> Paper:
    """Return the paper's tables."""
    data = tomllib.loads((files("memlab.paper") / "mem0.toml").read_text(encoding="utf-8"))
    categories: dict[str, int] = data["categories"]
    methods = tuple(
        Method(name, MappingProxyType({categories[column]: _cell(cell) for column, cell in row.items()}))
        for name, row in data["table1"].items()
    )
    about = {name: data[name] for name in ("title", "judge_runs", "reader", "embedder", "judge")}
    return Paper(
        categories=MappingProxyType(categories),
        methods=methods,
        systems=tuple(map(_system, data["table2"])),
        **about,
    )


def _cell(values: list[float]) -> Cell:
    f1, bleu1, *judged = values
    j, j_std = judged or (None, None)
    return Cell(f1, bleu1, j, j_std)


def _system(row: dict[str, Any]) -> System:
    search = row.get("search")
    return System(
        method=row["method"],
        k=row.get("k"),
        chunk_size=row.get("chunk_size"),
        tokens=row.get("tokens"),
        search=None if search is None else (search[0], search[1]),
        total=(row["total"][0], row["total"][1]),
        j=row["j"][0],
        j_std=row["j"][1],
    )
