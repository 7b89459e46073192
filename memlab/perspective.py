"""Whose memories are kept: one store a conversation, or one for each speaker (arXiv 2504.19413, evaluation)."""

from dataclasses import replace
from typing import Literal

from memlab.dialogue import Conversation
from memlab.memory import Memory

Perspective = Literal["shared", "per_speaker"]

Owner = str | None
"""The speaker whose memories a store holds; None: both speakers'."""


def owners(conversation: Conversation, perspective: Perspective) -> tuple[Owner, ...]:
    """Return whose memories are kept of a conversation, each in a store of its own."""
    return (None,) if perspective == "shared" else conversation.speakers


def qualified(memory: Memory, owner: Owner) -> Memory:
    """Return a memory under an id that no other store of its conversation has: `Ada:m3`."""
    return memory if owner is None else replace(memory, id=f"{owner}:{memory.id}")
