"""Results tables in files: TOML, JSON, CSV."""

import csv
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from memlab.audit.findings import AuditError
from memlab.audit.possible import Printed
from memlab.audit.results import ALL_TEN, SCORED_CATEGORIES, Results, Row

EXAMPLE = """\
title = "Table 1"        # all but `rows` may be left out
metric = "J"             # J: shares of right answers (the default); F1, BLEU-1: only the category map is tested
unit = "percent"         # or "fraction"; when left out: fraction if no value is above 1
runs = 10                # of the judge, behind each value; a row may have its own
questions = { 1 = 282, 2 = 321, 3 = 96, 4 = 841 }   # by LoCoMo's category numbers; these are the default

[[rows]]
method = "Mem0"
values = { single-hop = 67.13, multi-hop = 51.15, open-domain = 72.93, temporal = 55.51 }  # the table's own names
std = { single-hop = 0.65, multi-hop = 0.31, open-domain = 0.11, temporal = 0.34 }         # over the runs, if printed
overall = 66.88
"""
SCALARS = ("title", "source", "metric", "unit", "runs")
NO_CATEGORIES = ("method", "overall", "runs")
STD = " std"
MOST_DECIMALS = 8
"""Digits after the point beyond which a number was not rounded for print, but left as computed."""


@dataclass(frozen=True, slots=True)
class _Place:
    file: Path
    name: str

    def fault(self, expected: str, found: object) -> AuditError:
        return AuditError(f"{self.file}: {self.name}: expected {expected}, found {found!r:.80}; see `audit --help`")

    def inside(self, name: object) -> "_Place":
        return _Place(self.file, f"{self.name}[{name}]" if isinstance(name, int) else f"{self.name}.{name}")

    def number(self, value: object) -> Decimal:
        """Return a number with the digits that it was written with."""
        if isinstance(value, bool) or not isinstance(value, (int, str, Decimal)):
            raise self.fault("a number", value)
        try:
            number = Decimal(str(value).strip().rstrip("%").strip())
        except InvalidOperation:
            raise self.fault("a number", value) from None
        if not number.is_finite() or number < 0:
            raise self.fault("a number from 0 on", value)
        # 0.7293000000000001 is 0.7293, as a program writes what it divided.
        return number if _decimals(number) <= MOST_DECIMALS else round(number, MOST_DECIMALS).normalize()


def holds_results(document: object) -> bool:
    """Return whether a JSON document holds results tables, and not predictions."""
    if isinstance(document, list):
        return bool(document) and all(holds_results(one) for one in document)
    return isinstance(document, dict) and "rows" in document


def read_results(file: Path) -> list[Results]:
    """Read the results tables of a file, one in CSV; raises AuditError with the place of what is wrong."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise AuditError(f"{file}: cannot be read: {error}") from error
    if file.suffix == ".csv":
        return [_table(_Place(file, "table"), _of_csv(file, text))]
    try:
        document = tomllib.loads(text, parse_float=Decimal) if file.suffix == ".toml" else json.loads(
            text, parse_float=Decimal)  # fmt: skip
    except (ValueError, RecursionError) as error:
        raise AuditError(f"{file}: not {file.suffix[1:].upper()}: {error}") from error
    if not holds_results(document):
        raise AuditError(f"{file}: expected `rows`, or a list of tables with `rows`; see `audit --help`")
    tables = document if isinstance(document, list) else [document]
    return [_table(_Place(file, f"$[{n}]" if isinstance(document, list) else "$"), one) for n, one in enumerate(tables)]


def _of_csv(file: Path, text: str) -> dict[str, Any]:
    """Return a CSV file as the document that a TOML file would be; lines `# key: value` tell what is not in columns."""
    lines = text.splitlines()
    about = dict(line[1:].split(":", 1) for line in lines if line.startswith("#") and ":" in line)
    reader = csv.DictReader(line for line in lines if line.strip() and not line.startswith("#"))
    columns = [str(name).strip() for name in reader.fieldnames or ()]
    if "method" not in columns:
        raise AuditError(
            f"{file}: expected a column `method`, found {', '.join(columns) or 'none'}; see `audit --help`"
        )
    rows = []
    for cells in reader:
        row = {
            str(name).strip(): (value or "").strip() for name, value in cells.items() if name and isinstance(value, str)
        }
        own = {name: row[name] for name in NO_CATEGORIES if row.get(name)}
        stds = {name.removesuffix(STD): row[name] for name in row if name.endswith(STD) and row[name]}
        named = {n: v for n, v in row.items() if n not in NO_CATEGORIES and not n.endswith(STD) and v}
        rows.append({**own, "values": named, "std": stds})
    return {**{key.strip(): value.strip() for key, value in about.items()}, "rows": rows}


def _table(place: _Place, table: Mapping[str, Any]) -> Results:
    rows = table["rows"]
    if isinstance(rows, dict):
        rows = [{"method": method, **_own_fields(row)} for method, row in rows.items()]
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise place.inside("rows").fault("rows", rows)
    metric = str(table.get("metric", "J"))
    raw = [_Raw(place.inside("rows").inside(n), _at_metric(row, metric)) for n, row in enumerate(rows)]
    numbers = [number for row in raw for _, number in row.numbers()]
    unit = table.get("unit")
    if unit not in (None, "percent", "fraction"):
        raise place.inside("unit").fault("percent or fraction", unit)
    is_fraction = unit == "fraction" or (unit is None and all(number <= 1 for number in numbers))
    notes = [] if unit else [f"Unit not told: read as {'fractions' if is_fraction else 'percent'}, by the range of the "
                             "values."]  # fmt: skip
    names = tuple(dict.fromkeys(name for row in raw for name in row.values))
    scale = 2 if is_fraction else 0
    digits = {kind: max((_decimals(n) for row in raw for k, n in row.numbers() if k == kind), default=0) - scale
              for kind in ("values", "overall", "std")}  # fmt: skip
    runs = None if table.get("runs") is None else _runs(place.inside("runs"), table["runs"])
    read = tuple(row.row(digits, scale, runs) for row in raw)
    too_high = [number for number in numbers if number.scaleb(scale) > 100]
    if too_high:
        raise place.fault("percent up to 100, or fractions up to 1", str(too_high[0]))
    title = str(table.get("title") or table.get("source") or place.file.name)
    return Results(title, metric, names, read, _questions(place, table.get("questions")), tuple(notes))


def _own_fields(row: Any) -> dict[str, Any]:
    return row if isinstance(row, dict) else {"overall": row}


def _at_metric(row: Mapping[str, Any], metric: str) -> Mapping[str, Any]:
    """Return a row in the one form: its values may also lie under the metric's name, or beside the method."""
    if isinstance(inner := row.get(metric), dict):
        row = {**{key: row[key] for key in ("method", "runs") if key in row}, **inner}
    if "values" in row or not (named := {k: v for k, v in row.items() if k not in (*NO_CATEGORIES, "std")}):
        return row
    return {**{key: row[key] for key in (*NO_CATEGORIES, "std") if key in row}, "values": named}


@dataclass(frozen=True, slots=True)
class _Raw:
    place: _Place
    fields: Mapping[str, Any]

    def part(self, name: str) -> dict[str, Decimal]:
        """Return an object of numbers."""
        found = self.fields.get(name) or {}
        if not isinstance(found, dict):
            raise self.place.inside(name).fault("numbers by category name", found)
        return {str(k): self.place.inside(name).inside(k).number(v) for k, v in found.items() if v is not None}

    @property
    def values(self) -> dict[str, Decimal]:
        """Return the values by name."""
        return self.part("values")

    def overall(self) -> Decimal | None:
        """Return the overall value."""
        found = self.fields.get("overall")
        return None if found is None else self.place.inside("overall").number(found)

    def numbers(self) -> Iterator[tuple[str, Decimal]]:
        """Yield all numbers by kind."""
        yield from (("values", value) for value in self.values.values())
        yield from (("std", value) for value in self.part("std").values())
        if (overall := self.overall()) is not None:
            yield "overall", overall

    def row(self, digits: Mapping[str, int], scale: int, runs: int | None) -> Row:
        """Return the row in percent."""
        method = self.fields.get("method")
        if not isinstance(method, str) or not method:
            raise self.place.inside("method").fault("a name", method)
        stds = self.part("std")
        values = {
            name: Printed(
                value.scaleb(scale),
                digits["values"],
                stds[name].scaleb(scale) if name in stds else None,
                digits["std"],
            )
            for name, value in self.values.items()
        }
        if not values and self.overall() is None:
            raise self.place.fault("values or overall", dict(self.fields))
        overall = None if (found := self.overall()) is None else Printed(found.scaleb(scale), digits["overall"])
        own = self.fields.get("runs")
        return Row(method, values, overall, runs if own is None else _runs(self.place.inside("runs"), own))


def _decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)  # numbers are finite
    return max(-exponent, 0)


def _runs(place: _Place, value: object) -> int:
    number = place.number(value)
    if number < 1 or number != int(number):
        raise place.fault("a whole number from 1 on", value)
    return int(number)


def _questions(place: _Place, told: object) -> Mapping[int, int]:
    if told is None:
        return ALL_TEN
    names: Sequence[str] = [str(category) for category in SCORED_CATEGORIES]
    if not isinstance(told, dict) or sorted(told) != names:
        raise place.inside("questions").fault("numbers of questions by category 1, 2, 3, 4", told)
    return {int(name): _runs(place.inside("questions").inside(name), count) for name, count in told.items()}
