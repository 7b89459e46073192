"""A model that says what it is told to, for tests and examples."""

from collections.abc import Callable, Sequence

from memlab.llm.chat import ChatModel, ChatRequest, Reply, ToolCall, whole
from memlab.llm.request_tokens import estimated_usage

Line = str | tuple[ToolCall, ...] | Reply
"""A text, tool calls, or a whole reply."""


class Scripted(ChatModel):
    """Gives the replies of a sequence one after another, or those of a function of the request.

    Usage is counted in cl100k_base; nothing takes time. A reply that is cut off or refused is raised, as by any model.
    """

    def __init__(self, replies: Sequence[Line] | Callable[[ChatRequest], Line], model: str = "scripted") -> None:
        self.model = model
        self.identity = {"model": model}
        self.requests: list[ChatRequest] = []
        """All requests so far."""
        self._replies = replies

    async def chat(self, request: ChatRequest) -> Reply:
        """Return the reply to this request; raises IndexError when the sequence has no more."""
        self.requests.append(request)
        line = self._replies(request) if callable(self._replies) else self._next(self._replies)
        return whole(reply_of(request, line), self.model)

    def _next(self, replies: Sequence[Line]) -> Line:
        number = len(self.requests)
        if number > len(replies):
            raise IndexError(f"request {number} came, but the script has {len(replies)} replies")
        return replies[number - 1]


def reply_of(request: ChatRequest, line: Line) -> Reply:
    """Return a line as a reply."""
    if isinstance(line, Reply):
        return line
    text, calls = (line, ()) if isinstance(line, str) else ("", line)
    usage = estimated_usage(request, text, calls)
    return Reply(text, calls, "tool_calls" if calls else "stop", usage, seconds=0.0)
