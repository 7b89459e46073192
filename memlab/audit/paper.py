"""The Mem0 paper's tables as a results table that can be audited like any other."""

from decimal import Decimal

from memlab.audit.possible import Printed
from memlab.audit.results import ALL_TEN, Results, Row
from memlab.paper.mem0 import Method, System, mem0_paper

DECIMALS = 2
OTHER_NAMES = {"A-Mem*": "A-Mem"}
"""Methods that table 2 calls otherwise than table 1: the authors' own run of A-Mem, starred in table 1 alone."""


def paper_results() -> Results:
    """Return J per category of table 1 with the overall J of table 2, for the six methods that have both."""
    paper = mem0_paper()
    overall = {system.method: system for system in paper.systems if system.k is None}
    rows = []
    for method in paper.methods:
        system = overall.get(OTHER_NAMES.get(method.name, method.name))
        if system is not None and all(cell.j is not None for cell in method.cells.values()):
            rows.append(_row(method, system, {number: name for name, number in paper.categories.items()}))
    title = f"{paper.title}, table 1 against table 2"
    return Results(title, "J", tuple(paper.categories), tuple(rows), ALL_TEN)


def _row(method: Method, system: System, names: dict[int, str]) -> Row:
    values = {names[number]: _printed(cell.j or 0.0, cell.j_std) for number, cell in method.cells.items()}
    return Row(method.name, values, _printed(system.j, system.j_std), mem0_paper().judge_runs)


def _printed(value: float, std: float | None) -> Printed:
    return Printed(_exact(value), DECIMALS, None if std is None else _exact(std), DECIMALS)


def _exact(value: float) -> Decimal:
    return Decimal(f"{value:.{DECIMALS}f}")
