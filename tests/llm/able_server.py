"""Behaviours of a server that can do everything that a probe asks for, and of some that cannot."""

import json
from typing import Any

from memlab.llm.request_tokens import tokens
from tests.llm.lying_server import Answer, Behaviour, calls, completion, failing

KEEP = {"name": "keep_note", "arguments": '{"text": "Maria has a cat."}'}
JOURNEY = '{"left_from": "Oslo", "by_plane": true}'
DIMENSION = 8


def prompt(body: dict[str, Any]) -> str:
    return "\n".join(message["content"] for message in body["messages"])


def is_long(body: dict[str, Any]) -> bool:
    return "messages" in body and len(prompt(body)) > 1000


def said(body: dict[str, Any], text: str) -> Answer:
    """A reply as long as the limit allows at most, with honest usage."""
    most, written = body.get("max_completion_tokens", 1000), tokens(text)
    content = completion({"role": "assistant", "content": text}, "stop" if written <= most else "length")
    used = {"prompt_tokens": tokens(prompt(body)), "completion_tokens": min(written, most)}
    return Answer({**content, "usage": used})


def able(body: dict[str, Any]) -> Answer:
    """Do whatever is asked."""
    if "input" in body:
        data = [{"index": n, "embedding": [1.0] * DIMENSION} for n, _ in enumerate(body["input"])]
        return Answer({"data": data, "model": "e", "usage": {"prompt_tokens": 2, "total_tokens": 2}})
    if "tools" in body:
        return calls(*[KEEP] * (2 if "two notes" in prompt(body) else 1))
    if "response_format" in body or "left_from" in prompt(body):
        return said(body, JOURNEY)
    if is_long(body):
        return said(body, "Marigold" if "keeper is called Marigold" in prompt(body) else "?")
    return said(body, "and so on " * 100 if "story" in prompt(body) else "Paris")


def unable(**answers: Answer) -> Behaviour:
    """Return an able server but for some requests: tools, schema, json (asked for in words), long, chat."""

    def behave(body: dict[str, Any]) -> Answer:
        kinds = {
            "tools": "tools" in body,
            "schema": "response_format" in body,
            "json": "left_from" in json.dumps(body.get("messages")),
            "long": is_long(body),
            "chat": "messages" in body,
        }
        return next((answers[kind] for kind, asked in kinds.items() if asked and kind in answers), able(body))

    return behave


def refusing(field: str) -> Behaviour:
    """Return an able server that finds fault with a field of the body."""
    return lambda body: failing(400, f"unknown field {field}") if field in body else able(body)
