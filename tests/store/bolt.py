"""Bolt servers for tests: ArcadeDB in a process of its own, and a true Neo4j when NEO4J_URI names one."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from memlab.store.neo4j_graph import Neo4jGraph

PASSWORD_ENV = "MEMLAB_TEST_BOLT_PASSWORD"
PASSWORD = "only-for-tests"
START_SECONDS = 60.0
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
"""To be part of every graph's name: workers may share a server."""
NAME = f"memlab-check-wire{WORKER}"
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Bolt:
    """Where a server is, and as whom to speak to it."""

    uri: str
    user: str
    password_env: str
    database: str | None

    def graph(self, **changes: Any) -> Neo4jGraph:
        """Return a graph on this server, with some settings changed."""
        settings = {**vars(self), "batch": 1000, "timeout_seconds": 30.0}
        return Neo4jGraph(**{**settings, **changes})


class ArcadeServer:
    """A server that can be killed, and started again over what it had written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bolt_port, self.http_port = free_ports()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def bolt(self) -> Bolt:
        return Bolt(f"bolt://127.0.0.1:{self.bolt_port}", "root", PASSWORD_ENV, "memlab")

    def start(self) -> None:
        """Start it, and wait until it can be used."""
        ready = self.folder / "ready"
        ready.unlink(missing_ok=True)
        program = Path(__file__).with_name("arcade_server.py")
        arguments = [str(self.folder), str(self.bolt_port), str(self.http_port), "memlab"]
        with (self.folder / "output.txt").open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, str(program), *arguments],
                cwd=self.folder,
                env={**os.environ, "BOLT_PASSWORD": PASSWORD},
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
            )
        until = time.monotonic() + START_SECONDS
        while not ready.exists():
            if self.process.poll() is not None or time.monotonic() > until:
                self.kill()
                said = (self.folder / "output.txt").read_text(errors="replace")[-3000:]
                raise RuntimeError(f"ArcadeDB did not start; it said:\n{said}")
            time.sleep(0.05)

    def kill(self) -> None:
        """End it as a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdin is not None
            self.process.stdin.close()
            self.process = None


def free_ports() -> tuple[int, int]:
    """Return two ports that are free on loopback."""
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


SERVERS = ["arcadedb", *(["neo4j"] if os.environ.get("NEO4J_URI") else [])]


@pytest.fixture(scope="session")
def arcade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArcadeServer]:
    """A running ArcadeDB, one for all tests of a worker."""
    for package in ("neo4j", "arcadedb_embedded"):
        if find_spec(package) is None:
            name = package.replace("_", "-")
            pytest.skip(f"a Bolt server needs the package {name}; pip install {name}")
    server = ArcadeServer(tmp_path_factory.mktemp("arcadedb"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PASSWORD_ENV, PASSWORD)
        server.start()
        yield server
        server.kill()


@pytest.fixture(scope="session")
def arcadedb(arcade: ArcadeServer) -> Bolt:
    """Where the running ArcadeDB is."""
    return arcade.bolt


@pytest.fixture(scope="session")
def neo4j() -> Bolt:
    """The server that NEO4J_URI names, asked once whether it is there."""
    from neo4j import GraphDatabase

    uri, user = os.environ["NEO4J_URI"], os.environ.get("NEO4J_USERNAME", "neo4j")
    if urlsplit(uri).hostname not in LOOPBACK:
        pytest.fail(f"tests reach loopback only, and NEO4J_URI is {uri}; forward a local port to it")
    with GraphDatabase.driver(uri, auth=(user, os.environ["NEO4J_PASSWORD"])) as driver:
        driver.verify_connectivity()
    return Bolt(uri, user, "NEO4J_PASSWORD", os.environ.get("NEO4J_DATABASE"))


@pytest.fixture(scope="session", params=SERVERS)
def bolt(request: pytest.FixtureRequest) -> Bolt:
    """A Bolt server: ArcadeDB, and a true Neo4j too when NEO4J_URI is set."""
    server: Bolt = request.getfixturevalue(request.param)
    return server


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> Bolt:
    """An address at which nothing listens."""
    monkeypatch.setenv(PASSWORD_ENV, PASSWORD)
    pytest.importorskip("neo4j", reason="needs the package neo4j")
    return Bolt(f"bolt://127.0.0.1:{free_ports()[0]}", "neo4j", PASSWORD_ENV, None)


@asynccontextmanager
async def opened(graph: Neo4jGraph, name: str = NAME) -> AsyncIterator[Neo4jGraph]:
    """Yield a graph that is open; leave nothing under its name."""
    await graph.open(name)
    try:
        yield graph
        await graph.open(name)
    finally:
        await graph.close()


async def asked(bolt: Bolt, query: str, **parameters: Any) -> list[list[Any]]:
    """Return what the official driver says of what lies on a server."""
    graph = bolt.graph()
    await graph.open(f"{NAME}-asks")
    try:
        found, _, _ = await graph._connected().execute_query(query, parameters, database_=bolt.database)
        return [record.values() for record in found]
    finally:
        await graph.close()
