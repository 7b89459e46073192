"""Replies as JSON, and the key that a request has in the cache."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, get_args

from memlab.llm.chat import ChatRequest, Finish, Reply, ToolCall, Usage

KEY_VERSION = 1
"""Goes up when what a key is made of changes, so that no old reply is taken for an answer to a new question."""


def request_key(identity: Mapping[str, Any], request: ChatRequest) -> str:
    """Return the sha256 of all that changes a reply."""
    # The order of the keys stays as it is: a model writes the properties of a schema in the order it is shown.
    asked = {name: value for name, value in asdict(request).items() if name != "typical"}
    content = {"version": KEY_VERSION, "identity": dict(identity), "request": asked}
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()


def reply_json(reply: Reply) -> str:
    """Return a reply as one line of JSON."""
    return json.dumps(asdict(reply), separators=(",", ":"))


def reply_from_json(text: str) -> Reply:
    """Return the reply that a line of JSON holds; raises ValueError when it holds none."""
    try:
        data = json.loads(text)
        reply = Reply(
            **{
                **data,
                "tool_calls": tuple(ToolCall(**call) for call in data["tool_calls"]),
                "usage": Usage(**data["usage"]),
            }
        )
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"no reply: {text[:80]!r}") from error
    if not isinstance(reply.text, str) or reply.finish not in get_args(Finish):
        raise ValueError(f"no reply: {text[:80]!r}")
    return reply
