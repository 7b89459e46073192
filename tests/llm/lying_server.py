"""A loopback chat server that behaves as told, and remembers what it was sent."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from typing import Any

from memlab.llm.chat import ChatRequest, Message, Tool
from memlab.llm.openai_chat import OpenAIChat

KEY = "sk-secret-of-the-test"

ADD = Tool("ADD", "Keep a fact.", {"type": "object", "properties": {"text": {"type": "string"}}})
SCHEMA = {"title": "facts", "type": "object", "properties": {"facts": {"type": "array", "items": {"type": "string"}}}}


@dataclass
class Answer:
    """What the server does with one request; `cut` closes the connection after so many bytes of the body."""

    content: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: int | None = None

    @property
    def data(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else json.dumps(self.content).encode()


Behaviour = Callable[[dict[str, Any]], Answer]


class Backlogged(ThreadingHTTPServer):
    request_queue_size = 256  # clients connect all at once; a full queue would cut them off
    daemon_threads = True
    block_on_close = False


class Server:
    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.ports: list[int] = []
        self.most_at_once = 0
        self.behave: Behaviour = lambda body: good()
        self.listing = failing(404)
        """What a request for the list of models gets."""
        self._now = 0
        self._lock = threading.Lock()
        self.http = Backlogged(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"

    def script(self, *answers: Answer) -> None:
        """Give these answers in turn, the last of them for ever."""
        left = list(answers)
        self.behave = lambda body: left.pop(0) if len(left) > 1 else left[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # headers and body are two packets; the second must not wait 40 ms

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with server._lock:
                    server.requests.append(body)
                    server.headers.append({name.lower(): value for name, value in self.headers.items()})
                    server.paths.append(self.path)
                    server.ports.append(self.client_address[1])
                    answer = server.behave(body)
                    server._now += 1
                    server.most_at_once = max(server.most_at_once, server._now)
                sleep(answer.delay)
                with server._lock:
                    server._now -= 1
                try:
                    self._send(answer)
                except OSError:
                    self.close_connection = True

            def do_GET(self) -> None:
                with server._lock:
                    server.paths.append(self.path)
                self._send(server.listing)

            def _send(self, answer: Answer) -> None:
                self.send_response(answer.status)
                headers = {
                    "Content-Type": "application/json",
                    "Content-Length": str(len(answer.data)),
                    **answer.headers,
                }
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.data[: answer.cut])
                self.close_connection = answer.cut is not None

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        return Handler


@contextmanager
def serving() -> Iterator[Server]:
    """A server that answers while the context is open."""
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.http.shutdown()
        server.http.server_close()
        thread.join()


def good(text: str | None = "Paris.", **answer: Any) -> Answer:
    return Answer(completion({"role": "assistant", "content": text}), **answer)


def calls(*functions: dict[str, Any], content: str | None = None) -> Answer:
    made = [{"id": f"call_{n}", "type": "function", "function": function} for n, function in enumerate(functions)]
    return Answer(completion({"role": "assistant", "content": content, "tool_calls": made}, "tool_calls"))


def completion(message: dict[str, Any], finish: str | None = "stop") -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15},
    }


def models(*names: str) -> Answer:
    return Answer({"object": "list", "data": [{"id": name, "object": "model"} for name in names]})


def failing(status: int, message: str = "no", code: str | None = None, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer({"error": {"message": message, "code": code}}, status, named)


def quick(status: int) -> Answer:
    """A failure that asks for a pause of a millisecond."""
    return failing(status, "busy", retry_after_ms="1")


def ask(text: str = "Capital of France?", **fields: Any) -> ChatRequest:
    return ChatRequest((Message("system", "Be brief."), Message("user", text)), **fields)


def chat(url: str, **settings: Any) -> OpenAIChat:
    usual: dict[str, Any] = {
        "model": "small",
        "known_as": None,
        "api_key_env": "OPENAI_API_KEY",
        "temperature": 0.0,
        "top_p": None,
        "max_completion_tokens": 64,
        "seed": 7,
        "tool_choice": "auto",
        "max_retries": 3,
        "timeout_seconds": 10.0,
        "requests_at_once": 16,
        "extra_body": None,
    }
    return OpenAIChat(base_url=url, **{**usual, **settings})
