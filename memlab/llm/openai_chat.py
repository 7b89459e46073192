"""Chat with any server that speaks OpenAI's chat completions."""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from memlab.llm.chat import ChatFailed, ChatMisconfigured, ChatModel, ChatRequest, Reply, whole
from memlab.llm.openai_wire import Completion, UnusableBody, completion, listed_models, request_body
from memlab.llm.request_tokens import estimated_usage
from memlab.llm.retry import MayPass, asked_pause, retried

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

FILTER_CODES = ("content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation")
HIDDEN_FROM_LENGTH = 8
"""Keys shorter than this are placeholders for servers that ask for none, and words of ordinary text."""
LISTING_SECONDS = 30.0
"""A server lists its models at once, or not at all."""


class KeyRefused(ChatMisconfigured):
    """The server does not take the key, or asks for one and was given none."""


class NoConnection(MayPass):
    """The server could not be reached, or did not answer in time."""


@dataclass(slots=True)
class Connection:
    """A client and the free places, both of one event loop; when it is stopping, nothing more is sent."""

    loop: asyncio.AbstractEventLoop
    client: "AsyncOpenAI"
    places: asyncio.Semaphore
    closing: AsyncGenerator[None, None]
    stopping: bool = False


class OpenAIChat(ChatModel):
    """Asks a server, `requests_at_once` at a time, and retries what may pass (429, 5xx, lost connections, timeouts).

    Settings that are None are not sent. `timeout_seconds` bounds a whole attempt. The key stays in the environment
    variable `api_key_env` and is read when the first request of an event loop is sent; None is a server without keys.
    `known_as` stands for `base_url` where replies are kept: for a server that moves between hosts and ports.
    Sample n of a request is drawn with seed + n. `extra_body` is added to every request, and overrides.
    """

    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        known_as: str | None,
        api_key_env: str | None,
        temperature: float | None,
        top_p: float | None,
        max_completion_tokens: int | None,
        seed: int | None,
        tool_choice: Literal["auto", "required"],
        max_retries: int,
        timeout_seconds: float,
        requests_at_once: int,
        extra_body: Mapping[str, Any] | None,
    ) -> None:
        if requests_at_once < 1:
            raise ValueError(f"requests_at_once is {requests_at_once}; it must be at least 1")
        if max_retries < 0:
            raise ValueError(f"max_retries is {max_retries}; it must be at least 0")
        if timeout_seconds <= 0:
            raise ValueError(f"timeout_seconds is {timeout_seconds}; it must be more than 0")
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"base_url is {base_url!r}; it must start with http:// or https://")
        if "@" in base_url:
            # The address is in records and messages, so this one is not shown here either.
            raise ValueError("base_url holds a user or password; put the key in the variable that api_key_env names")
        self.model = model
        self._sampling = {
            "temperature": temperature,
            "top_p": top_p,
            "max_completion_tokens": max_completion_tokens,
            "seed": seed,
            "tool_choice": tool_choice,
            **(extra_body or {}),
        }
        self.identity = {"model": model, "base_url": known_as or base_url, **self._sampling}
        self._base_url = base_url
        self._api_key_env = api_key_env
        self._max_retries = max_retries
        self._timeout_seconds = timeout_seconds
        self.at_once: int = requests_at_once
        self._connection: Connection | None = None

    async def chat(self, request: ChatRequest) -> Reply:
        """Return the server's reply; raises ChatFailed for this request alone, ChatMisconfigured for all of them."""
        connection = await self._connected()

        async def attempt() -> Completion:
            return await self._attempt(connection.client, request)

        # The place is kept during pauses: while a server limits its rate, fewer requests is what it asks for.
        async with connection.places:
            if connection.stopping:
                raise ChatFailed("retries_exhausted", "the run is stopping, so this request was not sent")
            attempted = await retried(attempt, self._max_retries)
        found = attempted.value
        reply = Reply(
            text=found.text,
            tool_calls=found.tool_calls,
            finish=found.finish,
            usage=found.counted or estimated_usage(request, found.text, found.tool_calls),
            seconds=attempted.seconds,
            retry_seconds=attempted.retry_seconds,
            requests=attempted.requests,
        )
        return whole(reply, self.model)

    def stop_sending(self) -> None:
        """Send no more requests in this event loop."""
        if self._connection is not None:
            self._connection.stopping = True

    async def models(self) -> list[str]:
        """Return the names of the server's models, none when it does not tell them.

        Raises ChatFailed when the server cannot be reached, KeyRefused when it does not take the key.
        """
        client = (await self._connected()).client
        listing = client.get("/models", cast_to=str)
        try:
            return listed_models(await self._answered(listing, min(LISTING_SECONDS, self._timeout_seconds)))
        except NoConnection as failure:
            raise ChatFailed("retries_exhausted", str(failure), requests=1) from None
        except KeyRefused:
            raise
        except (MayPass, ChatFailed, ChatMisconfigured):
            return []

    def missing(self) -> list[str]:
        """Return the SDK when it is not installed and the key when it is named but not set."""
        faults = []
        if find_spec("openai") is None:
            faults.append(f"the chat model {self.model} needs the package openai; pip install openai")
        if self._api_key_env and not os.environ.get(self._api_key_env):
            faults.append(self._no_key())
        return faults

    async def _connected(self) -> Connection:
        """Return the connection of the running event loop, closed when the loop shuts down."""
        from openai import AsyncOpenAI

        loop = asyncio.get_running_loop()
        if self._connection is None or self._connection.loop is not loop:
            client = AsyncOpenAI(
                # Never None: the SDK would take OPENAI_API_KEY, and send it to a server that it is not for.
                api_key=self._key() or "none",
                base_url=self._base_url,
                max_retries=0,
                timeout=None,
            )
            places = asyncio.Semaphore(self.at_once)
            self._connection = Connection(loop, client, places, closed_with_its_loop(client))
            await anext(self._connection.closing)
        return self._connection

    async def _attempt(self, client: "AsyncOpenAI", request: ChatRequest) -> Completion:
        """Return what one request gives; raises MayPass, ChatFailed or ChatMisconfigured, none of which has the key."""
        answered = self._answered(
            # Not chat.completions.create: it walks every body against its types, which takes as long as all the rest.
            client.post("/chat/completions", cast_to=str, body=request_body(self.model, request, self._sampling)),
            self._timeout_seconds,
        )
        try:
            return completion(await answered)
        except UnusableBody as error:
            raise MayPass(self._without_key(f"{self._base_url} answered with {error}")) from None

    async def _answered(self, asked: Awaitable[str], seconds: float) -> str:
        """Return the body that a request gives; raises what a failed attempt is, without the key."""
        from openai import APIConnectionError, APIStatusError

        try:
            async with asyncio.timeout(seconds):
                return await asked
        except TimeoutError:
            raise NoConnection(f"{self._base_url} did not answer in {seconds:g} s") from None
        except APIConnectionError as error:
            cause = repr(error.__cause__ or error)
            raise NoConnection(self._without_key(f"no connection to {self._base_url} ({cause})")) from None
        except APIStatusError as error:
            raise self._refusal(error) from None

    def _refusal(self, error: "APIStatusError") -> Exception:
        """Return the exception that a status of 4xx or 5xx is."""
        status = error.status_code
        said = self._without_key(f"{self._base_url} answered {status} to model {self.model!r}: {error.message[:500]}")
        if status == 401:
            remedy = (
                f"set another in {self._api_key_env}" if self._api_key_env else "name its variable: llm.api_key_env"
            )
            return KeyRefused(f"{said}; the key is missing or wrong: {remedy}, or check llm.base_url")
        if status in (403, 404):
            key = self._api_key_env or "llm.api_key_env"
            return ChatMisconfigured(f"{said}; check {key}, llm.base_url and llm.model")
        if error.code == "insufficient_quota":
            return ChatMisconfigured(f"{said}; the account behind {self._api_key_env} has no credit left")
        if status in (408, 409, 425, 429) or status >= 500:
            return MayPass(said, asked_pause(error.response.headers))
        if error.code in FILTER_CODES:
            return ChatFailed("refused", said, requests=1)
        return ChatFailed("rejected", said, requests=1)

    def _key(self) -> str | None:
        if self._api_key_env is None:
            return None
        if key := os.environ.get(self._api_key_env):
            return key
        raise ChatMisconfigured(self._no_key())

    def _no_key(self) -> str:
        return (
            f"the chat model {self.model} needs {self._api_key_env} for {self._base_url}; set it, "
            "or llm.api_key_env=null for a server that asks for none"
        )

    def _without_key(self, text: str) -> str:
        """Return a server's words without the key, which some repeat."""
        key = os.environ.get(self._api_key_env or "", "")
        return text.replace(key, "***") if len(key) >= HIDDEN_FROM_LENGTH else text


async def closed_with_its_loop(client: "AsyncOpenAI") -> AsyncGenerator[None, None]:
    """Keep a client open until the event loop ends its generators: its connections can be closed in no other loop."""
    async with client:
        yield
