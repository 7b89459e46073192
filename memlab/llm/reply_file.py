"""The file of the chat cache: replies by key, and leases on those that are on their way."""

import os
import sqlite3
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from memlab.cache_file import BUSY_SECONDS, connect

TABLES = """
CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL, stored_at REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS leases (key TEXT PRIMARY KEY, holder TEXT NOT NULL, expires_at REAL NOT NULL) WITHOUT ROWID;
"""
NOW = "(julianday('now') - 2440587.5) * 86400.0"
"""Seconds since 1970, by the one clock that all processes of the file share."""

Result = TypeVar("Result")


class ChatCacheError(RuntimeError):
    """The cache's file does not work. Going on without it would pay for every reply again, so nothing goes on."""


class ReplyFile:
    """One SQLite file, shared by threads and processes; every method is one transaction.

    A lease says that its holder is asking the server for a key. It ends by itself when the holder does not renew it,
    so that a killed process keeps the others waiting no longer than that.
    """

    def __init__(self, path: Path, *, holder: str, lease_seconds: float, read_only: bool) -> None:
        self.path = path
        self._holder = holder
        self._lease_seconds = lease_seconds
        self._read_only = read_only
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def now(self) -> float:
        """Return the time by the file's clock."""
        return float(self._do(lambda db: db.execute(f"SELECT {NOW}").fetchone()[0]))

    def read(self, key: str, since: float) -> str | None:
        """Return the reply that was stored for a key since then, None when there is none."""
        if self._read_only and not self.path.exists():
            return None
        return self._do(lambda db: select(db, key, since))

    def claim(self, key: str, since: float) -> bool:
        """Take the lease of a key; False when its reply is there or another holder has it."""
        leased = f"SELECT 1 FROM leases WHERE key = ? AND holder != ? AND expires_at > {NOW}"
        lease = f"INSERT OR REPLACE INTO leases VALUES (?, ?, {NOW} + ?)"

        def action(db: sqlite3.Connection) -> bool:
            # Looked at before the lock is taken: whoever waits for another's reply must not keep it from writing.
            if db.execute(leased, (key, self._holder)).fetchone():
                return False
            with db:
                db.execute("BEGIN IMMEDIATE")
                if select(db, key, since) is not None or db.execute(leased, (key, self._holder)).fetchone():
                    return False
                db.execute(lease, (key, self._holder, self._lease_seconds))
            return True

        return self._do(action)

    def renew(self, key: str) -> None:
        """Prolong the holder's lease."""
        change = f"UPDATE leases SET expires_at = {NOW} + ? WHERE key = ? AND holder = ?"
        self._do(lambda db: db.execute(change, (self._lease_seconds, key, self._holder)))

    def release(self, key: str) -> None:
        """End the holder's lease."""
        self._do(lambda db: db.execute("DELETE FROM leases WHERE key = ? AND holder = ?", (key, self._holder)))

    def store(self, key: str, reply: str) -> None:
        """Keep a reply, in place of an older one."""
        self._do(lambda db: db.execute(f"INSERT OR REPLACE INTO replies VALUES (?, ?, {NOW})", (key, reply)))

    def discard(self, key: str, reply: str) -> None:
        """Drop a reply that cannot be read, unless another has been stored meanwhile."""
        self._do(lambda db: db.execute("DELETE FROM replies WHERE key = ? AND reply = ?", (key, reply)))

    def _do(self, action: Callable[[sqlite3.Connection], Result]) -> Result:
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = self._opened()
                    weakref.finalize(self, self._connection.close)
                return action(self._connection)
            except (sqlite3.Error, OSError) as error:
                raise ChatCacheError(
                    f"the chat cache {self.path} does not work ({error}); if the file is damaged, move it away, "
                    "or choose another folder with MEMLAB_CACHE"
                ) from error

    def _opened(self) -> sqlite3.Connection:
        if not self._read_only:
            return connect(self.path, TABLES)
        # SQLite needs to write beside a file of this kind to read it, or a promise that nobody else writes.
        way = "mode=rw" if os.access(self.path.parent, os.W_OK) else "immutable=1"
        uri = f"{self.path.absolute().as_uri()}?{way}"
        return sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def select(db: sqlite3.Connection, key: str, since: float) -> str | None:
    """Return the reply stored for a key since then."""
    row = db.execute("SELECT reply FROM replies WHERE key = ? AND stored_at >= ?", (key, since)).fetchone()
    return str(row[0]) if row else None
