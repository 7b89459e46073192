import sqlite3
import threading
from pathlib import Path

import pytest

from memlab.cache_file import cache_folder, connect, write_faults


def test_many_may_open_a_new_file_at_the_same_moment(tmp_path: Path) -> None:
    errors: list[Exception] = []

    def opened(path: Path, start: threading.Barrier) -> None:
        start.wait()
        try:
            connect(path, "CREATE TABLE IF NOT EXISTS kept (key TEXT)").close()
        except Exception as error:
            errors.append(error)

    for number in range(100):
        start = threading.Barrier(4)
        threads = [
            threading.Thread(target=opened, args=(tmp_path / f"{number}.sqlite3", start)) for _ in range(start.parties)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []


def test_a_file_that_is_no_database_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"no database" * 1000)
    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        connect(tmp_path / "file", "")


def test_the_folder_is_the_given_one_or_that_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "chosen"))
    assert cache_folder(None) == tmp_path / "chosen"
    assert cache_folder("~/given") == Path.home() / "given"


def test_a_folder_that_can_be_made_has_no_faults_and_is_not_made(tmp_path: Path) -> None:
    assert write_faults(tmp_path / "new" / "folder" / "file", "chat") == []
    assert not (tmp_path / "new").exists()
