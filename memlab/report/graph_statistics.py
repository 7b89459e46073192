"""The shape of the graphs that runs left."""

from collections.abc import Sequence

from memlab.report.rows import Run, labels, number
from memlab.report.table import Table

NOTE = (
    "Over all stores. Invalid: edges that are no longer true, kept with their interval. Components (weakly connected), "
    "the share of nodes in a store's largest one, and degrees (in and out, mean over nodes) are of the valid edges. "
    "Names: nodes that are known under several names."
)


def graph_statistics(runs: Sequence[Run]) -> Table | None:
    """Return the statistics of the graphs of some runs, a row each, or None when no run has one."""
    names, rows = labels([manifest for manifest, _ in runs])
    of = [(row, summary["graph"]) for row, (_, summary) in zip(rows, runs, strict=True) if summary["graph"]]
    if not of:
        return None
    cells = tuple(
        (
            *row,
            *(number(found[name], 0) for name in ("stores", "nodes", "nodes_with_several_names", "edges")),
            number(found["invalid_share"]),
            number(found["components"], 0),
            number(found["largest_component_share"]),
            number(found["mean_degree"], 2),
            number(found["max_degree"], 0),
        )
        for row, found in of
    )
    headings = ("stores", "nodes", "names", "edges", "invalid", "components", "largest", "degree\nmean", "degree\nmax")
    most = {f"{kind.capitalize()}: {frequent(found[kind])}." for kind in ("types", "relations") for _, found in of}
    return Table("Graphs", (*names, *headings), cells, (NOTE, *(sorted(most) if len(of) == 1 else ())))


def frequent(counts: dict[str, int]) -> str:
    """Return names with their counts: `lives_in 12, likes 9`."""
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
