"""The place of a trained model: held before the work, taken once all is whole."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from memlab.settings import ConfigError
from memlab.train.checkpoint import CARD, NotPlaced, reserved, written

FILES = ("weights",)


def make(folder: Path, key: str = "k") -> bool:
    """Make a model of two files; return whether it was made now."""
    with reserved(folder, key, files=FILES) as draft:
        if draft is None:
            return False
        with written(draft, folder):
            (draft / "weights").write_text("w", encoding="utf-8")
            (draft / CARD).write_text(f'{{"key": "{key}"}}', encoding="utf-8")
    return True


def test_a_model_is_made_once_and_found_again(tmp_path: Path) -> None:
    assert [make(tmp_path / "out"), make(tmp_path / "out")] == [True, False]
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [CARD, "weights"]
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]


@pytest.mark.parametrize("lose", [lambda file: file.unlink(), lambda file: file.write_bytes(b"")])
def test_a_model_that_lost_its_weights_is_not_done(lose: object, tmp_path: Path) -> None:
    make(tmp_path / "out")
    lose(tmp_path / "out" / "weights")  # type: ignore[operator]
    with pytest.raises(ConfigError, match="has lost weights; remove that folder, and train again"):
        make(tmp_path / "out")


def test_a_place_that_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    for folder in (tmp_path / "file" / "x", Path("/dev/null/x"), Path("/proc/x"), tmp_path / ("x" * 300)):
        with (
            pytest.raises(ConfigError, match=r"cannot be written .*; choose another folder"),
            reserved(folder, "k", files=FILES),
        ):
            raise AssertionError("the work began")


def test_a_link_to_an_empty_folder_leads_to_the_model(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert make(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "weights").exists()


def test_only_one_training_has_a_place_at_a_time(tmp_path: Path) -> None:
    with (
        reserved(tmp_path / "out", "k", files=FILES),
        pytest.raises(ConfigError, match="another process trains to output="),
    ):
        make(tmp_path / "out")


def test_what_is_not_ours_beside_the_place_stays(tmp_path: Path) -> None:
    (tmp_path / "out.draft").mkdir()
    (tmp_path / "out.draft" / "thesis.txt").write_text("mine", encoding="utf-8")
    assert make(tmp_path / "out")
    assert (tmp_path / "out.draft" / "thesis.txt").read_text(encoding="utf-8") == "mine"


def test_a_model_that_cannot_take_its_place_is_kept_and_named(tmp_path: Path) -> None:
    def train() -> None:
        with reserved(tmp_path / "out", "k", files=FILES) as draft:
            assert draft is not None
            (tmp_path / "out").mkdir()
            (tmp_path / "out" / "new.txt").write_text("came meanwhile", encoding="utf-8")
            with written(draft, tmp_path / "out"):
                (draft / "weights").write_text("w", encoding="utf-8")
                (draft / CARD).write_text('{"key": "k"}', encoding="utf-8")

    with pytest.raises(NotPlaced, match=r"it is whole in .*\.out\.memlab-draft: move it yourself"):
        train()
    assert (tmp_path / ".out.memlab-draft" / "weights").exists()
    (tmp_path / "out" / "new.txt").unlink()
    with pytest.raises(ConfigError, match="is a trained model that could not take its place"):
        make(tmp_path / "out")


def test_a_full_disk_is_told_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=500_000))
    with pytest.raises(ConfigError, match=r"has 0\.5 MB left, but the model needs 1\.0"):
        make(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_at_the_end_is_told_and_half_a_model_removed(tmp_path: Path) -> None:
    def train() -> None:
        with reserved(tmp_path / "out", "k", files=FILES) as draft:
            assert draft is not None
            with written(draft, tmp_path / "out"):
                (draft / "weights").write_text("w", encoding="utf-8")
                raise OSError(28, "No space left on device")

    with pytest.raises(ConfigError, match=r"cannot be written \(No space left on device\)"):
        train()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_training_left_is_cleared(tmp_path: Path) -> None:
    (tmp_path / ".out.memlab-draft").mkdir()
    (tmp_path / ".out.memlab-draft" / "half").touch()
    assert make(tmp_path / "out")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == [CARD, "weights"]
