from pathlib import Path

import pytest

from memlab.llm.reply_file import ReplyFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chat.sqlite3"


def reply_file(path: Path, holder: str, lease_seconds: float = 30.0) -> ReplyFile:
    return ReplyFile(path, holder=holder, lease_seconds=lease_seconds, read_only=False)


def test_a_lease_is_one_holders_until_released(path: Path) -> None:
    one, two = reply_file(path, "one"), reply_file(path, "two")
    assert one.claim("key", 0)
    assert not two.claim("key", 0)
    assert two.claim("other", 0)
    two.release("key")
    assert not two.claim("key", 0)
    one.release("key")
    assert two.claim("key", 0)


def test_a_lease_that_ran_out_is_taken_and_its_late_holder_does_not_end_the_new_one(path: Path) -> None:
    one, two, three = reply_file(path, "one", lease_seconds=0.0), reply_file(path, "two"), reply_file(path, "three")
    assert one.claim("key", 0)
    assert two.claim("key", 0)
    one.renew("key")
    one.release("key")
    assert not three.claim("key", 0)


def test_a_key_whose_reply_is_there_cannot_be_claimed(path: Path) -> None:
    one, two = reply_file(path, "one"), reply_file(path, "two")
    one.store("key", "reply")
    assert not two.claim("key", 0)
    assert two.read("key", 0) == "reply"
    later = two.now() + 60
    assert two.read("key", later) is None
    assert two.claim("key", later)


def test_a_reply_that_was_mended_meanwhile_is_not_discarded(path: Path) -> None:
    one = reply_file(path, "one")
    one.store("key", "damaged")
    one.store("key", "sound")
    one.discard("key", "damaged")
    assert one.read("key", 0) == "sound"
    one.discard("key", "sound")
    assert one.read("key", 0) is None
