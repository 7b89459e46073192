"""The run folder: what was done, a line at a time, so that a run cut anywhere goes on where it stopped.

Record types: `summaries.jsonl` (S), `ingest.jsonl`, `memories.jsonl`, `graph.jsonl` (of graph stores),
`decisions.jsonl` and `states.jsonl` (of datasets that know the right operations), `answers.jsonl`, `verdicts.jsonl` (of
judges) and `scores.jsonl`; and two JSON files, `manifest.json` and `summary.json`. Lines are appended whole; a torn
last line is dropped on reading.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

SCHEMA = 1
"""Version of the record format; every line carries it as `schema`."""

LINES = ("summaries", "ingest", "memories", "graph", "decisions", "states", "answers", "verdicts", "scores")

Record = dict[str, Any]


class RecordError(ValueError):
    """A record file that cannot be read, or a run folder that cannot be written."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """One run on disk."""

    path: Path

    def file(self, name: str) -> Path:
        """Return the path of a record file by its name in `LINES`."""
        return self.path / f"{name}.jsonl"

    @contextmanager
    def opened(self) -> Iterator["RunWriter"]:
        """Hold the folder for writing; torn last lines are cut off first.

        Raises RecordError when it cannot be written, or when another process is writing it.
        """
        lock = FileLock(self.path / ".lock", timeout=0)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout as error:
            raise RecordError(f"another process is writing {self.path}; wait for it or change a setting") from error
        except OSError as error:
            raise unwritable(self.path, error) from error
        with lock, ExitStack() as files:
            for name in LINES:
                drop_torn_line(self.file(name))
            yield RunWriter(self, files)

    def read(self, name: str) -> list[Record]:
        """Return the records of a file, without a torn last line; none when there is no file.

        Raises RecordError, naming file and line, when a line before the last is broken or of a newer schema.
        """
        file = self.file(name)
        if not file.exists():
            return []
        *lines, _torn = file.read_bytes().split(b"\n")
        return [parsed(line, f"{file}:{number}") for number, line in enumerate(lines, start=1)]

    def count(self, name: str) -> int:
        """Return how many whole lines a file has."""
        return self.file(name).read_bytes().count(b"\n") if self.file(name).exists() else 0

    def read_json(self, name: str) -> Record | None:
        """Return `manifest` or `summary`, or None when it is not there."""
        file = self.path / f"{name}.json"
        return parsed(file.read_bytes(), str(file)) if file.exists() else None


class RunWriter:
    """The one writer of a run folder; its files stay open until the folder is let go."""

    def __init__(self, folder: RunFolder, files: ExitStack) -> None:
        self.folder = folder
        self._files = files
        self._open: dict[str, RawIOBase] = {}

    def append(self, name: str, records: Iterable[Record]) -> None:
        """Append records, each as one whole line, and hand them to the operating system at once."""
        if name not in self._open:
            self._open[name] = self._files.enter_context(self.folder.file(name).open("ab", buffering=0))
        file = self._open[name]
        before = file.tell()
        left = memoryview(as_lines(records).encode())
        try:
            while left:
                left = left[file.write(left) or 0 :]
        except OSError as error:
            file.truncate(before)  # half a line in the middle of a file would cost all that follows
            raise unwritable(self.folder.path, error) from error

    def replace(self, name: str, records: Iterable[Record]) -> None:
        """Write all records of a file anew; a kill leaves the old file or the new one."""
        if open_file := self._open.pop(name, None):
            open_file.close()
        write_whole(self.folder.file(name), as_lines(records))

    def write_json(self, name: str, content: Record) -> None:
        """Write `manifest` or `summary`; a kill leaves the old file or the new one."""
        write_whole(self.folder.path / f"{name}.json", json.dumps({"schema": SCHEMA, **content}, indent=2) + "\n")


def unwritable(folder: Path, error: OSError) -> RecordError:
    """Return the error of a run folder that takes no more."""
    return RecordError(
        f"cannot write the run folder {folder} ({error.strerror or error}); free some space or choose another: "
        "runs=FOLDER. What was written before is kept"
    )


def as_lines(records: Iterable[Record]) -> str:
    """Return records as JSON lines."""
    return "".join(json.dumps({"schema": SCHEMA, **record}) + "\n" for record in records)


def parsed(text: bytes, place: str) -> Record:
    """Return the record in a text; raises RecordError naming the place when there is none."""
    try:
        record = json.loads(text, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise RecordError(
            f"{place} is not JSON ({error}); the file was changed by hand or the disk is damaged"
        ) from error
    if not (isinstance(record, dict) and isinstance(schema := record.get("schema"), int) and schema <= SCHEMA):
        raise RecordError(f"{place} is not a record of schema {SCHEMA} or older; read it with a newer memlab")
    return record


def no_number(word: str) -> None:
    """Refuse NaN and Infinity, which no run writes; raises ValueError."""
    raise ValueError(f"{word} is no number")


def write_whole(file: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    draft = file.with_name(file.name + ".draft")
    try:
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, file)
    except OSError as error:
        raise unwritable(file.parent, error) from error


def drop_torn_line(file: Path) -> None:
    """Cut off what follows the last line end: a line that a kill tore."""
    if not file.exists():
        return
    with file.open("rb+") as handle:
        size = handle.seek(0, os.SEEK_END)
        whole = 0
        block = 1 << 16
        for end in range(size, 0, -block):
            start = max(0, end - block)
            handle.seek(start)
            if (found := handle.read(end - start).rfind(b"\n")) >= 0:
                whole = start + found + 1
                break
        if whole < size:
            handle.truncate(whole)
