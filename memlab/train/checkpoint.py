"""The folder of a trained model: there whole, with its card, or not there at all."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memlab.settings import ConfigError

CARD = "card.json"


def finished(folder: Path, key: str) -> bool:
    """Return whether the model of this key is there; raises ConfigError when something else is in its place."""
    if not folder.exists():
        return False
    try:
        there = json.loads((folder / CARD).read_bytes()).get("key") if (folder / CARD).exists() else None
    except (OSError, ValueError, AttributeError):
        there = None
    if there == key:
        return True
    if there is None and folder.is_dir() and not any(folder.iterdir()):
        return False
    what = "a model of other settings, data or versions" if there else "something that is no finished model"
    raise ConfigError([f"output={folder} holds {what}; choose another folder, or remove that one"])


@contextmanager
def written(folder: Path) -> Iterator[Path]:
    """Give a folder to write to, which takes the place of `folder` once all is written; a kill leaves nothing there."""
    draft = folder.with_name(f"{folder.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        yield draft
        if folder.exists():
            folder.rmdir()  # empty, as `finished` made sure
        os.replace(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
