import errno
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.records import RecordError, RunFolder

ROWS = [{"id": "a", "text": "ünï 🙂"}, {"id": "b", "text": "line\nend"}, {"id": "c", "text": "\ud800"}]


def test_what_is_appended_is_read_back(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    with folder.opened() as writer:
        writer.append("answers", ROWS[:1])
        writer.append("answers", ROWS[1:])
    assert folder.read("answers") == [{"schema": 1, **row} for row in ROWS]


@given(cut=st.integers(0, 200))
def test_a_file_cut_at_any_byte_keeps_its_whole_lines_and_takes_new_ones(
    cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = RunFolder(tmp_path_factory.mktemp("run"))
    with folder.opened() as writer:
        writer.append("scores", ROWS)
    whole = folder.file("scores").read_bytes()
    folder.file("scores").write_bytes(whole[:cut])
    kept = whole[:cut].count(b"\n")
    with folder.opened() as writer:
        writer.append("scores", ROWS[kept:])
    assert folder.read("scores") == [{"schema": 1, **row} for row in ROWS]


def test_a_broken_line_before_the_last_is_named(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    for broken in ('{"sche', '{"schema": 1, "value": NaN}', "[" * 100_000):
        folder.file("answers").write_text(f'{{"schema": 1}}\n{broken}\n{{"schema": 1}}\n')
        with pytest.raises(RecordError, match=r"answers\.jsonl:2 is not JSON"):
            folder.read("answers")


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.file("answers").write_text('{"schema": 99}\n')
    with pytest.raises(RecordError, match="newer memlab"):
        folder.read("answers")


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    second = pytest.raises(RecordError, match="another process")
    with RunFolder(tmp_path).opened(), second, RunFolder(tmp_path).opened():
        pass


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="choose another: runs=FOLDER"), RunFolder(tmp_path / "file" / "run").opened():
        pass


def test_a_missing_file_has_no_records(tmp_path: Path) -> None:
    assert RunFolder(tmp_path).read("answers") == []
    assert RunFolder(tmp_path).read_json("manifest") is None


class Grudging(io.RawIOBase):
    """A file that takes few bytes at a time, and then no more."""

    def __init__(self, path: Path, room: int) -> None:
        self.file = path.open("ab", buffering=0)
        self.room = room

    def write(self, data: Any) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = self.file.write(data[: min(7, self.room)]) or 0
        self.room -= taken
        return taken

    def tell(self) -> int:
        return self.file.tell()

    def truncate(self, size: int | None = None) -> int:
        return self.file.truncate(size)


def test_a_disk_that_fills_up_leaves_whole_lines_only(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    with folder.opened() as writer:
        writer._open["answers"] = Grudging(folder.file("answers"), room=80)
        writer.append("answers", ROWS[:1])
        with pytest.raises(RecordError, match="No space left on device"):
            writer.append("answers", ROWS[1:])
    with folder.opened() as writer:
        writer.append("answers", ROWS[1:])
    assert folder.read("answers") == [{"schema": 1, **row} for row in ROWS]


@pytest.mark.parametrize("line", [b"\xff\n", b'{"schema": "x"}\n', b"[]\n", b"{}\n"])
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: bytes) -> None:
    RunFolder(tmp_path).file("answers").write_bytes(line)
    with pytest.raises(RecordError, match=r"answers\.jsonl:1"):
        RunFolder(tmp_path).read("answers")
