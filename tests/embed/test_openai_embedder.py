import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Any

import numpy as np
import pytest

from memlab.embed.hashed import Hashed
from memlab.embed.openai_embedder import OpenAIEmbedder
from memlab.part import PartFailed

KEY = "sk-secret-of-the-test"
DIMENSION = 8

Reply = tuple[int, dict[str, str], Any]
Behaviour = Callable[[dict[str, Any]], Reply]


class Server:
    """A loopback embeddings server that behaves as told and remembers what it was sent."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.behave: Behaviour = lambda body: (200, {}, good(body))
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append(body)
                server.headers.append({name.lower(): value for name, value in self.headers.items()})
                server.paths.append(self.path)
                status, headers, content = server.behave(body)
                data = json.dumps(content).encode()
                self.send_response(status)
                for name, value in {
                    **headers,
                    "Content-Type": "application/json",
                    "Content-Length": str(len(data)),
                }.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"


def vector(text: str, dimension: int = DIMENSION) -> list[float]:
    """A vector of length 3, so that a client that does not normalise is seen."""
    row = asyncio.run(Hashed(DIMENSION).embed([text]))[0]
    return [3 * float(x) for x in np.resize(row, dimension)]


def good(body: dict[str, Any], dimension: int = DIMENSION) -> dict[str, Any]:
    data = [
        {"object": "embedding", "index": index, "embedding": vector(text, dimension)}
        for index, text in enumerate(body["input"])
    ]
    return {"object": "list", "data": data, "model": body["model"], "usage": {"prompt_tokens": 5, "total_tokens": 5}}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.http.shutdown()
    server.http.server_close()
    thread.join()


def openai(model: str, dimension: int, base_url: str | None = None, **settings: Any) -> OpenAIEmbedder:
    usual: dict[str, Any] = {
        "shorten": False,
        "api_key_env": "OPENAI_API_KEY",
        "batch": 256,
        "requests_at_once": 4,
        "max_retries": 5,
        "timeout_seconds": 60.0,
    }
    return OpenAIEmbedder(model=model, dimension=dimension, base_url=base_url, **{**usual, **settings})


def embedder(server: Server, **settings: Any) -> OpenAIEmbedder:
    return openai("text-embedding-3-small", DIMENSION, server.url, **settings)


async def expected(texts: list[str]) -> np.ndarray:
    return await Hashed(DIMENSION).embed(texts)


async def test_unit_rows_come_back_in_order_over_batches(server: Server) -> None:
    texts = [f"text {number}" for number in range(7)]
    client = embedder(server, batch=3)
    vectors = await client.embed(texts)
    np.testing.assert_allclose(vectors, await expected(texts), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert (vectors.shape, vectors.dtype) == ((7, DIMENSION), np.float32)
    assert sorted(request["input"] for request in server.requests) == [texts[:3], texts[3:6], texts[6:]]
    assert client.tokens == 15


async def test_what_is_sent_is_model_texts_and_plain_floats(server: Server) -> None:
    await embedder(server).embed(["one", "two"])
    assert server.requests == [{"model": "text-embedding-3-small", "input": ["one", "two"], "encoding_format": "float"}]
    assert server.paths == ["/v1/embeddings"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


async def test_shorten_asks_the_server_for_the_dimension(server: Server) -> None:
    await embedder(server, shorten=True).embed(["one"])
    assert server.requests[0]["dimensions"] == DIMENSION


async def test_rows_that_come_in_another_order_are_put_right(server: Server) -> None:
    def shuffled(body: dict[str, Any]) -> Reply:
        reply = good(body)
        reply["data"] = reply["data"][1:] + reply["data"][:1]
        return 200, {}, reply

    server.behave = shuffled
    texts = ["one", "two", "three"]
    np.testing.assert_allclose(await embedder(server).embed(texts), await expected(texts), atol=1e-6)


async def test_another_dimension_is_refused_with_both_numbers_and_the_remedy(server: Server) -> None:
    server.behave = lambda body: (200, {}, good(body, dimension=12))
    with pytest.raises(ValueError, match=r"dimension 12, but embedder.dimension is 8; set embedder.dimension=12"):
        await embedder(server).embed(["one"])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.pop(),
        lambda data: data[0].update(index=1),
        lambda data: data[0].update(embedding=[0.0] * DIMENSION),
    ],
    ids=["fewer rows", "an index twice", "a zero vector"],
)
async def test_a_reply_without_a_vector_for_each_text_fails_the_unit(
    server: Server, spoil: Callable[[list[dict[str, Any]]], object]
) -> None:
    def spoilt(body: dict[str, Any]) -> Reply:
        reply = good(body)
        spoil(reply["data"])
        return 200, {}, reply

    server.behave = spoilt
    with pytest.raises(PartFailed, match="text-embedding-3-small"):
        await embedder(server).embed(["one", "two"])


async def test_a_rate_limit_is_waited_for_as_long_as_the_server_says_and_counted(server: Server) -> None:
    times: list[float] = []

    def limited(body: dict[str, Any]) -> Reply:
        times.append(monotonic())
        if len(times) == 1:
            return 429, {"Retry-After": "1"}, {"error": {"message": "slow down"}}
        return 200, {}, good(body)

    server.behave = limited
    client = embedder(server)
    np.testing.assert_allclose(await client.embed(["one"]), await expected(["one"]), atol=1e-6)
    assert times[1] - times[0] >= 0.99
    assert client.retries == 1


async def test_a_server_that_stays_down_fails_the_unit_after_the_allowed_retries(server: Server) -> None:
    server.behave = lambda body: (500, {"retry-after-ms": "1"}, {"error": {"message": "out of order"}})
    with pytest.raises(PartFailed, match=r"127\.0\.0\.1.* no vectors for 2 texts, after up to 2 retries.*out of order"):
        await embedder(server, max_retries=2).embed(["one", "two"])
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [401, 403, 404])
async def test_a_refusal_says_which_settings_to_check_and_is_not_retried(server: Server, status: int) -> None:
    server.behave = lambda body: (status, {}, {"error": {"message": "no"}})
    with pytest.raises(ValueError, match=r"check OPENAI_API_KEY, embedder.base_url and embedder.model"):
        await embedder(server).embed(["one"])
    assert len(server.requests) == 1


async def test_a_server_that_leaves_usage_out_is_understood(server: Server) -> None:
    server.behave = lambda body: (200, {}, {"data": good(body)["data"]})
    client = embedder(server)
    np.testing.assert_allclose(await client.embed(["one"]), await expected(["one"]), atol=1e-6)
    assert client.tokens == 0


async def test_texts_that_cannot_be_sent_are_made_sendable(server: Server) -> None:
    assert (await embedder(server).embed(["", "half \ud800", "Ünïcode 🙂"])).shape == (3, DIMENSION)
    assert server.requests[0]["input"] == [" ", "half ?", "Ünïcode 🙂"]


async def test_no_texts_are_no_request(server: Server) -> None:
    assert (await embedder(server).embed([])).shape == (0, DIMENSION)
    assert server.requests == []


def test_missing_names_the_unset_key_and_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert openai("m", 8).missing() == ["embedder=openai needs OPENAI_API_KEY; set it or use embedder=minilm"]
    monkeypatch.setenv("OTHER_KEY", "x")
    assert openai("m", 8, api_key_env="OTHER_KEY").missing() == []


async def test_an_unset_key_is_reported_at_use_too(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    client = embedder(server)
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ValueError, match="embedder=openai needs OPENAI_API_KEY"):
        await client.embed(["one"])


async def test_the_key_is_never_kept(server: Server) -> None:
    client = embedder(server)
    await client.embed(["one"])
    assert KEY not in repr(client) + repr(vars(client))


def test_the_name_tells_model_dimension_and_server_apart() -> None:
    names = {
        openai(model, dimension, url).name
        for model in ("a", "b")
        for dimension in (8, 16)
        for url in (None, "http://127.0.0.1:1/v1")
    }
    assert len(names) == 8
