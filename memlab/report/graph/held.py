"""Reads the graphs of a run from its records."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from memlab.memory import Entity, Memory, Node, Revision, Triple
from memlab.memory_json import memory_from_json
from memlab.perspective import Owner
from memlab.records import Record, RecordError, RunFolder
from memlab.spelling import did_you_mean
from memlab.store.nodes import key


@dataclass(frozen=True, slots=True)
class HeldEdge:
    """One version of a memory's triple between two nodes, valid from `since` until `until` (None: still).

    `memory` is the id in memories.jsonl, `version` counts what it said from 0, `sources` are turn ids.
    """

    memory: str
    version: int
    source: int
    target: int
    triple: Triple
    speaker: str
    sources: tuple[str, ...]
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class HeldGraph:
    """The graph of one store at the end of a run; `owner` is the speaker whose memories it holds, None: both."""

    conversation: str
    owner: Owner
    nodes: tuple[Node, ...]
    edges: tuple[HeldEdge, ...]


def held_graphs(run: RunFolder) -> dict[str, list[HeldGraph]]:
    """Return the graphs of a run by conversation, in the order of its records: one each, or one for each speaker.

    Raises RecordError when the run has no graph.
    """
    lines = run.read("graph")
    if not lines:
        raise RecordError(
            f"no graph in {run.path}: its store keeps none, or nothing was extracted. The stores graph, hybrid and "
            "neo4j keep one: system=mem0g, mem0g_entity, mem0g_triplet or mem0g_graph_only"
        )
    stores: dict[tuple[str, Owner], list[Record]] = defaultdict(list)
    for line in lines:
        stores[line["conversation"], line["perspective"]].append(line)
    memories = {(line["conversation"], line["id"]): line for line in run.read("memories")}
    found: dict[str, list[HeldGraph]] = defaultdict(list)
    for (conversation, owner), of_store in stores.items():
        nodes = tuple(node_of(line) for line in of_store if line["type"] == "node")
        named = {(name, key(node.kind)): node.number for node in nodes for name in node.names}
        edges: list[HeldEdge] = []
        for line in of_store:
            if line["type"] == "edge":
                if (record := memories.get((conversation, line["memory"]))) is None:
                    raise RecordError(
                        f"{run.file('graph')}: {line['memory']} of {conversation} is no memory of this run"
                    )
                edges += versions(memory_from_json(record), line, named)
        found[conversation].append(HeldGraph(conversation, owner, nodes, tuple(edges)))
    return dict(found)


def of_conversation(graphs: Mapping[str, list[HeldGraph]], wanted: str | None) -> list[HeldGraph]:
    """Return the graphs of the wanted conversation, by default the first; raises RecordError when it has none."""
    conversation = next(iter(graphs)) if wanted is None else wanted
    if conversation not in graphs:
        hint = did_you_mean(conversation, graphs)
        raise RecordError(
            f"no graph of a conversation '{conversation}' in this run{hint} (there are: {', '.join(graphs)})"
        )
    return graphs[conversation]


def node_of(line: Record) -> Node:
    """Return the node of a line of graph.jsonl."""
    return Node(line["number"], tuple(line["names"]), line["kind"], datetime.fromisoformat(line["created_at"]))


def versions(memory: Memory, line: Record, named: Mapping[tuple[str, str], int]) -> Iterator[HeldEdge]:
    """Yield all that a triple's memory ever said; the line tells between which nodes its last version is."""
    said = [*memory.history, Revision(memory.content, memory.sources, memory.updated_at)]
    # The first of them may have been told again, at a later time, before it changed.
    times = [memory.valid_from, *(revision.updated_at for revision in said[1:]), memory.retired_at]
    for version, (revision, (since, until)) in enumerate(zip(said, pairwise(times), strict=True)):
        if not isinstance(triple := revision.content, Triple):
            continue
        ends = line["source"], line["target"]
        if version < len(memory.history):
            ends = number_of(triple.subject, named, ends[0]), number_of(triple.object, named, ends[1])
        assert since is not None  # only the last time, which nothing starts at, may be None
        yield HeldEdge(memory.id, version, *ends, triple, memory.speaker, revision.sources, since, until)


def number_of(entity: Entity, named: Mapping[tuple[str, str], int], otherwise: int) -> int:
    """Return the number of the node that has this name and type."""
    return named.get((entity.name, key(entity.kind)), otherwise)
