"""Vectors from any server that speaks OpenAI's embeddings endpoint."""

import asyncio
import os
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from memlab.embed.embedder import Embedder, Vectors
from memlab.part import PartFailed

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types import CreateEmbeddingResponse


class OpenAIEmbedder(Embedder):
    """Asks a server for vectors, `batch` texts a request, and normalises them.

    `base_url` None is api.openai.com. `shorten` asks the server to cut its vectors to `dimension`, which only some
    models can. The SDK retries what may pass (429, 5xx, lost connections), at most `max_retries` times a request and
    after the pause that the server names. The key stays in the environment and is read at each use.
    """

    def __init__(
        self,
        *,
        model: str,
        dimension: int,
        shorten: bool,
        base_url: str | None,
        api_key_env: str,
        batch: int,
        requests_at_once: int,
        max_retries: int,
        timeout_seconds: float,
    ) -> None:
        for setting, value in (("dimension", dimension), ("batch", batch), ("requests_at_once", requests_at_once)):
            if value < 1:
                raise ValueError(f"{setting} is {value}; it must be at least 1")
        self.name = f"{model}@{dimension}" + (f"@{base_url}" if base_url else "")
        self.dimension = dimension
        self.retries = 0
        """Requests sent again so far, by the server's or the network's fault."""
        self.tokens = 0
        """Tokens the server says it has read so far."""
        self._model = model
        self._base_url = base_url
        self._api_key_env = api_key_env
        self._batch = batch
        self._shorten = shorten
        self._max_retries = max_retries
        self._timeout_seconds = timeout_seconds
        self._requests_at_once = requests_at_once

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row a text; raises PartFailed when the server cannot, ValueError when a setting is wrong."""
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        from openai import AsyncOpenAI

        batches = [texts[start : start + self._batch] for start in range(0, len(texts), self._batch)]
        places = asyncio.Semaphore(self._requests_at_once)

        async def in_turn(client: "AsyncOpenAI", batch: Sequence[str]) -> Vectors:
            async with places:
                return self._vectors(await self._reply(client, batch), len(batch))

        # One client a call: a connection belongs to one event loop, and the key may have changed.
        async with AsyncOpenAI(
            api_key=self._key(),
            base_url=self._base_url,
            max_retries=self._max_retries,
            timeout=self._timeout_seconds,
        ) as client:
            return np.concatenate(await asyncio.gather(*(in_turn(client, batch) for batch in batches)))

    def missing(self) -> list[str]:
        """Return the SDK when it is not installed and the key when it is not set."""
        faults = []
        if find_spec("openai") is None:
            faults.append("embedder=openai needs the package openai; pip install openai")
        if not os.environ.get(self._api_key_env):
            faults.append(self._no_key())
        return faults

    def _key(self) -> str:
        if key := os.environ.get(self._api_key_env):
            return key
        raise ValueError(self._no_key())

    def _no_key(self) -> str:
        hint = "; any word will do for a server that asks for none" if self._base_url else ""
        return f"embedder=openai needs {self._api_key_env}; set it or use embedder=minilm{hint}"

    async def _reply(self, client: "AsyncOpenAI", batch: Sequence[str]) -> "CreateEmbeddingResponse":
        from openai import APIError, AuthenticationError, NotFoundError, PermissionDeniedError

        try:
            raw = await client.embeddings.with_raw_response.create(
                model=self._model,
                input=[sendable(text) for text in batch],
                encoding_format="float",  # base64, the SDK's own choice, is not understood by every server
                extra_body={"dimensions": self.dimension} if self._shorten else None,
            )
        except (AuthenticationError, PermissionDeniedError, NotFoundError) as error:
            raise ValueError(
                f"{client.base_url} refused model {self._model!r} ({error}); "
                f"check {self._api_key_env}, embedder.base_url and embedder.model"
            ) from error
        except APIError as error:
            raise PartFailed(
                f"{client.base_url} gave no vectors for {len(batch)} texts, after up to {self._max_retries} retries: "
                f"{error}"
            ) from error
        self.retries += raw.retries_taken
        return raw.parse()

    def _vectors(self, reply: "CreateEmbeddingResponse", wanted: int) -> Vectors:
        """Return a reply's vectors in the order of the texts; raises when they are not what was asked for."""
        self.tokens += reply.usage.total_tokens if reply.usage else 0
        data = sorted(reply.data, key=lambda item: item.index)
        if [item.index for item in data] != list(range(wanted)):
            raise PartFailed(f"{self.name} gave {len(data)} vectors for {wanted} texts, or not one for each")
        for item in data:
            if len(item.embedding) != self.dimension:
                raise ValueError(
                    f"{self._model} gives vectors of dimension {len(item.embedding)}, but embedder.dimension is "
                    f"{self.dimension}; set embedder.dimension={len(item.embedding)}"
                    + ("" if self._shorten else ", or embedder.shorten=true if the model can shorten them")
                )
        rows = np.array([item.embedding for item in data], np.float64)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise PartFailed(f"{self.name} gave a vector without a direction (zeros or no numbers)")
        unit: Vectors = (rows / lengths).astype(np.float32)
        return unit


def sendable(text: str) -> str:
    """Return a text as the endpoint takes it: half a surrogate pair cannot be sent, and an empty text is refused."""
    return text.encode("utf-8", "replace").decode() or " "
