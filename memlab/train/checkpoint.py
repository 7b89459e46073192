"""The folder of a trained model: there whole, with its card, or not there at all."""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from memlab.settings import ConfigError

CARD = "card.json"
"""The file of a model that is written last."""
LOCK = ".lock"
LEAST_FREE = 1 << 20
"""Bytes that any model and its card may take."""


class NotPlaced(ConfigError):
    """A trained model cannot take its place; it is whole, where the message says."""


@contextmanager
def reserved(folder: Path, key: str, *, files: Sequence[str]) -> Iterator[Path | None]:
    """Hold a new folder to write a model to, its draft; None: the model of this key is there, with these files.

    Raises ConfigError, before any work, when something else is in its place, when its place cannot be written, and
    when another process is about to. What ends the work removes the draft, unless the model is whole.
    """
    if finished(folder, key, files):
        yield None
        return
    place = place_of(folder)
    draft = place.with_name(f".{place.name}.memlab-draft")
    lock = FileLock(draft / LOCK, timeout=0)
    try:
        draft.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout as error:
        raise ConfigError([f"another process trains to output={folder}; wait for it, or choose another"]) from error
    except OSError as error:
        raise unwritable(folder, error) from error
    with lock:
        if key_in(draft):
            raise ConfigError([f"{draft} is a trained model that could not take its place; move it, or remove it"])
        for left in draft.iterdir():  # by a training that was killed
            if left.name != LOCK:
                left.unlink()
        try:
            check_room(draft, folder, LEAST_FREE)
            yield draft
        except NotPlaced:
            raise
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise


@contextmanager
def written(draft: Path, folder: Path) -> Iterator[None]:
    """Put the draft in its place once all is written; raises ConfigError when it cannot be, NotPlaced with all kept."""
    try:
        yield
        (draft / LOCK).unlink()
    except OSError as error:
        raise unwritable(folder, error) from error
    try:
        os.replace(draft, place_of(folder))  # over an empty folder, too
    except OSError as error:
        why = error.strerror or error
        raise NotPlaced(
            [f"the model cannot be moved to output={folder} ({why}); it is whole in {draft}: move it yourself"]
        ) from error


def finished(folder: Path, key: str, files: Sequence[str]) -> bool:
    """Return whether the model of this key is there; raises ConfigError when something else is, or a file is lost."""
    try:
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            if place_of(folder).is_mount():
                raise ConfigError([f"output={folder} is where a disk is mounted; choose a folder in it"])
            return False
    except OSError as error:
        raise unwritable(folder, error) from error
    there = key_in(folder)
    if there == key:
        if lost := [name for name in files if not has_content(folder / name)]:
            raise ConfigError([f"output={folder} has lost {', '.join(lost)}; remove that folder, and train again"])
        return True
    what = "a model of other settings, data or versions" if there else "something that is no finished model"
    raise ConfigError([f"output={folder} holds {what}; choose another folder, or remove that one"])


def key_in(folder: Path) -> str | None:
    """Return the key on the card in a folder; None without a card that can be read."""
    try:
        return str(json.loads((folder / CARD).read_bytes())["key"])
    except (OSError, ValueError, TypeError, KeyError):
        return None


def has_content(file: Path) -> bool:
    """Return whether a file is there, and not cut to nothing."""
    return file.is_file() and file.stat().st_size > 0


def place_of(folder: Path) -> Path:
    """Return where a folder is, links followed: a link to an empty folder stays, and leads to the model."""
    return Path(os.path.realpath(folder))


def check_room(draft: Path, folder: Path, size: int) -> None:
    """Raise ConfigError when a disk has not so many bytes left."""
    if (free := shutil.disk_usage(draft).free) < size:
        raise ConfigError(
            [
                f"output={folder} has {free / 1e6:,.1f} MB left, but the model needs {size / 1e6:,.1f}; "
                "free some space or choose another folder"
            ]
        )


def unwritable(folder: Path, error: OSError) -> ConfigError:
    """Return the error of a place where no model can be written."""
    return ConfigError([f"output={folder} cannot be written ({error.strerror or error}); choose another folder"])
