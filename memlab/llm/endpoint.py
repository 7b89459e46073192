"""A server under examination: asked few times, without a cache, and what it takes is counted."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from memlab.llm.chat import ChatFailed, ChatMisconfigured, ChatRequest, Reply
from memlab.llm.openai_chat import OpenAIChat

RETRIES = 2
REPLY_TOKENS = 512
"""Enough for a model that thinks before it answers, little for one that finds no end."""
GRACE_SECONDS = 0.2
"""Less than the pause before a retry: a request that timed out is not sent again."""

Asked = Reply | ChatFailed | ChatMisconfigured
"""What came of a request; a reply may be cut off."""


class Endpoint:
    """The server that the settings of an OpenAIChat name, asked with few retries and no cache; it counts what it takes.

    `build` makes the model of some settings.
    """

    def __init__(self, settings: Mapping[str, Any], build: Callable[[Mapping[str, Any]], OpenAIChat]) -> None:
        self.settings = {**settings, "max_retries": min(settings["max_retries"], RETRIES)}
        self.overrides = ""
        """Overrides without which it refuses plain chat."""
        self.requests = self.prompt_tokens = self.completion_tokens = 0
        self._build = build
        self._built: dict[str, OpenAIChat] = {}

    async def ask(self, request: ChatRequest, most_tokens: int = REPLY_TOKENS, **changes: Any) -> Asked:
        """Return what comes of a request, with some settings changed, within the llm's timeout."""
        settings = limited({**self.settings, **changes}, most_tokens)
        seconds = settings["timeout_seconds"]
        try:
            async with asyncio.timeout(seconds + GRACE_SECONDS):
                return self._counted(await self._model(settings).chat(request))
        except TimeoutError:
            self.requests += 1
            return ChatFailed("retries_exhausted", f"{settings['base_url']} did not answer in {seconds:g} s")
        except ChatMisconfigured as failure:
            self.requests += 1
            return failure
        except ChatFailed as failure:
            if failure.reply is not None and failure.reason == "truncated":
                return self._counted(failure.reply)
            self.requests += failure.requests
            return failure

    async def models(self) -> list[str]:
        """Return the models that it lists; raises ChatFailed and KeyRefused as OpenAIChat does."""
        return await self._model(limited(self.settings, REPLY_TOKENS)).models()

    def _model(self, settings: Mapping[str, Any]) -> OpenAIChat:
        # Each holds a client and its connections, so there is one for the same settings.
        key = repr(settings)
        if key not in self._built:
            self._built[key] = self._build(settings)
        return self._built[key]

    def _counted(self, reply: Reply) -> Reply:
        self.requests += reply.requests
        self.prompt_tokens += reply.usage.prompt_tokens
        self.completion_tokens += reply.usage.completion_tokens
        return reply


def limited(settings: Mapping[str, Any], most_tokens: int) -> dict[str, Any]:
    """Return settings for shorter replies, the limit under the name that the server knows."""
    if (own := settings["max_completion_tokens"]) is not None:
        return {**settings, "max_completion_tokens": min(own, most_tokens)}
    extra = settings["extra_body"] or {}
    if "max_tokens" not in extra:
        return dict(settings)
    return {**settings, "extra_body": {**extra, "max_tokens": min(extra["max_tokens"], most_tokens)}}


def adaptations(settings: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield changes for servers that refuse a setting, as overrides and as settings."""
    sent = [name for name in ("temperature", "seed", "top_p") if settings[name] is not None]
    for names in (*((name,) for name in sent), *([tuple(sent)] if len(sent) > 1 else [])):
        yield " ".join(f"llm.{name}=null" for name in names), dict.fromkeys(names)
    if (most := settings["max_completion_tokens"]) is not None:
        extra = {**(settings["extra_body"] or {}), "max_tokens": most}
        words = f"llm.max_completion_tokens=null +llm.extra_body.max_tokens={most}"
        yield words, {"max_completion_tokens": None, "extra_body": extra}
