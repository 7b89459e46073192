import asyncio
import signal
import sqlite3
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlab.embed import cached
from memlab.embed.cached import FILE_NAME, CachedEmbedder
from memlab.embed.embedder import Embedder, Vectors
from memlab.embed.hashed import Hashed


class Recorded(Embedder):
    """Hashed vectors, and every call that was made for them."""

    def __init__(self, name: str = "recorded", dimension: int = 16) -> None:
        self.name = name
        self.dimension = dimension
        self.calls: list[list[str]] = []
        self.faults: list[str] = []
        self.error: Exception | None = None

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        await asyncio.sleep(0.01)
        if self.error:
            raise self.error
        return await Hashed(self.dimension).embed(texts)

    def missing(self) -> list[str]:
        return self.faults


async def plain(texts: Sequence[str], dimension: int = 16) -> bytes:
    return (await Hashed(dimension).embed(texts)).tobytes()


@given(
    st.lists(st.lists(st.sampled_from([*"abcdefgh", "", "Ünïcode 🙂", "\ud800", "x" * 5000]), max_size=6), max_size=5)
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_vectors_are_byte_for_byte_those_of_the_inner_embedder(tmp_path: Path, calls: list[list[str]]) -> None:
    embedder = CachedEmbedder(Recorded(), tmp_path)
    for texts in calls:
        vectors = await embedder.embed(texts)
        assert vectors.tobytes() == await plain(texts)
        assert (vectors.shape, vectors.dtype) == ((len(texts), 16), np.float32)
    again = await asyncio.gather(*(CachedEmbedder(Recorded(), tmp_path).embed(texts) for texts in calls))
    assert [vectors.tobytes() for vectors in again] == [await plain(texts) for texts in calls]


async def test_a_second_process_finds_what_the_first_embedded(tmp_path: Path) -> None:
    await CachedEmbedder(Recorded(), tmp_path).embed(["a", "b"])
    inner = Recorded()
    later = CachedEmbedder(inner, tmp_path)
    assert (await later.embed(["b", "c", "a"])).tobytes() == await plain(["b", "c", "a"])
    assert inner.calls == [["c"]]
    assert (later.embedded, later.cached) == (1, 2)


async def test_equal_texts_of_one_call_are_embedded_once(tmp_path: Path) -> None:
    inner = Recorded()
    vectors = await CachedEmbedder(inner, tmp_path).embed(["a", "b", "a", "a"])
    assert inner.calls == [["a", "b"]]
    assert vectors.tobytes() == await plain(["a", "b", "a", "a"])


async def test_a_text_on_its_way_is_not_embedded_again(tmp_path: Path) -> None:
    inner = Recorded()
    embedder = CachedEmbedder(inner, tmp_path)
    first = asyncio.create_task(embedder.embed(["a", "b"]))
    while not inner.calls:
        await asyncio.sleep(0.001)
    second = await embedder.embed(["b", "c"])
    assert inner.calls == [["a", "b"], ["c"]]
    assert second.tobytes() == await plain(["b", "c"])
    assert (await first).tobytes() == await plain(["a", "b"])
    assert (embedder.embedded, embedder.cached) == (3, 1)


async def test_calls_made_together_are_embedded_in_one_batch(tmp_path: Path) -> None:
    inner = Recorded()
    embedder = CachedEmbedder(inner, tmp_path)
    rows = await asyncio.gather(*(embedder.embed([text]) for text in "abca"))
    assert inner.calls == [["a", "b", "c"]]
    assert b"".join(row.tobytes() for row in rows) == await plain("abca")


async def test_a_caller_that_gives_up_does_not_take_the_others_vectors(tmp_path: Path) -> None:
    embedder = CachedEmbedder(Recorded(), tmp_path)
    leaving, staying = (asyncio.create_task(embedder.embed(["a"])) for _ in range(2))
    await asyncio.sleep(0.005)
    leaving.cancel()
    assert (await staying).tobytes() == await plain(["a"])
    with pytest.raises(asyncio.CancelledError):
        await leaving


async def test_a_failure_reaches_the_caller_and_is_tried_again_next_time(tmp_path: Path) -> None:
    inner = Recorded()
    inner.error = ConnectionError("server down")
    embedder = CachedEmbedder(inner, tmp_path)
    with pytest.raises(ConnectionError, match="server down"):
        await embedder.embed(["a"])
    inner.error = None
    assert (await embedder.embed(["a"])).tobytes() == await plain(["a"])
    assert embedder.embedded == 1


async def test_what_was_embedded_before_a_failure_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class FailsSecond(Recorded):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            self.error = ConnectionError("server down") if self.calls else None
            return await super().embed(texts)

    monkeypatch.setattr(cached, "COMPUTED_AT_ONCE", 2)
    with pytest.raises(ConnectionError):
        await CachedEmbedder(FailsSecond(), tmp_path).embed(list("abcd"))
    inner = Recorded()
    await CachedEmbedder(inner, tmp_path).embed(list("abcd"))
    assert inner.calls == [["c", "d"]]


async def test_memory_is_bounded_and_the_file_answers_for_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached, "IN_MEMORY_BYTES", 3 * 4 * 16)
    inner = Recorded()
    embedder = CachedEmbedder(inner, tmp_path)
    assert (await embedder.embed("abcdefg")).tobytes() == await plain("abcdefg")
    assert len(embedder._memory) == 3
    assert (await embedder.embed("gfedcba")).tobytes() == await plain("gfedcba")
    assert len(inner.calls) == 1


async def test_another_embedder_never_finds_these_vectors(tmp_path: Path) -> None:
    await CachedEmbedder(Recorded("one"), tmp_path).embed(["a"])
    inner = Recorded("two")
    await CachedEmbedder(inner, tmp_path).embed(["a"])
    assert inner.calls == [["a"]]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vectors SET value = zeroblob(64)",
        "UPDATE vectors SET value = substr(value, 1, 60)",
        "UPDATE vectors SET value = 'text'",
        "UPDATE vectors SET crc32 = crc32 + 1",
    ],
)
async def test_a_damaged_value_is_computed_again_with_a_warning_and_mended(tmp_path: Path, damage: str) -> None:
    await CachedEmbedder(Recorded(), tmp_path).embed(["a"])
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute(damage)
    connection.close()
    inner = Recorded()
    with pytest.warns(UserWarning, match=f"1 vectors in .*{FILE_NAME} are damaged"):
        vectors = await CachedEmbedder(inner, tmp_path).embed(["a"])
    assert inner.calls == [["a"]]
    assert vectors.tobytes() == await plain(["a"])
    mended = Recorded()
    await CachedEmbedder(mended, tmp_path).embed(["a"])
    assert mended.calls == []


async def test_vectors_swapped_between_texts_are_not_believed(tmp_path: Path) -> None:
    await CachedEmbedder(Recorded(), tmp_path).embed(["a", "b"])
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        (one, two) = connection.execute("SELECT key, value, crc32 FROM vectors").fetchall()
        connection.execute("UPDATE vectors SET value = ?, crc32 = ? WHERE key = ?", (two[1], two[2], one[0]))
        connection.execute("UPDATE vectors SET value = ?, crc32 = ? WHERE key = ?", (one[1], one[2], two[0]))
    connection.close()
    with pytest.warns(UserWarning, match="2 vectors"):
        vectors = await CachedEmbedder(Recorded(), tmp_path).embed(["a", "b"])
    assert vectors.tobytes() == await plain(["a", "b"])


@pytest.mark.parametrize("start", [0, 4096])
async def test_a_damaged_file_costs_time_and_a_warning_but_no_vector(tmp_path: Path, start: int) -> None:
    texts = [f"text {number}" for number in range(300)]
    await CachedEmbedder(Recorded(), tmp_path).embed(texts)
    path = tmp_path / FILE_NAME
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = path.read_bytes()
    path.write_bytes(content[:start] + b"garbage!" * ((len(content) - start) // 8))
    embedder = CachedEmbedder(Recorded(), tmp_path)
    with pytest.warns(UserWarning, match=FILE_NAME):
        vectors = await embedder.embed(texts)
    assert vectors.tobytes() == await plain(texts)
    assert (await embedder.embed(["more"])).tobytes() == await plain(["more"])


@pytest.mark.parametrize("spoil", [lambda rows: rows[:-1], lambda rows: rows[:, 1:], lambda rows: rows * np.nan])
async def test_an_embedder_that_gives_no_vector_for_a_text_is_refused_and_nothing_kept(
    tmp_path: Path, spoil: Callable[[Vectors], Vectors]
) -> None:
    class Spoilt(Recorded):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            return spoil(await super().embed(texts))

    with pytest.raises(ValueError, match=r"'recorded' gave an array \(\d+, \d+\) for 2 texts"):
        await CachedEmbedder(Spoilt(), tmp_path).embed(["a", "b"])
    inner = Recorded()
    await CachedEmbedder(inner, tmp_path).embed(["a", "b"])
    assert inner.calls == [["a", "b"]]


def test_name_and_dimension_are_the_inner_embedders_and_nothing_is_touched_before_use(tmp_path: Path) -> None:
    embedder = CachedEmbedder(Recorded("named", 24), tmp_path / "new")
    assert (embedder.name, embedder.dimension) == ("named", 24)
    assert embedder.missing() == []
    assert not (tmp_path / "new").exists()


def test_missing_reports_the_inner_fault_and_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    inner = Recorded()
    inner.faults = ["recorded needs a key"]
    first, second = CachedEmbedder(inner, tmp_path / "file" / "cache").missing()
    assert first == "recorded needs a key"
    assert str(tmp_path / "file" / "cache") in second
    assert "set MEMLAB_CACHE" in second


async def test_the_default_folder_is_that_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "chosen"))
    await CachedEmbedder(Recorded()).embed(["a"])
    assert (tmp_path / "chosen" / FILE_NAME).is_file()


def test_one_embedder_serves_one_event_loop_after_another(tmp_path: Path) -> None:
    embedder = CachedEmbedder(Recorded(), tmp_path)
    for text in ("a", "b", "a"):
        assert asyncio.run(embedder.embed([text])).tobytes() == asyncio.run(plain([text]))


WRITER = textwrap.dedent("""
    import asyncio, sys
    from memlab.embed.cached import CachedEmbedder
    from memlab.embed.hashed import Hashed

    async def main(folder, first, last):
        for start in range(first, last, 10):
            texts = [f"text {number}" for number in range(start, start + 20)]
            vectors = await CachedEmbedder(Hashed(64), folder).embed(texts)
            assert vectors.tobytes() == (await Hashed(64).embed(texts)).tobytes()
            print(start, flush=True)

    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
""")


def start_writer(folder: Path, first: int, last: int) -> "subprocess.Popen[str]":
    arguments = [sys.executable, "-W", "error", "-c", WRITER, str(folder), str(first), str(last)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


async def test_several_processes_share_one_file(tmp_path: Path) -> None:
    writers = [start_writer(tmp_path, first, first + 300) for first in (0, 0, 150, 200)]
    for writer in writers:
        _, errors = writer.communicate(timeout=60)
        assert (writer.returncode, errors) == (0, "")
    embedder = CachedEmbedder(Hashed(64), tmp_path)
    await embedder.embed([f"text {number}" for number in range(500)])
    assert (embedder.embedded, embedder.cached) == (0, 500)


async def test_a_killed_process_leaves_a_sound_file_with_what_it_had_written(tmp_path: Path) -> None:
    writer = start_writer(tmp_path, 0, 10**9)
    assert writer.stdout
    written = [int(writer.stdout.readline()) for _ in range(5)]
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    texts = [f"text {number}" for number in range(written[-1] + 20)]
    embedder = CachedEmbedder(Hashed(64), tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vectors = await embedder.embed(texts)
    assert vectors.tobytes() == await plain(texts, 64)
    assert (embedder.embedded, embedder.cached) == (0, len(texts))
