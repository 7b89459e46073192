import hashlib
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from memlab.datasets.dataset import DatasetError
from memlab.datasets.download import LOCOMO_URL, download_locomo

CONTENT = b"[" + b" " * 300_000 + b"]"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves CONTENT under /good, half of it under /cut, other bytes under /other, and counts the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.paths: list[str] = []

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        if self.path == "/lost":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        body = {"/good": CONTENT, "/cut": CONTENT[:150_000], "/other": CONTENT[::-1]}[self.path]
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def refused(folder: Path, url: str) -> str:
    with pytest.raises(DatasetError) as caught:
        download_locomo(folder, announce=lambda text: None, url=url, sha256=SHA256)
    return str(caught.value)


def test_good_file_is_put_in_place_with_its_licence_announced(server: Server, tmp_path: Path) -> None:
    said: list[str] = []
    folder = tmp_path / "new" / "data"
    path = download_locomo(folder, announce=said.append, url=server.url("/good"), sha256=SHA256)
    assert path == folder / "locomo10.json"
    assert path.read_bytes() == CONTENT
    assert list(folder.iterdir()) == [path]
    assert server.url("/good") in said[0]
    assert "CC BY-NC 4.0" in said[-1]


def test_file_that_is_there_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    (tmp_path / "locomo10.json").write_bytes(CONTENT)
    said: list[str] = []
    path = download_locomo(tmp_path, announce=said.append, url=server.url("/good"), sha256=SHA256)
    assert path.read_bytes() == CONTENT
    assert server.paths == []
    assert "there already" in said[0]
    assert "CC BY-NC 4.0" in said[0]


def test_other_file_of_that_name_is_never_overwritten(server: Server, tmp_path: Path) -> None:
    (tmp_path / "locomo10.json").write_bytes(b"[1]")
    message = refused(tmp_path, server.url("/good"))
    assert "move it away" in message
    assert hashlib.sha256(b"[1]").hexdigest() in message
    assert (tmp_path / "locomo10.json").read_bytes() == b"[1]"
    assert server.paths == []


def test_wrong_hash_is_refused_and_nothing_is_kept(server: Server, tmp_path: Path) -> None:
    message = refused(tmp_path, server.url("/other"))
    assert SHA256 in message
    assert hashlib.sha256(CONTENT[::-1]).hexdigest() in message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("path", "reason"), [("/lost", "404"), ("/cut", "150000 bytes read, 150002 more expected")])
def test_failed_fetch_says_why_and_how_to_do_it_by_hand(server: Server, tmp_path: Path, path: str, reason: str) -> None:
    message = refused(tmp_path, server.url(path))
    assert reason in message
    assert f"fetch {server.url(path)} by hand to {tmp_path / 'locomo10.json'}" in message
    assert list(tmp_path.iterdir()) == []


def test_no_network_says_so_with_the_remedy(server: Server, tmp_path: Path) -> None:
    url = server.url("/good").replace(str(server.server_port), "1")
    message = refused(tmp_path, url)
    assert "cannot be fetched" in message
    assert f"fetch {url} by hand to {tmp_path / 'locomo10.json'}" in message
    assert list(tmp_path.iterdir()) == []


def test_folder_that_cannot_be_made_is_refused_before_anything_is_fetched(server: Server, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    assert "cannot be written" in refused(tmp_path / "data", server.url("/good"))
    assert server.paths == []


def test_failed_write_leaves_nothing_behind(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert "No space left on device" in refused(tmp_path, server.url("/good"))
    assert list(tmp_path.iterdir()) == []


def test_official_url_is_pinned_to_a_commit() -> None:
    assert re.fullmatch(
        r"https://raw\.githubusercontent\.com/snap-research/locomo/[0-9a-f]{40}/data/locomo10\.json", LOCOMO_URL
    )
