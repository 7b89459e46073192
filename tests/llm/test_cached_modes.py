import asyncio
import gc
import os
from pathlib import Path

import pytest

from memlab.llm.cached import FILE_NAME, CachedChat
from memlab.llm.chat import ChatFailed
from memlab.llm.reply_json import request_key
from memlab.llm.scripted import Scripted
from tests.llm.lying_server import ask
from tests.llm.slow_model import REPLY, Slow


async def settled(folder: Path) -> bytes:
    """The file, when its last connection is closed and nothing else lies beside it."""
    for _ in range(500):
        gc.collect()
        if [path.name for path in folder.iterdir()] == [FILE_NAME]:
            return (folder / FILE_NAME).read_bytes()
        await asyncio.sleep(0.01)
    raise AssertionError(f"there is more than {FILE_NAME} in {list(folder.iterdir())}")


async def test_only_replays_and_names_key_and_remedy_where_nothing_is_stored(tmp_path: Path) -> None:
    await CachedChat(Scripted(["old"]), tmp_path, "use").chat(ask())
    inner = Scripted(["never"])
    model = CachedChat(inner, tmp_path, "only")
    assert (await model.chat(ask())).text == "old"
    key = request_key(inner.identity, ask("new"))
    with pytest.raises(
        ChatFailed, match=rf"{FILE_NAME} holds no reply of scripted under {key}.*run once in mode `use`"
    ):
        await model.chat(ask("new"))
    assert inner.requests == []


async def test_only_makes_no_file(tmp_path: Path) -> None:
    model = CachedChat(Slow(), tmp_path / "new", "only")
    with pytest.raises(ChatFailed) as caught:
        await model.chat(ask())
    assert (caught.value.reason, caught.value.requests) == ("not_cached", 0)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("writable", [True, False])
async def test_only_leaves_folder_and_file_as_they_were(
    tmp_path: Path, writable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await CachedChat(Scripted(["old"]), tmp_path, "use").chat(ask())
    before = await settled(tmp_path)
    # A read-only folder is none for root, whom tests may run as.
    monkeypatch.setattr(os, "access", lambda *arguments: writable)
    model = CachedChat(Scripted([]), tmp_path, "only")
    assert (await model.chat(ask())).text == "old"
    assert writable or [path.name for path in tmp_path.iterdir()] == [FILE_NAME]
    del model
    assert await settled(tmp_path) == before


async def test_off_touches_no_file(tmp_path: Path) -> None:
    inner = Slow()
    model = CachedChat(inner, tmp_path / "new", "off")
    assert [await model.chat(ask()) for _ in range(2)] == [REPLY, REPLY]
    assert inner.asked == 2
    assert not (tmp_path / "new").exists()
