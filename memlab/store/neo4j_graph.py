"""A graph kept by Neo4j (arXiv 2504.19413 section 2.2), or by another server that speaks Bolt and Cypher."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memlab.memory import Node
from memlab.part import PartFailed
from memlab.store import cypher
from memlab.store.cypher import End, Write
from memlab.store.property_graph import Edge, PropertyGraph

if TYPE_CHECKING:
    from neo4j import AsyncDriver, AsyncManagedTransaction

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
CONNECT_SECONDS = 5.0
NO_INDEX = ("Neo.ClientError.Statement.", "Neo.ClientError.Schema.", "Neo.ClientError.Security.Forbidden")
"""Codes of a server that has no such index, has it already, or lets this user make none: queries work all the same."""

Records = list[list[int]]


class Neo4jGraph(PropertyGraph):
    """Keeps one graph in a database that other graphs share, apart from them by its name.

    Writes are queued and sent in order, `batch` to a transaction, before the next read and when it is closed. What
    could not be sent stays queued, and is tried again then. `timeout_seconds` bounds a transaction with its retries.
    The password stays in the environment variable `password_env`; None is a server that asks for none.
    """

    def __init__(
        self, *, uri: str, user: str, password_env: str | None, database: str | None, batch: int, timeout_seconds: float
    ) -> None:
        if batch < 1:
            raise ValueError(f"batch is {batch}; it must be at least 1")
        if timeout_seconds <= 0:
            raise ValueError(f"timeout_seconds is {timeout_seconds}; it must be more than 0")
        if "@" in uri:
            # The address is in records and messages, so this one is not shown here either.
            raise ValueError("uri holds a user or password; use user, and the variable that password_env names")
        self._uri = uri
        self._user = user
        self._password_env = password_env
        self._database = database
        self._batch = batch
        self._timeout_seconds = timeout_seconds
        self._driver: AsyncDriver | None = None
        self._space: str | None = None
        self._queue: list[Write] = []
        self._sending = asyncio.Lock()
        self._places: dict[tuple[int, int], tuple[int, int]] = {}
        """Source and target of every edge."""

    def missing(self) -> list[str]:
        """Return what is wrong with the address, the package when it is not installed, the password when not set."""
        faults = []
        if fault := uri_fault(self._uri):
            faults.append(f"store.graph.uri is {self._uri!r}; {fault}, as in bolt://localhost:7687")
        if find_spec("neo4j") is None:
            remedy = "pip install 'memlab[neo4j]' or use graph@store.graph=networkx"
            faults.append(f"graph=neo4j needs the package neo4j; {remedy}")
        if self._password_env and not os.environ.get(self._password_env):
            faults.append(self._no_password())
        return faults

    async def open(self, name: str) -> None:
        """Begin with an empty graph under this name; what lies under it is removed, `batch` at a time."""
        await self.close()
        self._space = cypher.sendable(name)
        self._places.clear()
        try:
            await self._make_index()
            for query in cypher.REMOVE:
                while (await self._asked([(query, {"limit": self._batch})], write=True))[0] != [[0]]:
                    pass
        except BaseException:
            self._space = None  # what lies under the name is not this graph's
            await self._disconnect()
            raise

    async def close(self) -> None:
        """Send what is queued, and let go of connections; the graph stays in its database."""
        try:
            await self._send()
        finally:
            await self._disconnect()

    def put_node(self, node: Node) -> None:
        """Insert a node, or replace the one with this number."""
        self._queue.append(node)

    def put_edge(self, edge: Edge) -> None:
        """Insert an edge between two nodes that are there."""
        self._places[edge.memory, edge.version] = edge.source, edge.target
        self._queue.append(edge)

    def end_edge(self, memory: int, version: int, at: datetime) -> None:
        """Mark an edge as no longer valid as of a time."""
        source, target = self._places[memory, version]
        self._queue.append(End(memory, version, source, target, at))

    async def around(self, nodes: Sequence[int], hops: int, *, past: bool) -> list[int]:
        """Return the memories with a valid edge within so many hops of any of the nodes; one query a hop."""
        found: set[int] = set()
        seen = set(nodes)
        frontier = set(nodes)
        for _ in range(hops):
            records = await self._read(cypher.AROUND, frontier=sorted(frontier), past=past, still=cypher.STILL)
            found |= {memory for memory, _ in records}
            frontier = {node for _, node in records} - seen
            if not frontier:
                break
            seen |= frontier
        return sorted(found)

    async def leaving(self, node: int) -> list[int]:
        """Return the numbers, ascending, of the memories with a valid edge out of a node."""
        return sorted(memory for (memory,) in await self._read(cypher.LEAVING, node=node, still=cypher.STILL))

    async def as_of(self, time: datetime) -> list[tuple[int, int]]:
        """Return (memory, version) of the edges that were valid at a time, ascending."""
        records = await self._read(cypher.AS_OF, time=cypher.epoch(time))
        return sorted((memory, version) for memory, version in records)

    async def history(self, node: int, relation: str) -> list[tuple[int, int]]:
        """Return (memory, version) of all edges with this relation out of a node, ended ones too, ascending."""
        records = await self._read(cypher.HISTORY, node=node, relation=cypher.sendable(relation))
        return sorted((memory, version) for memory, version in records)

    async def _read(self, query: str, **parameters: Any) -> Records:
        """Return what a query finds once all that was written is there."""
        await self._send()
        return (await self._asked([(query, parameters)], write=False))[0]

    async def _send(self) -> None:
        """Send what is queued; what was not acknowledged stays queued."""
        async with self._sending:
            while writes := self._queue[: self._batch]:
                queries = cypher.statements(writes)
                done = await self._asked([(query, {"rows": rows}) for query, rows in queries], write=True)
                if done != [[[len(rows)]] for _, rows in queries]:
                    raise PartFailed(
                        f"the graph server at {self._uri} has lost nodes or edges of {self._space!r} that were sent to "
                        "it: another program may have removed them, or opened the same name; run it again"
                    )
                del self._queue[: len(writes)]

    async def _asked(self, queries: Sequence[tuple[str, dict[str, Any]]], *, write: bool) -> list[Records]:
        """Return the records of some queries, run in one transaction, which is retried when that may help."""
        from neo4j.exceptions import DriverError, Neo4jError

        if self._space is None:
            raise RuntimeError("a graph is to be opened, by a name, before it is used")

        async def work(transaction: "AsyncManagedTransaction") -> list[Records]:
            results = []
            for query, parameters in queries:
                result = await transaction.run(query, {"space": self._space, **parameters})
                results.append(await result.values())
            return results

        try:
            async with asyncio.timeout(self._timeout_seconds):
                driver = self._connected()
                bookmarks = driver.execute_query_bookmark_manager  # in a cluster, a read waits for the writes before it
                async with driver.session(database=self._database, bookmark_manager=bookmarks) as session:
                    return await (session.execute_write(work) if write else session.execute_read(work))
        except (Neo4jError, DriverError, OSError) as error:
            raise PartFailed(self._failure(error)) from error

    async def _make_index(self) -> None:
        from neo4j.exceptions import Neo4jError

        try:
            await self._asked([(cypher.INDEX, {})], write=True)
        except PartFailed as failure:
            error = failure.__cause__
            if not isinstance(error, Neo4jError) or not str(error.code).startswith(NO_INDEX):
                raise

    def _connected(self) -> "AsyncDriver":
        """Return the driver, which connects when it is first asked."""
        from neo4j import AsyncGraphDatabase

        if self._driver is None:
            password = os.environ.get(self._password_env) if self._password_env else None
            if self._password_env and not password:
                raise PartFailed(self._no_password())
            self._driver = AsyncGraphDatabase.driver(
                self._uri,
                auth=(self._user, password) if password else None,
                connection_timeout=min(CONNECT_SECONDS, self._timeout_seconds / 2),
                # The driver's last pause can be as long again; so the reason is known, and not only that time is up.
                max_transaction_retry_time=self._timeout_seconds / 3,
            )
        return self._driver

    async def _disconnect(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(CONNECT_SECONDS):
                    await driver.close()

    def _no_password(self) -> str:
        return (
            f"graph=neo4j needs {self._password_env} for {self._uri}; set it, "
            "or store.graph.password_env=null for a server that asks for none"
        )

    def _failure(self, error: Exception) -> str:
        """Return what is wrong with the server, and the remedy."""
        from neo4j.exceptions import AuthError, Neo4jError

        kept = f"{len(self._queue)} writes are kept" if self._queue else "nothing is lost"
        remedy = "check that a server runs at store.graph.uri, or use graph@store.graph=networkx"
        if isinstance(error, TimeoutError):
            seconds = f"{self._timeout_seconds:g} s"
            return f"{self._uri} did not answer in {seconds}; {kept}; raise store.graph.timeout_seconds, {remedy}"
        message = (error.message if isinstance(error, Neo4jError) else None) or str(error) or type(error).__name__
        said = " ".join(message.split())
        if isinstance(error, AuthError):
            return f"{self._uri} refused user {self._user!r}: {said}; check store.graph.user and {self._password_env}"
        if isinstance(error, Neo4jError) and str(error.code).startswith("Neo.ClientError.Database."):
            return f"{self._uri} has no database {self._database!r}: {said}; check store.graph.database"
        return f"{self._uri} failed: {said}; {kept}; {remedy}"


def uri_fault(uri: str) -> str | None:
    """Return what is wrong with the address of a Bolt server."""
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError as error:
        return f"that is no address ({error})"
    if parts.scheme not in SCHEMES:
        return f"it must begin with one of {', '.join(f'{scheme}://' for scheme in SCHEMES)}"
    return None if parts.hostname else "it names no host"
