"""Writes run folders with invented graphs: a small one, and one as large as a long conversation's."""

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from memlab.memory import Entity, Memory, Node, Triple
from memlab.memory_json import memory_to_json
from memlab.perspective import Owner, qualified
from memlab.records import Record, as_lines, write_whole

START = datetime(2023, 3, 4, 10, 15)
KINDS = ("Object", "Concept", "Event", "Location", "Attribute", "Person", "Organization", "Date")
FIRST = ("pottery", "violin", "harbour", "winter", "garden", "marathon", "charity", "antique", "mountain", "family")
SECOND = ("class", "festival", "trip", "workshop", "book", "recipe", "picnic", "painting", "bicycle", "lesson", "choir")
RELATIONS = ("likes", "visited", "attended", "owns", "works_at", "lives_in", "is_planning", "bought", "volunteers_at")

Store = tuple[Sequence[Node], Sequence[tuple[Memory, int, int]]]
"""The nodes of a store, and its memories with the numbers of their source and target."""


def node(number: int, name: str, kind: str = "Person", *others: str, at: datetime = START) -> Node:
    return Node(number, (name, *others), kind, at)


def memory(id_: str, triple: Triple, at: datetime = START, until: datetime | None = None) -> Memory:
    turn = f"D{1 + (at - START).days // 14}:{int(id_[1:]) % 30 + 1}"
    return Memory(id_, triple, triple.subject.name, (turn,), at, at, at, until)


def small() -> Store:
    """Return a graph of five nodes: Mira moved from Oslo to Rome in the second session."""
    later = START + timedelta(days=14)
    nodes = [
        node(0, "Mira", "Person", "Mira Lund"),
        node(1, "Oslo", "Location"),
        node(2, "Rome", "Location", at=later),
        node(3, "Toma", "Person"),
        node(4, "pottery class", "Event", at=later),
    ]
    told = [
        (0, "lives_in", 1, "", START, later),
        (0, "lives_in", 2, "18 March 2023", later, None),
        (3, "knows", 0, "", START, None),
        (0, "attended", 4, "16 March 2023", later, None),
        (3, "attended", 4, "16 March 2023", later, None),
    ]
    return nodes, [held(nodes, number, *one) for number, one in enumerate(told)]


def held(
    nodes: Sequence[Node],
    number: int,
    source: int,
    relation: str,
    target: int,
    when: str,
    at: datetime,
    until: datetime | None,
) -> tuple[Memory, int, int]:
    ends = [Entity(nodes[end].name, nodes[end].kind) for end in (source, target)]
    return memory(f"m{number}", Triple(ends[0], relation, ends[1], when), at, until), source, target


def large(nodes: int = 300, edges: int = 600, sessions: int = 8, seed: int = 1) -> Store:
    """Return a graph with two persons at nearly every edge, five edges of a hundred ended."""
    dice = random.Random(seed)
    times = [START + timedelta(days=14 * number, hours=number % 5) for number in range(sessions)]
    names = [f"{a} {b}" for a in FIRST for b in SECOND]
    dice.shuffle(names)
    found = [node(0, "Mira"), node(1, "Toma")]
    for number in range(2, nodes):
        name = names[number % len(names)] + (f" of {2000 + number}" if number >= len(names) else "")
        at = times[min(sessions - 1, number * sessions // nodes)]
        found.append(node(number, name, dice.choices(KINDS, (9, 8, 7, 4, 3, 2, 2, 2))[0], at=at))
    told = []
    for number in range(edges):
        target = number + 2 if number < nodes - 2 else 2 + int((nodes - 2) * dice.random() ** 3)
        source = dice.choices((0, 1, 2 + int((nodes - 2) * dice.random() ** 2)), (10, 8, 3))[0]
        at = max(found[source].created_at, found[target].created_at, dice.choice(times))
        until = dice.choice(times[times.index(at) + 1 :] or [None]) if dice.random() < 0.06 else None
        when = f"{at:%-d %B %Y}" if dice.random() < 0.3 else ""
        told.append(held(found, number, source, dice.choice(RELATIONS), target, when, at, until))
    return found, told


def write_run(folder: Path, stores: Iterable[tuple[str, Owner, Store]], *, graph: bool = True) -> Path:
    """Write a run folder that holds these stores of conversations; `graph`: with graph.jsonl."""
    folder.mkdir(parents=True, exist_ok=True)
    memories, lines = [], []
    for conversation, owner, (nodes, edges) in stores:
        place = {"conversation": conversation, "perspective": owner}
        lines += [place | node_line(one) for one in nodes]
        for kept, source, target in edges:
            kept = qualified(kept, owner)
            memories.append(place | memory_to_json(kept))
            lines.append(place | {"type": "edge", "memory": kept.id, "source": source, "target": target})
    write_whole(folder / "memories.jsonl", as_lines(memories))
    manifest = {
        "schema": 1,
        "status": "complete",
        "key": folder.name,
        "study": "graph_ablation",
        "choices": {"system": "mem0g"},
        "config": {},
    }
    write_whole(folder / "manifest.json", json.dumps(manifest))
    if graph:
        write_whole(folder / "graph.jsonl", as_lines(lines))
    return folder


def node_line(one: Node) -> Record:
    return {
        "type": "node",
        "number": one.number,
        "names": list(one.names),
        "kind": one.kind,
        "created_at": one.created_at.isoformat(),
    }


def renamed(store: Store, number: int, name: str) -> Store:
    """Return a store whose node of a number is called something else."""
    nodes = [replace(one, names=(name,)) if one.number == number else one for one in store[0]]
    edges = []
    for kept, source, target in store[1]:
        triple = kept.content
        assert isinstance(triple, Triple)
        triple = replace(
            triple,
            subject=Entity(nodes[source].name, nodes[source].kind),
            object=Entity(nodes[target].name, nodes[target].kind),
        )
        edges.append((replace(kept, content=triple), source, target))
    return nodes, edges
