import threading
from collections.abc import Iterator

import pytest

from tests.llm.lying_server import KEY, Server


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


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memlab.llm.retry.FIRST_PAUSE", 0.001)
