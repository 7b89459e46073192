"""Memories, candidates and operations as JSON values and back: what records and saved stores are made of.

Reading undoes writing exactly. Values are plain dicts, lists and strings; a variant is named by its `type`.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, assert_never

from memlab.memory import (
    Add,
    Candidate,
    Content,
    Delete,
    Entity,
    Fact,
    Memory,
    Node,
    Noop,
    Operation,
    Revision,
    Triple,
    Update,
)

Json = dict[str, Any]

SCHEMA_VERSION = 1
"""Goes up when a reader of the old form could no longer read the new one."""


def content_to_json(content: Content) -> Json:
    """Return a fact or a triple as JSON."""
    match content:
        case Fact(text=text):
            return {"type": "fact", "text": text}
        case Triple(subject=subject, relation=relation, object=object_, when=when):
            return {
                "type": "triple",
                "subject": _entity_to_json(subject),
                "relation": relation,
                "object": _entity_to_json(object_),
                "when": when,
            }
        case _:
            assert_never(content)


def content_from_json(value: Mapping[str, Any]) -> Content:
    """Return the content that `content_to_json` wrote; raises ValueError on an unknown type."""
    match value["type"]:
        case "fact":
            return Fact(value["text"])
        case "triple":
            ends = _entity_from_json(value["subject"]), _entity_from_json(value["object"])
            return Triple(ends[0], value["relation"], ends[1], value.get("when", ""))
        case unknown:
            raise ValueError(f"unknown content type {unknown!r}; known: fact, triple")


def candidate_to_json(candidate: Candidate) -> Json:
    """Return a candidate as JSON."""
    return {
        "content": content_to_json(candidate.content),
        "speaker": candidate.speaker,
        "sources": list(candidate.sources),
        "said_at": candidate.said_at.isoformat(),
    }


def candidate_from_json(value: Mapping[str, Any]) -> Candidate:
    """Return the candidate that `candidate_to_json` wrote."""
    return Candidate(
        content=content_from_json(value["content"]),
        speaker=value["speaker"],
        sources=tuple(value["sources"]),
        said_at=datetime.fromisoformat(value["said_at"]),
    )


def operation_to_json(operation: Operation) -> Json:
    """Return an operation as JSON."""
    match operation:
        case Add(candidate=candidate):
            return {"type": "add", "candidate": candidate_to_json(candidate)}
        case Update(id=id_, candidate=candidate):
            return {"type": "update", "id": id_, "candidate": candidate_to_json(candidate)}
        case Delete(id=id_, at=at):
            return {"type": "delete", "id": id_, "at": at.isoformat()}
        case Noop(duplicate_of=duplicate_of, sources=sources):
            return {"type": "noop", "duplicate_of": duplicate_of, "sources": list(sources)}
        case _:
            assert_never(operation)


def operation_from_json(value: Mapping[str, Any]) -> Operation:
    """Return the operation that `operation_to_json` wrote; raises ValueError on an unknown type."""
    match value["type"]:
        case "add":
            return Add(candidate_from_json(value["candidate"]))
        case "update":
            return Update(value["id"], candidate_from_json(value["candidate"]))
        case "delete":
            return Delete(value["id"], datetime.fromisoformat(value["at"]))
        case "noop":
            return Noop(value["duplicate_of"], tuple(value["sources"]))
        case unknown:
            raise ValueError(f"unknown operation type {unknown!r}; known: add, update, delete, noop")


def memory_to_json(memory: Memory) -> Json:
    """Return a memory as JSON, its history included."""
    return {
        "id": memory.id,
        "content": content_to_json(memory.content),
        "speaker": memory.speaker,
        "sources": list(memory.sources),
        "created_at": memory.created_at.isoformat(),
        "updated_at": memory.updated_at.isoformat(),
        "valid_from": memory.valid_from.isoformat(),
        "retired_at": None if memory.retired_at is None else memory.retired_at.isoformat(),
        "history": [_revision_to_json(revision) for revision in memory.history],
    }


def memory_from_json(value: Mapping[str, Any]) -> Memory:
    """Return the memory that `memory_to_json` wrote."""
    retired_at = value["retired_at"]
    return Memory(
        id=value["id"],
        content=content_from_json(value["content"]),
        speaker=value["speaker"],
        sources=tuple(value["sources"]),
        created_at=datetime.fromisoformat(value["created_at"]),
        updated_at=datetime.fromisoformat(value["updated_at"]),
        valid_from=datetime.fromisoformat(value["valid_from"]),
        retired_at=None if retired_at is None else datetime.fromisoformat(retired_at),
        history=tuple(_revision_from_json(revision) for revision in value["history"]),
    )


def node_to_json(node: Node) -> Json:
    """Return a node of a graph as JSON."""
    return {
        "number": node.number,
        "names": list(node.names),
        "kind": node.kind,
        "created_at": node.created_at.isoformat(),
    }


def node_from_json(value: Mapping[str, Any]) -> Node:
    """Return the node that `node_to_json` wrote."""
    created_at = datetime.fromisoformat(value["created_at"])
    return Node(value["number"], tuple(value["names"]), value["kind"], created_at)


def _entity_to_json(entity: Entity) -> Json:
    return {"name": entity.name, "kind": entity.kind}


def _entity_from_json(value: Mapping[str, Any]) -> Entity:
    return Entity(value["name"], value["kind"])


def _revision_to_json(revision: Revision) -> Json:
    return {
        "content": content_to_json(revision.content),
        "sources": list(revision.sources),
        "updated_at": revision.updated_at.isoformat(),
    }


def _revision_from_json(value: Mapping[str, Any]) -> Revision:
    return Revision(
        content=content_from_json(value["content"]),
        sources=tuple(value["sources"]),
        updated_at=datetime.fromisoformat(value["updated_at"]),
    )
