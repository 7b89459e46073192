"""Tokens of requests and replies, counted here: for servers that do not say, and before anything is sent."""

import json
import re

from memlab.llm.chat import ChatRequest, ToolCall, Usage
from memlab.tokens import count_tokens, encoding

TOKENS_A_MESSAGE = 4
"""What OpenAI's chat format adds to the content of a message."""
TOKENS_A_REPLY = 3
"""What opens the reply, and is counted with the prompt."""

LINE = re.compile(r"[^\r\n]*[\r\n](?:\s*[\r\n])?|[^\r\n]+")
"""A line with all the line ends and blank lines after it: no token reaches across."""
REMEMBERED_LENGTH = 500
"""Characters up to which the count of a line is remembered; longer ones seldom come again."""


def estimated_usage(request: ChatRequest, text: str, tool_calls: tuple[ToolCall, ...]) -> Usage:
    """Return what a request and its reply take in cl100k_base; close for OpenAI's models, a guide for others."""
    written = sum(tokens(call.name) + tokens(call.raw) for call in tool_calls)
    return Usage(prompt_tokens(request), tokens(text) + written, estimated=True)


def prompt_tokens(request: ChatRequest) -> int:
    """Return what a request takes: its messages, tools and schema."""
    messages = sum(TOKENS_A_MESSAGE + tokens(message.content) for message in request.messages)
    schemas = [tool.parameters for tool in request.tools] + ([request.schema] if request.schema else [])
    described = sum(tokens(tool.name) + tokens(tool.description) for tool in request.tools)
    return messages + described + sum(tokens(json.dumps(schema)) for schema in schemas) + TOKENS_A_REPLY


def tokens(text: str) -> int:
    """Return how many cl100k_base tokens a text has.

    Instructions, turns and memories are lines that come again in one prompt after another, and are counted once.
    """
    return sum(map(line_tokens, LINE.findall(text)))


def line_tokens(line: str) -> int:
    """Return how many tokens one line has."""
    return count_tokens(line) if len(line) <= REMEMBERED_LENGTH else len(encoding().encode_ordinary(line))
