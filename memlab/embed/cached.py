"""A persistent cache of vectors by content, so that no text is ever embedded twice."""

import asyncio
import hashlib
import sqlite3
import threading
import warnings
import weakref
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from memlab.cache_file import cache_folder, connect, write_faults
from memlab.embed.embedder import Embedder, Vectors
from memlab.stopwatch import aside

FILE_NAME = "embeddings.sqlite3"
IN_MEMORY_BYTES = 256 << 20
KEYS_A_QUERY = 10_000
COMPUTED_AT_ONCE = 1024
"""Texts embedded before they are written: all that a killed process, or a server that fails, can lose."""

TABLES = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, value BLOB NOT NULL, crc32 INTEGER NOT NULL)"

Result = TypeVar("Result")

Rows = dict[str, bytes]
"""The float32 bytes of each text's vector."""


class CachedEmbedder(Embedder):
    """Embeds what neither memory nor a file holds, and gives back the very bytes that the inner embedder gave.

    Requests of one turn of the event loop are looked up, embedded and stored together; a text that is being embedded
    is not embedded again meanwhile. Use one instance in one event loop at a time; any number of processes may share
    the folder. None is `$MEMLAB_CACHE`, or else the user's cache folder.
    """

    def __init__(self, inner: Embedder, folder: str | Path | None = None) -> None:
        self.name = inner.name
        self.dimension = inner.dimension
        self.embedded = 0
        """Texts computed so far."""
        self.cached = 0
        """Texts found so far in memory, in the file or on their way, equal ones of a call once."""
        self._inner = inner
        self._file = VectorFile(cache_folder(folder) / FILE_NAME, inner.name, inner.dimension)
        self._memory: OrderedDict[str, bytes] = OrderedDict()
        self._memory_limit = IN_MEMORY_BYTES // (4 * inner.dimension)
        self._on_their_way: dict[str, asyncio.Task[Rows]] = {}
        self._next_texts: list[str] = []
        self._next_task: asyncio.Task[Rows] | None = None

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row a text, computed or found."""
        distinct = dict.fromkeys(texts)
        rows = {text: self._memory[text] for text in distinct if text in self._memory}
        absent = [text for text in distinct if text not in rows]
        self.cached += len(rows) + sum(text in self._on_their_way for text in absent)
        # Aside: whether a vector is made now, was made ahead or in an earlier run must not show in a latency.
        with aside():
            for task in {self._task_for(text): None for text in absent}:
                # Shielded: a caller that gives up must not take the vectors from those who wait for the same task.
                found = await asyncio.shield(task)
                rows.update((text, found[text]) for text in absent if text in found)
        joined = np.frombuffer(b"".join(rows[text] for text in texts), "<f4")
        return joined.reshape(len(texts), self.dimension).astype(np.float32)

    def missing(self) -> list[str]:
        """Return what the inner embedder lacks, and a cache folder that cannot be written."""
        return [*self._inner.missing(), *write_faults(self._file.path, "embedding")]

    def _task_for(self, text: str) -> asyncio.Task[Rows]:
        """Return the task that brings a text's vector: the one on its way, or the next to start."""
        if (task := self._on_their_way.get(text)) and not task.done():
            return task
        if self._next_task is None or self._next_task.done():
            self._next_texts = []
            self._next_task = asyncio.create_task(self._fetch(self._next_texts))
        self._next_texts.append(text)
        self._on_their_way[text] = self._next_task
        return self._next_task

    async def _fetch(self, texts: list[str]) -> Rows:
        """Look up or embed the texts collected until the event loop comes to start this, and keep their vectors."""
        self._next_task = None
        try:
            rows = await asyncio.to_thread(self._file.read, texts)
            self.cached += len(rows)
            absent = [text for text in texts if text not in rows]
            for start in range(0, len(absent), COMPUTED_AT_ONCE):
                computed = await self._computed(absent[start : start + COMPUTED_AT_ONCE])
                self.embedded += len(computed)
                await asyncio.to_thread(self._file.write, computed)
                rows |= computed
            self._remember(rows)
            return rows
        finally:
            for text in texts:
                self._on_their_way.pop(text, None)

    async def _computed(self, texts: Sequence[str]) -> Rows:
        vectors = await self._inner.embed(texts)
        if vectors.shape != (len(texts), self.dimension) or not np.isfinite(vectors).all():
            raise ValueError(
                f"embedder {self.name!r} gave an array {vectors.shape} for {len(texts)} texts, "
                f"not finite numbers ({len(texts)}, {self.dimension}); nothing of it was kept"
            )
        return {text: vector.astype("<f4").tobytes() for text, vector in zip(texts, vectors, strict=True)}

    def _remember(self, rows: Rows) -> None:
        self._memory.update(rows)
        while len(self._memory) > self._memory_limit:
            self._memory.popitem(last=False)


class VectorFile:
    """One SQLite file of vectors by sha256 of embedder and text, shared by threads and processes.

    Whatever is wrong with the file or a value in it, the answer is "not there" and a warning that names the file:
    a cache may cost time, never a result.
    """

    def __init__(self, path: Path, embedder: str, dimension: int) -> None:
        self.path = path
        self._embedder = embedder
        self._bytes_a_vector = 4 * dimension
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._given_up = False

    def read(self, texts: Sequence[str]) -> Rows:
        """Return the vectors of those texts that are there, undamaged."""
        texts_of = {self._key(text): text for text in texts}
        found = self._attempt(lambda connection: select(connection, list(texts_of))) or []
        rows = {
            texts_of[key]: value
            for key, value, crc in found
            if isinstance(value, bytes) and len(value) == self._bytes_a_vector and checksum(key, value) == crc
        }
        if damaged := len(found) - len(rows):
            warnings.warn(f"{damaged} vectors in {self.path} are damaged; they are computed again", stacklevel=2)
        return rows

    def write(self, rows: Rows) -> None:
        """Keep the vectors of some texts, in one transaction."""
        keyed = [(self._key(text), value) for text, value in rows.items()]
        values = [(key, value, checksum(key, value)) for key, value in keyed]
        self._attempt(lambda connection: insert(connection, values))

    def _attempt(self, action: Callable[[sqlite3.Connection], Result]) -> Result | None:
        """Return what an action on the open file gives, or None with a warning when the file fails it."""
        with self._lock:
            if self._given_up:
                return None
            try:
                if self._connection is None:
                    self._connection = connect(self.path, TABLES)
                    weakref.finalize(self, self._connection.close)
                return action(self._connection)
            except (sqlite3.Error, OSError) as error:
                self._given_up = True
                warnings.warn(
                    f"the embedding cache {self.path} does not work ({error}); this process goes on without it. "
                    "If the file is damaged, delete it",
                    stacklevel=3,
                )
                return None

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self._embedder}\0{text}".encode("utf-8", "surrogatepass")).digest()


def checksum(key: bytes, value: bytes) -> int:
    """Return a check of a value under its key."""
    return zlib.crc32(value, zlib.crc32(key))


def select(connection: sqlite3.Connection, keys: Sequence[bytes]) -> list[tuple[bytes, object, object]]:
    """Return key, value and checksum of those keys that are there."""
    found: list[tuple[bytes, object, object]] = []
    for start in range(0, len(keys), KEYS_A_QUERY):
        some = keys[start : start + KEYS_A_QUERY]
        marks = ",".join("?" * len(some))
        found += connection.execute(f"SELECT key, value, crc32 FROM vectors WHERE key IN ({marks})", some)
    return found


def insert(connection: sqlite3.Connection, values: Sequence[tuple[bytes, bytes, int]]) -> None:
    """Write values under their keys, all or none; what was there is replaced."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", values)
