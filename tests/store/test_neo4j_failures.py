"""What only a graph behind a wire can do: be away, refuse, fall silent, and lose an acknowledgement."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import TypeVar

import pytest

from memlab.part import PartFailed
from memlab.testing.graphs import day, edge, put_nodes
from tests.store.bolt import NAME, PASSWORD, PASSWORD_ENV, ArcadeServer, Bolt, asked

pytestmark = pytest.mark.xdist_group("bolt")

Found = TypeVar("Found")

COMMIT = bytes.fromhex("0002b0120000")
"""The message in Bolt: a chunk of two bytes, a structure of no fields, its tag; and the end of a message."""


@pytest.fixture
def mortal(arcade: ArcadeServer) -> Iterator[ArcadeServer]:
    """A running server that a test may kill."""
    yield arcade
    if arcade.process is None:
        arcade.start()


async def test_no_server_is_named_with_the_remedy(nowhere: Bolt) -> None:
    graph = nowhere.graph(timeout_seconds=1.0)
    with pytest.raises(PartFailed) as failure:
        await graph.open(NAME)
    assert nowhere.uri in str(failure.value)
    assert "check that a server runs at store.graph.uri, or use graph@store.graph=networkx" in str(failure.value)
    assert PASSWORD not in str(failure.value)


async def test_a_password_that_is_not_set_is_named(nowhere: Bolt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PASSWORD_ENV)
    with pytest.raises(PartFailed, match=f"needs {PASSWORD_ENV} for {nowhere.uri}; set it"):
        await nowhere.graph().open(NAME)


async def test_a_server_that_never_answers_is_given_up(nowhere: Bolt) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        uri = f"bolt://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(PartFailed, match=uri):
            await nowhere.graph(uri=uri, timeout_seconds=1.0).open(NAME)
        assert time.monotonic() - began < 5


async def test_a_wrong_password_is_named_without_saying_it(bolt: Bolt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WRONG_PASSWORD", "not-the-password")
    with pytest.raises(PartFailed, match=f"{bolt.uri} refused user '{bolt.user}'") as failure:
        await bolt.graph(password_env="WRONG_PASSWORD").open(NAME)
    assert "check store.graph.user and WRONG_PASSWORD" in str(failure.value)
    assert "not-the-password" not in str(failure.value)


async def test_a_database_that_is_not_there_is_named(bolt: Bolt) -> None:
    with pytest.raises(PartFailed, match=r"no database 'nosuch'.*check store.graph.database"):
        await bolt.graph(database="nosuch").open(NAME)


async def test_a_server_killed_between_write_and_read_loses_nothing(mortal: ArcadeServer) -> None:
    hasty, patient = mortal.bolt.graph(timeout_seconds=2.0), mortal.bolt.graph(timeout_seconds=90.0)
    for number, graph in enumerate((hasty, patient)):
        await in_time(lambda graph=graph, number=number: graph.open(f"{NAME}-{number}"))  # type: ignore[misc]
        put_nodes(graph, 3)
        graph.put_edge(edge(0, 0, 1))
        assert await in_time(lambda graph=graph: graph.leaving(0)) == [0]  # type: ignore[misc]
        graph.put_edge(edge(1, 0, 2))
    mortal.kill()
    with pytest.raises(PartFailed, match=f"{mortal.bolt.uri} .*; 1 writes are kept; .*check that a server runs"):
        await hasty.leaving(0)
    hasty.end_edge(0, 0, day(1))
    with pytest.raises(PartFailed, match="2 writes are kept"):
        await hasty.close()
    _, found = await asyncio.gather(asyncio.to_thread(mortal.start), patient.leaving(0))
    assert found == [0, 1], "the read that waited for the server missed something"
    assert await in_time(lambda: hasty.around([0], 1, past=True)) == [0, 1], "a write from before the outage is lost"
    assert await in_time(lambda: hasty.leaving(0)) == [1], "a write from during the outage is lost"
    await asyncio.gather(hasty.close(), patient.close())


async def in_time(read: Callable[[], Awaitable[Found]]) -> Found:
    """Return what a graph finds, which gives up soon, on a server that has just started and is slow at first."""
    for _ in range(20):
        with suppress(PartFailed):
            return await read()
    return await read()


class Proxy:
    """Passes everything on, but drops the answers to the next `lost` commits, and the connections with them."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.lost = 0
        self.commits = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, out = await asyncio.open_connection("127.0.0.1", self.port)
        back = asyncio.create_task(self.passed_on(there, writer))
        while data := await reader.read(65536):
            out.write(data)
            if data.endswith(COMMIT):
                self.commits += 1
                if self.lost:
                    self.lost -= 1
                    back.cancel()
                    await asyncio.sleep(0.3)  # the server commits, and its answer stays here
                    break
        back.cancel()
        out.close()
        writer.close()

    async def passed_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)


async def test_a_commit_whose_acknowledgement_is_lost_is_repeated_safely(arcade: ArcadeServer) -> None:
    proxy = Proxy(arcade.bolt_port)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", 0) as server:
        graph = arcade.bolt.graph(uri=f"bolt://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        await graph.open(NAME)
        put_nodes(graph, 3)
        graph.put_edge(edge(0, 0, 1))
        graph.put_edge(edge(1, 0, 2))
        graph.end_edge(1, 0, day(1))
        proxy.lost = 1
        with pytest.raises(PartFailed, match="6 writes are kept"):
            await graph.leaving(0)
        assert proxy.lost == 0, "no acknowledgement was lost"
        counts = "MATCH (n:Entity {space: $name}) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n), count(r)"
        assert await asked(arcade.bolt, counts, name=NAME) == [[3, 2]], "it was not committed, so this tests nothing"
        graph.end_edge(0, 0, day(2))
        assert await graph.leaving(0) == []
        assert await graph.as_of(day(1)) == [(0, 0)]
        assert await asked(arcade.bolt, counts, name=NAME) == [[3, 2]], "something is there twice"
        await graph.close()
