"""OpenAI's chat completions as JSON: from a request to a body, from a body to a reply."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from memlab.llm.chat import ChatRequest, Finish, ToolCall, Usage
from memlab.llm.json_text import read_json, read_object, without_lone_surrogates

FINISHES: dict[str, Finish] = {
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}
"""By what servers say; any other word (eos, stop_sequence, none at all) is an ordinary end."""
BROKEN_FINISHES = ("error", "abort")


class UnusableBody(ValueError):
    """A body that is no chat completion, though the server said it was."""


class WireFunction(BaseModel):
    """A called function, as odd as the model wrote it; some servers give the arguments as a value, not as its text."""

    name: str | None = None
    arguments: Any = None


class WireToolCall(BaseModel):
    """A tool call."""

    function: WireFunction


class WirePart(BaseModel):
    """A part of a message; one without text holds the model's thoughts, say."""

    text: str = ""


class WireMessage(BaseModel):
    """The model's message; some servers give its text in parts."""

    content: str | list[WirePart] | None = None
    refusal: str | None = None
    tool_calls: list[WireToolCall] | None = None


class WireChoice(BaseModel):
    """One of the alternatives; only the first is used."""

    message: WireMessage
    finish_reason: str | None = None


class WireUsage(BaseModel):
    """Token counts; a prompt always has some."""

    prompt_tokens: int = Field(gt=0)
    completion_tokens: int = Field(ge=0)


class Completion(BaseModel):
    """What memlab reads of a chat completion."""

    choices: list[WireChoice]
    usage: Any = None

    @property
    def text(self) -> str:
        """What the model wrote, or why it refused."""
        message = self.choices[0].message
        content = message.content
        written = "".join(part.text for part in content) if isinstance(content, list) else content
        return written or message.refusal or ""

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls in order, those with broken arguments included."""
        return tuple(tool_call(call.function) for call in self.choices[0].message.tool_calls or ())

    @property
    def finish(self) -> Finish:
        """How the reply ended; a refusal is a filter's doing whatever the server calls it."""
        choice = self.choices[0]
        if choice.message.refusal:
            return "content_filter"
        named = FINISHES.get(choice.finish_reason or "", "stop")
        return ("tool_calls" if choice.message.tool_calls else "stop") if named in ("stop", "tool_calls") else named

    @property
    def counted(self) -> Usage | None:
        """The server's count, None when it gave none or an impossible one."""
        try:
            usage = WireUsage.model_validate(self.usage)
        except ValidationError:
            return None
        return Usage(usage.prompt_tokens, usage.completion_tokens)


def completion(body: str) -> Completion:
    """Return the completion that a response body holds; raises UnusableBody, quoting its beginning."""
    try:
        found = Completion.model_validate(read_json(body))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "body"
        raise UnusableBody(f"no chat completion ({place}: {first['msg']}): {body[:200]!r}") from None
    except ValueError as error:
        raise UnusableBody(f"no JSON ({error}): {body[:200]!r}") from None
    if not found.choices or found.choices[0].finish_reason in BROKEN_FINISHES:
        raise UnusableBody(f"a completion without a reply: {body[:200]!r}")
    return found


def listed_models(body: str) -> list[str]:
    """Return the names in a list of models, none when the body is no such list."""
    try:
        return [str(model["id"]) for model in read_json(body)["data"]]
    except (ValueError, TypeError, KeyError):
        return []


def tool_call(function: WireFunction) -> ToolCall:
    """Return a call with its arguments read; one that is not as it should be is the reader's to refuse."""
    given = function.arguments
    raw = given or "" if isinstance(given, str | None) else json.dumps(given, ensure_ascii=False)
    return ToolCall(function.name or "", read_object(raw), raw)


def request_fields(request: ChatRequest, sampling: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is sent beside model and messages; a setting that is None is not sent."""
    fields = {name: value for name, value in sampling.items() if value is not None}
    if "seed" in fields:
        # With one seed, every sample of a request would be the same draw.
        fields["seed"] += request.sample
    tool_choice = fields.pop("tool_choice", None)
    if request.tools:
        fields["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
            }
            for tool in request.tools
        ]
        fields["tool_choice"] = tool_choice
    if request.schema is not None:
        schema = {"name": request.schema.get("title", "reply"), "schema": request.schema, "strict": True}
        fields["response_format"] = {"type": "json_schema", "json_schema": schema}
    return fields


def request_body(model: str, request: ChatRequest, sampling: Mapping[str, Any]) -> dict[str, Any]:
    """Return all that is sent."""
    return {"model": model, "messages": request_messages(request), **request_fields(request, sampling)}


def request_messages(request: ChatRequest) -> list[dict[str, str]]:
    """Return the messages as they are sent; half a surrogate pair cannot be."""
    return [{"role": message.role, "content": without_lone_surrogates(message.content)} for message in request.messages]
