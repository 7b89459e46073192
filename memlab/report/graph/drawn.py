"""What the page draws, as JSON values: nodes, edges, their places, and the times at which anything changed."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memlab.memory import ENTITY_KINDS, Node
from memlab.records import Record
from memlab.report.graph.held import HeldEdge, HeldGraph
from memlab.report.graph.layout import attached, cut, diameter, letters, neighbours, places, ranked

COLOURS = 10
"""Types that get a colour of their own; the page has as many."""
REST = "other types"
STOPS = 60
"""Most places of the time slider; with more changes than that, the end of each day."""


def drawn(graphs: Sequence[HeldGraph], manifest: Record) -> dict[str, Any]:
    """Return all that the page of a conversation shows."""
    kinds = coloured_kinds(graphs)
    return {
        "conversation": graphs[0].conversation,
        "run": " ".join(str(manifest.get("choices", {}).get("system") or manifest.get("study", "")).split()),
        "key": str(manifest.get("key", "")),
        "kinds": kinds,
        "stores": [drawn_store(graph, kinds) for graph in graphs],
    }


def coloured_kinds(graphs: Sequence[HeldGraph]) -> list[str]:
    """Return the types with a colour of their own, memlab's first, then the most frequent; the rest are one group."""
    counts = Counter(node.kind for graph in graphs for node in graph.nodes)
    others = sorted(counts.keys() - set(ENTITY_KINDS), key=lambda kind: (-counts[kind], kind))
    found = [*(kind for kind in ENTITY_KINDS if kind in counts), *others]
    return found if len(found) <= COLOURS else [*found[:COLOURS], REST]


def drawn_store(graph: HeldGraph, kinds: Sequence[str]) -> dict[str, Any]:
    """Return the graph of one store: nodes with most edges first, none without a neighbour; edges in order of time."""
    ranks, degree = ranked(graph)
    near = neighbours(graph)
    order = attached(ranks, near)
    nodes = {node.number: node for node in graph.nodes}
    stops = stops_of(graph)
    return {
        "owner": graph.owner,
        "stops": [stop.isoformat() for stop in stops],
        "nodes": [drawn_node(nodes[number], degree[number], kinds, stops) for number in order],
        "edges": [drawn_edge(edge, stops) for edge in sorted(graph.edges, key=lambda edge: edge.since)],
        "levels": [places(graph, shown, degree) for shown in cut(order, near)],
    }


def stops_of(graph: HeldGraph) -> list[datetime]:
    """Return the times at which the graph changed, or the last ones of each day where they are many."""
    times = {node.created_at for node in graph.nodes}
    times |= {time for edge in graph.edges for time in (edge.since, edge.until) if time is not None}
    found = sorted(times)
    return found if len(found) <= STOPS else sorted({time.date(): time for time in found}.values())


def drawn_node(node: Node, degree: int, kinds: Sequence[str], stops: Sequence[datetime]) -> dict[str, Any]:
    """Return one node; `since` counts stops from 0."""
    return {
        "number": node.number,
        "names": node.names,
        "kind": node.kind,
        "group": kinds.index(node.kind) if node.kind in kinds else len(kinds) - 1,
        "created": node.created_at.isoformat(),
        "since": bisect_left(stops, node.created_at),
        "degree": degree,
        "size": round(diameter(degree), 1),
        "letters": round(letters(degree), 1),
    }


def drawn_edge(edge: HeldEdge, stops: Sequence[datetime]) -> dict[str, Any]:
    """Return one edge; `since` and `until` count stops from 0."""
    return {
        "id": edge.memory if edge.version == 0 else f"{edge.memory}.{edge.version}",
        "source": edge.source,
        "target": edge.target,
        "relation": edge.triple.relation,
        "when": edge.triple.when,
        "text": edge.triple.text,
        "speaker": edge.speaker,
        "sources": edge.sources,
        "from": edge.since.isoformat(),
        "to": None if edge.until is None else edge.until.isoformat(),
        "since": bisect_left(stops, edge.since),
        "until": None if edge.until is None else bisect_left(stops, edge.until),
    }
