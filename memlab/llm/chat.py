"""One exchange with a language model: what is asked, what comes back, and how it fails."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from memlab.part import Part, PartFailed

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "tool_calls", "content_filter"]
Reason = Literal["refused", "truncated", "rejected", "retries_exhausted", "not_cached"]
"""Why there is no reply: the model or a filter declined; it was cut at the length limit; the server found fault with
this very request; no attempt succeeded; mode `only` and no stored reply."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that the model may call; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model wrote it (`raw`), and its arguments, None when what it wrote is no JSON object."""

    name: str
    arguments: Mapping[str, Any] | None
    raw: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """All that one request asks for; `schema` is a JSON schema that the text has to follow.

    Requests that differ in `sample` alone are independent draws: each has a reply of its own, in the cache too.
    """

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    schema: Mapping[str, Any] | None = None
    sample: int = 0
    typical: "str | tuple[ToolCall, ...]" = field(default="", compare=False)
    """About what a good model answers: a cost preview takes it for the reply. It is never sent, and in no cache key."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counts them; `estimated` when it did not say and they are ours, in cl100k_base."""

    prompt_tokens: int
    completion_tokens: int
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. A replayed reply was not paid for now: its times, usage and requests are the original's."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    finish: Finish
    usage: Usage
    seconds: float
    """Of the attempt that succeeded, without the wait for a free place."""
    retry_seconds: float = 0.0
    """Spent in failed attempts and in the pauses after them."""
    requests: int = 1
    """Attempts made for this reply, failed ones included."""
    replayed: bool = False


class ChatFailed(PartFailed):
    """There is no whole reply; `reason` says why, `requests` how many attempts were in vain.

    A refused or truncated reply was paid for and is in `reply`, with its requests and times.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        *,
        reply: Reply | None = None,
        requests: int = 0,
        retry_seconds: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.reply = reply
        self.requests = reply.requests if reply else requests
        self.retry_seconds = reply.retry_seconds if reply else retry_seconds


class ChatMisconfigured(ValueError):
    """No request can succeed before a setting, a key or an account is put right."""


class ChatModel(Part):
    """Answers requests. Replies depend on the request and on `identity` alone, as far as the server is repeatable."""

    model: str
    """The model's name, as its endpoint knows it."""
    at_once: int | None = None
    """How many requests it works on at a time; further ones wait within. None: any number."""
    identity: Mapping[str, Any]
    """Everything beside the request that changes a reply (model, endpoint, sampling settings), as JSON values."""

    @abstractmethod
    async def chat(self, request: ChatRequest) -> Reply:
        """Return a whole reply, whose finish is `stop` or `tool_calls`; raises ChatFailed when there is none."""

    def stop_sending(self) -> None:
        """Fail what waits to be sent in this event loop; what is sent goes on. A model without a line ignores it."""


def whole(reply: Reply, model: str) -> Reply:
    """Return a reply that is neither cut off nor refused; raises ChatFailed, which carries it, when it is."""
    if reply.finish == "content_filter":
        words = f": {reply.text[:200]}" if reply.text else ""
        raise ChatFailed("refused", f"{model} or its content filter declined to answer{words}", reply=reply)
    if reply.finish == "length":
        raise ChatFailed(
            "truncated",
            f"{model}'s reply was cut off after {reply.usage.completion_tokens} tokens; "
            "raise llm.max_completion_tokens, or the context length of the server",
            reply=reply,
        )
    return reply
