"""The graph of a store as GraphML, for Gephi and for networkx."""

import json
import re

from memlab.report.graph.held import HeldGraph

FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")
"""What XML 1.0 cannot hold, and the carriage return, which its readers turn into a line feed."""


def graphml(graph: HeldGraph) -> str:
    """Return a directed multigraph: an edge for every version of a triple, ended ones included.

    Attributes without a value are left out. `label` repeats what Gephi shows; `names` and `sources` are JSON lists.
    """
    import networkx as nx

    found = nx.MultiDiGraph(conversation=legal(graph.conversation), owner=legal(graph.owner or ""))
    for node in graph.nodes:
        found.add_node(
            str(node.number),
            label=legal(node.name),
            name=legal(node.name),
            kind=legal(node.kind),
            names=as_list(node.names),
            created_at=node.created_at.isoformat(),
        )
    for edge in graph.edges:
        attributes = {
            "label": legal(edge.triple.relation),
            "relation": legal(edge.triple.relation),
            "when": legal(edge.triple.when),
            "valid_from": edge.since.isoformat(),
            "retired_at": "" if edge.until is None else edge.until.isoformat(),
            "sources": as_list(edge.sources),
            "text": legal(edge.triple.text),
            "speaker": legal(edge.speaker),
            "memory": legal(edge.memory),
        }
        given = {name: value for name, value in attributes.items() if value}
        found.add_edge(str(edge.source), str(edge.target), key=f"{legal(edge.memory)}.{edge.version}", **given)
    return "\n".join(nx.generate_graphml(found)) + "\n"


def legal(text: str) -> str:
    """Return a text with what XML cannot hold made visible: control characters as pictures, the rest as U+FFFD."""
    return FORBIDDEN.sub(lambda found: chr(0x2400 + ord(found[0])) if found[0] < " " else "\ufffd", text)


def as_list(texts: tuple[str, ...]) -> str:
    """Return texts as a JSON list."""
    return json.dumps([legal(text) for text in texts], ensure_ascii=False)
