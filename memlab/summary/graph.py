"""The shape of the graphs that a run left in its stores."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memlab.records import Record

MOST_COUNTED = 10
"""Types and relations that are counted by name, the most frequent ones."""

Place = tuple[str, str | None]
"""A store: its conversation and its owner."""


@dataclass(slots=True)
class Lines:
    """The lines of graph.jsonl on one store."""

    nodes: list[Record] = field(default_factory=list)
    edges: list[Record] = field(default_factory=list)


def graph(lines: Sequence[Record], memories: Sequence[Record]) -> dict[str, Any] | None:
    """Return the statistics of a run's graphs from graph.jsonl and memories.jsonl; None for a run without one.

    Counts are over all stores, means over nodes or stores. `invalid`: edges that are no longer true, which count as
    edges, by relation too; degrees and components are of the valid ones. A node without an edge is a component.
    """
    if not lines:
        return None
    by_place: dict[Place, Lines] = defaultdict(Lines)
    for line in lines:
        own = by_place[line["conversation"], line["perspective"]]
        (own.nodes if line["type"] == "node" else own.edges).append(line)
    contents = {(memory["conversation"], memory["id"]): memory for memory in memories}
    of_edges = [contents[line["conversation"], line["memory"]] for line in lines if line["type"] == "edge"]
    nodes = [line for line in lines if line["type"] == "node"]
    invalid = sum(memory["retired_at"] is not None for memory in of_edges)
    return {
        "stores": len(by_place),
        "nodes": len(nodes),
        "nodes_with_several_names": sum(len(node["names"]) > 1 for node in nodes),
        "edges": len(of_edges),
        "invalid": invalid,
        "invalid_share": invalid / len(of_edges) if of_edges else None,
        **shape([valid_graph(own, contents) for own in by_place.values()]),
        "types": most(Counter(node["kind"] for node in nodes)),
        "relations": most(Counter(memory["content"]["relation"] for memory in of_edges)),
    }


def valid_graph(own: Lines, contents: Mapping[tuple[str, str], Record]) -> Any:
    """Return one store's nodes and those of its edges that are still true, as a networkx graph."""
    import networkx

    found = networkx.MultiDiGraph()
    found.add_nodes_from(node["number"] for node in own.nodes)
    found.add_edges_from(
        (edge["source"], edge["target"])
        for edge in own.edges
        if contents[edge["conversation"], edge["memory"]]["retired_at"] is None
    )
    return found


def shape(graphs: Sequence[Any]) -> dict[str, Any]:
    """Return components (weakly connected), the share of nodes in a store's largest one, and degrees (in and out)."""
    import networkx

    components = [[len(part) for part in networkx.weakly_connected_components(one)] for one in graphs]
    degrees = [degree for one in graphs for _, degree in one.degree()]
    largest = [max(sizes) / sum(sizes) for sizes in components if sizes]
    return {
        "components": sum(map(len, components)),
        "largest_component_share": sum(largest) / len(largest) if largest else None,
        "mean_degree": sum(degrees) / len(degrees) if degrees else None,
        "max_degree": max(degrees, default=None),
    }


def most(counts: Counter[str]) -> dict[str, int]:
    """Return the highest counts, highest first, equal ones by name."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_COUNTED])
