"""Where caches lie, and how their SQLite files are opened by many processes at once."""

import os
import sqlite3
from pathlib import Path
from time import monotonic, sleep

import platformdirs

BUSY_SECONDS = 60.0


def cache_folder(folder: str | Path | None) -> Path:
    """Return the folder of the cache: the given one, `$MEMLAB_CACHE`, or the user's cache folder."""
    return Path(folder or os.environ.get("MEMLAB_CACHE") or platformdirs.user_cache_dir("memlab")).expanduser()


def connect(path: Path, tables: str) -> sqlite3.Connection:
    """Return an open connection to the file, made with its tables when not there; raises sqlite3.Error or OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        write_ahead(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(tables)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def write_ahead(connection: sqlite3.Connection) -> None:
    """Set the journal mode in which readers never wait and a killed process loses at most its last transaction."""
    end = monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            # For this one statement SQLite does not wait itself when several open a new file at the same moment.
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > end:
                raise
            sleep(0.01)


def write_faults(path: Path, cache: str) -> list[str]:
    """Return why a cache's file cannot be written, with the remedy; nothing is created to find out."""
    nearest = next(folder for folder in path.parents if folder.exists())
    writable = nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)
    if writable and (not path.exists() or os.access(path, os.R_OK | os.W_OK)):
        return []
    return [f"the {cache} cache cannot write {path}; set MEMLAB_CACHE to a folder that can be written"]
