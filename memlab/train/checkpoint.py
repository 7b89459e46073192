"""The folder of a trained model: there whole, with its card, or not there at all."""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from memlab.settings import ConfigError

CARD = "card.json"


def finished(folder: Path, key: str, *, files: Sequence[str] = ()) -> bool:
    """Return whether the model of this key is there, with these files beside its card.

    Raises ConfigError when something else is in its place, and when its place cannot be written: before any work.
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        empty_draft(folder).rmdir()
        return False
    try:
        there = json.loads((folder / CARD).read_bytes()).get("key") if (folder / CARD).exists() else None
    except (OSError, ValueError, AttributeError):
        there = None
    if there == key:
        if lost := [name for name in files if not (folder / name).is_file()]:
            raise ConfigError([f"output={folder} has lost {', '.join(lost)}; remove that folder, and train again"])
        return True
    what = "a model of other settings, data or versions" if there else "something that is no finished model"
    raise ConfigError([f"output={folder} holds {what}; choose another folder, or remove that one"])


def empty_draft(folder: Path) -> Path:
    """Return a new folder beside a folder; raises ConfigError when none can be made."""
    draft = folder.with_name(f"{folder.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        draft.mkdir(parents=True)
    except OSError as error:
        why = error.strerror or error
        raise ConfigError([f"output={folder} cannot be written ({why}); choose another folder"]) from error
    return draft


@contextmanager
def written(folder: Path) -> Iterator[Path]:
    """Give a folder to write to, which takes the place of `folder` once all is written; a kill leaves nothing there."""
    draft = empty_draft(folder)
    try:
        yield draft
        if folder.exists():
            folder.rmdir()  # empty, as `finished` made sure
        os.replace(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
