"""Results tables in files: TOML, JSON, CSV."""

import csv
import json
import tomllib
from collections import Counter
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
NO_CATEGORIES = ("method", "overall", "runs")
STD = " std"
MOST = {"runs": 1_000, "questions": 100_000}
"""What a table can be of; more is a slip, and no count would ever come to an end."""
MOST_DECIMALS = 8
"""Digits after the point beyond which a number was not rounded for print, but left as computed."""


@dataclass(frozen=True, slots=True)
class _Place:
    file: Path
    name: str

    def fault(self, expected: str, found: object) -> AuditError:
        shown = str(found) if isinstance(found, Decimal) else repr(found)
        return AuditError(f"{self.file}: {self.name}: expected {expected}, found {shown:.80}; see `audit --help`")

    @property
    def drops_zeros(self) -> bool:
        """Return whether numbers are those of JSON, which programs write without the zeros at the end."""
        return self.file.suffix.lower() not in (".toml", ".csv")

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
        if not number.is_finite() or not 0 <= number <= MOST["questions"]:
            raise self.fault(f"a number from 0 to {MOST['questions']:,}", value)
        # 0.7293000000000001 is 0.7293, as a program writes what it divided.
        return number if _decimals(number) <= MOST_DECIMALS else round(number, MOST_DECIMALS).normalize()


def holds_results(document: object) -> bool:
    """Return whether a JSON document holds results tables, and not predictions."""
    tables = document if isinstance(document, list) else [document]
    return bool(tables) and all(isinstance(table, dict) and "rows" in table for table in tables)


def read_results(file: Path) -> list[Results]:
    """Read the results tables of a file, one in CSV; raises AuditError with the place of what is wrong."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise AuditError(f"{file}: cannot be read: {error}") from error
    form = file.suffix.lower()
    if form == ".csv":
        return [_table(_Place(file, "table"), _of_csv(file, text))]
    try:
        document = (tomllib if form == ".toml" else json).loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise AuditError(f"{file}: not {'TOML' if form == '.toml' else 'JSON'}: {error}") from error
    if not holds_results(document):
        raise AuditError(f"{file}: expected `rows`, or a list of tables with `rows`; see `audit --help`")
    tables = document if isinstance(document, list) else [document]
    return [_table(_Place(file, f"$[{n}]" if isinstance(document, list) else "$"), one) for n, one in enumerate(tables)]


def _of_csv(file: Path, text: str) -> dict[str, Any]:
    """Return a CSV file as the document that a TOML file would be; lines `# key: value` tell what is not in columns."""
    lines = text.splitlines()
    about = dict(line[1:].split(":", 1) for line in lines if line.startswith("#") and ":" in line)
    try:
        cells = list(csv.reader(line for line in lines if line.strip() and not line.startswith("#")))
    except csv.Error as error:
        raise AuditError(f"{file}: not CSV: {error}") from error
    columns, *filled = [[cell.strip() for cell in row] for row in cells] or [[]]
    if "method" not in columns:
        found = ", ".join(columns) or "none"
        raise AuditError(f"{file}: expected a column `method`, found {found}; see `audit --help`")
    if twice := [name for name, times in Counter(columns).items() if name and times > 1]:
        raise AuditError(f"{file}: two columns are called {twice[0]!r}; give each a name of its own")
    rows = []
    for row in filled:
        if len(row) != len(columns):
            raise AuditError(
                f"{file}: expected {len(columns)} cells as in the line of headings, found {len(row)}: "
                f"{','.join(row)!r:.80}; write decimals with a point, and leave a cell without a value empty"
            )
        rows.append(_of_cells({name: cell for name, cell in zip(columns, row, strict=True) if name and cell}))
    return {**{key.strip(): value.strip() for key, value in about.items()}, "rows": rows}


def _of_cells(cells: Mapping[str, str]) -> dict[str, Any]:
    own = {name: cells[name] for name in NO_CATEGORIES if name in cells}
    stds = {name.removesuffix(STD): cell for name, cell in cells.items() if name.endswith(STD)}
    values = {name: cell for name, cell in cells.items() if name not in NO_CATEGORIES and not name.endswith(STD)}
    return {**own, "values": values, "std": stds}


def _table(place: _Place, table: Mapping[str, Any]) -> Results:
    rows = table["rows"]
    if isinstance(rows, dict):
        rows = [{"method": method, **_own_fields(row)} for method, row in rows.items()]
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise place.inside("rows").fault("rows", rows)
    metric = _text(place, table, "metric") or "J"
    raw = [_Raw(place.inside("rows").inside(n), _at_metric(row, metric)) for n, row in enumerate(rows)]
    scale, notes = _unit(place, table.get("unit"), raw)
    names = tuple(dict.fromkeys(name for row in raw for name in row.values))
    runs = None if table.get("runs") is None else _whole(place.inside("runs"), table["runs"], "runs")
    read = tuple(row.row(scale, runs) for row in raw)
    title = _text(place, table, "title") or _text(place, table, "source") or place.file.name
    return Results(
        title, metric, names, read, _questions(place, table.get("questions")), (*notes, *_digits(place, read))
    )


def _text(place: _Place, table: Mapping[str, Any], name: str) -> str:
    """Return a text of a table, empty when there is none."""
    found = table.get(name)
    if found is not None and not isinstance(found, str):
        raise place.inside(name).fault("a text", found)
    return found or ""


def _unit(place: _Place, unit: object, rows: Sequence["_Raw"]) -> tuple[int, list[str]]:
    """Return by how many places numbers are moved to be percent, and what was taken for granted."""
    if unit not in (None, "percent", "fraction"):
        raise place.inside("unit").fault("percent or fraction", unit)
    highest = [(max(found), row) for row in rows for found in (row.values.values(), row.overalls()) if any(found)]
    is_fraction = unit == "fraction" or (not unit and bool(highest) and all(number <= 1 for number, _ in highest))
    for number, row in highest:
        if number.scaleb(2 if is_fraction else 0) > 100:
            raise row.place.fault("percent up to 100, or fractions up to 1", number)
        if unit is None and not is_fraction and number <= 1:
            raise row.place.fault("numbers of the same unit as the others, which go above 1 (tell `unit` if they are "
                                  "all percent)", number)  # fmt: skip
    guess = f"Unit not told: read as {'fractions' if is_fraction else 'percent'}, by the range of the values."
    return 2 if is_fraction else 0, [] if unit else [guess]


def _digits(place: _Place, rows: Sequence[Row]) -> Iterator[str]:
    """Yield a word when values differ in their digits: a 0 at the end may have been lost."""
    found = {max(value.decimals, 0) for row in rows for value in row.values.values()}
    if len(found) > 1:
        whose = "those of its row, as JSON drops zeros at the end" if place.drops_zeros else (
            "its own; where the table prints 61.70, write so, not 61.7: else less is tested")  # fmt: skip
        yield f"Values have {min(found)} to {max(found)} digits after the point: each is taken as rounded to {whose}."


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

    def overalls(self) -> list[Decimal]:
        """Return the overall value, alone, if there is one."""
        found = self.fields.get("overall")
        return [] if found is None else [self.place.inside("overall").number(found)]

    def row(self, scale: int, runs: int | None) -> Row:
        """Return the row in percent, each number with its own digits, values and stds from JSON with their row's."""
        method = self.fields.get("method")
        if not isinstance(method, str) or not method:
            raise self.place.inside("method").fault("a name", method)
        found, stds = self.values, self.part("std")
        digits, std_digits = self._digits(found), self._digits(stds)
        values = {
            name: Printed(value.scaleb(scale), digits[name] - scale, stds[name].scaleb(scale), std_digits[name] - scale)
            if name in stds
            else Printed(value.scaleb(scale), digits[name] - scale)
            for name, value in found.items()
        }
        overall = next((Printed(one.scaleb(scale), _decimals(one) - scale) for one in self.overalls()), None)
        if not values and overall is None:
            raise self.place.fault("values or overall", dict(self.fields))
        own = self.fields.get("runs")
        return Row(method, values, overall, runs if own is None else _whole(self.place.inside("runs"), own, "runs"))

    def _digits(self, numbers: Mapping[str, Decimal]) -> dict[str, int]:
        own = {name: _decimals(number) for name, number in numbers.items()}
        return dict.fromkeys(own, max(own.values(), default=0)) if self.place.drops_zeros else own


def _decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)  # numbers are finite
    return max(-exponent, 0)


def _whole(place: _Place, value: object, counted: str) -> int:
    number = place.number(value)
    if not 1 <= number <= MOST[counted] or number != int(number):
        raise place.fault(f"a whole number from 1 to {MOST[counted]:,}", value)
    return int(number)


def _questions(place: _Place, told: object) -> Mapping[int, int]:
    if told is None:
        return ALL_TEN
    names: Sequence[str] = [str(category) for category in SCORED_CATEGORIES]
    place = place.inside("questions")
    if not isinstance(told, dict) or sorted(told) != names:
        raise place.fault("numbers of questions by category 1, 2, 3, 4", told)
    return {int(name): _whole(place.inside(name), count, "questions") for name, count in told.items()}
