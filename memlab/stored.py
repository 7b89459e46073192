"""What the stores of a conversation hold at the end, as records."""

from collections.abc import Mapping

from memlab.dialogue import Conversation
from memlab.memory import Memory, Triple
from memlab.memory_json import memory_to_json, node_to_json
from memlab.perspective import Owner, qualified
from memlab.records import Record
from memlab.store.store import GraphStore, Store


def all_memories(stores: Mapping[Owner, Store]) -> list[tuple[Owner, Memory]]:
    """Return the memories of all stores, retired ones included, under ids that differ between the stores."""
    return [
        (owner, qualified(memory, owner)) for owner, store in stores.items() for memory in store.memories(retired=True)
    ]


def memory_records(conversation: Conversation, stores: Mapping[Owner, Store]) -> list[Record]:
    """Return the lines of memories.jsonl."""
    return [
        {"conversation": conversation.id, "perspective": owner, **memory_to_json(memory)}
        for owner, memory in all_memories(stores)
    ]


def graph_records(conversation: Conversation, stores: Mapping[Owner, Store]) -> list[Record]:
    """Return the lines of graph.jsonl: the nodes of each graph, then the nodes at the ends of each triple."""
    records: list[Record] = []
    for owner, store in stores.items():
        if isinstance(store, GraphStore):
            place: Record = {"conversation": conversation.id, "perspective": owner}
            records += [{**place, "type": "node", **node_to_json(node)} for node in store.nodes()]
            for memory in store.memories(retired=True):
                if isinstance(memory.content, Triple):
                    source, target = (node.number for node in store.ends(memory))
                    own = qualified(memory, owner).id
                    records.append({**place, "type": "edge", "memory": own, "source": source, "target": target})
    return records
