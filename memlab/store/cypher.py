"""What a Bolt server is sent: Cypher that every one of them runs, and its parameters as plain values.

A node is an (:Entity) and an edge a [:RELATION], both with the `space` they belong to, which is the name of one store.
Nothing but parameters varies. Every write may be repeated, and reads are right even when one was carried out twice.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, assert_never

from memlab.memory import Node
from memlab.store.property_graph import Edge

Row = dict[str, Any]

INDEX = "CREATE INDEX memlab_entity IF NOT EXISTS FOR (node:Entity) ON (node.space, node.number)"
"""Names are not indexed: they may be longer than a key of an index can be."""

REMOVE = (
    "MATCH (:Entity {space: $space})-[edge:RELATION]->() WITH edge LIMIT $limit DELETE edge RETURN count(edge) AS done",
    "MATCH (node:Entity {space: $space}) WITH node LIMIT $limit DETACH DELETE node RETURN count(node) AS done",
)
"""Each removes so many, and is to be repeated until none are left."""

PUT_NODES = """
UNWIND $rows AS row
MERGE (node:Entity {space: $space, number: row.number})
SET node += row.properties
RETURN count(DISTINCT row.position) AS done
"""
PUT_EDGES = """
UNWIND $rows AS row
MATCH (source:Entity {space: $space, number: row.source})
MATCH (target:Entity {space: $space, number: row.target})
MERGE (source)-[edge:RELATION {space: $space, memory: row.memory, version: row.version}]->(target)
SET edge += row.properties
RETURN count(DISTINCT row.position) AS done
"""
END_EDGES = """
UNWIND $rows AS row
MATCH (source:Entity {space: $space, number: row.source})
MATCH (target:Entity {space: $space, number: row.target})
MATCH (source)-[edge:RELATION {memory: row.memory, version: row.version}]->(target)
SET edge.until = row.until
RETURN count(DISTINCT row.position) AS done
"""

AROUND = """
UNWIND $frontier AS number
MATCH (near:Entity {space: $space, number: number})-[edge:RELATION]-(far:Entity)
WHERE $past OR edge.until = $still
RETURN DISTINCT edge.memory, far.number
"""
LEAVING = """
MATCH (:Entity {space: $space, number: $node})-[edge:RELATION]->()
WHERE edge.until = $still
RETURN DISTINCT edge.memory
"""
AS_OF = """
MATCH (:Entity {space: $space})-[edge:RELATION]->()
WHERE edge.since <= $time AND $time < edge.until
RETURN DISTINCT edge.memory, edge.version
"""
HISTORY = """
MATCH (:Entity {space: $space, number: $node})-[edge:RELATION]->()
WHERE edge.relation = $relation
RETURN DISTINCT edge.memory, edge.version
"""

UNSENDABLE = re.compile("[\ud800-\udfff\ufdd0]")


@dataclass(frozen=True, slots=True)
class End:
    """An edge between two nodes is no longer valid as of a time."""

    memory: int
    version: int
    source: int
    target: int
    at: datetime


Write = Node | Edge | End


def statements(writes: Sequence[Write]) -> list[tuple[str, list[Row]]]:
    """Return the queries, with their rows, that do what the writes do one after the other.

    Nodes go first, for edges need them, and ends last. Of several writes of one thing the last one counts.
    """
    nodes: dict[int, Row] = {}
    edges: dict[tuple[int, int], Row] = {}
    ends: dict[tuple[int, int], Row] = {}
    for write in writes:
        match write:
            case Node():
                nodes[write.number] = node_row(write)
            case Edge():
                edges[write.memory, write.version] = edge_row(write)
            case End():
                ends[write.memory, write.version] = end_row(write)
            case _:
                assert_never(write)
    groups = (PUT_NODES, nodes), (PUT_EDGES, edges), (END_EDGES, ends)
    return [
        (query, [{**row, "position": position} for position, row in enumerate(rows.values())])
        for query, rows in groups
        if rows
    ]


def node_row(node: Node) -> Row:
    """Return what is sent of a node."""
    properties = {
        "name": sendable(node.name),
        "names": [sendable(name) for name in node.names],
        "kind": sendable(node.kind),
        "created_at": epoch(node.created_at),
    }
    return {"number": node.number, "properties": properties}


def edge_row(edge: Edge) -> Row:
    """Return what is sent of an edge: where it is, and the triple as it was said."""
    triple = edge.triple
    words = {
        "text": triple.text,
        "subject": triple.subject.name,
        "subject_kind": triple.subject.kind,
        "relation": triple.relation,
        "object": triple.object.name,
        "object_kind": triple.object.kind,
        "when": triple.when,
    }
    properties: Row = {name: sendable(text) for name, text in words.items()}
    properties |= {"since": epoch(edge.since), "until": STILL if edge.until is None else epoch(edge.until)}
    return {**place(edge), "properties": properties}


def end_row(end: End) -> Row:
    """Return what is sent of an edge's end."""
    return {**place(end), "until": epoch(end.at)}


def place(edge: Edge | End) -> Row:
    """Return what tells an edge from all others of its space."""
    return {"source": edge.source, "target": edge.target, "memory": edge.memory, "version": edge.version}


def epoch(time: datetime) -> int:
    """Return the microseconds since 1970-01-01T00:00, exactly; a time of no zone, as turns have, is taken as UTC's."""
    since = datetime(1970, 1, 1, tzinfo=None if time.tzinfo is None else UTC)
    return (time - since) // timedelta(microseconds=1)


STILL = epoch(datetime.max) + 1
"""The end of an edge that is still valid: later than any other. A missing property would be null, and compare so."""


def sendable(text: str) -> str:
    """Return a text as it is, but for what UTF-8 has no bytes for (lone surrogates), which is escaped.

    The escape is U+FDD0, which is no character, and four hex digits; so different texts stay different.
    """
    return UNSENDABLE.sub(lambda found: f"\ufdd0{ord(found[0]):04x}", text)
