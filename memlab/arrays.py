"""Arrays saved in a file, read so that a damaged file is told and never used."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import Any
from zipfile import BadZipFile

import numpy as np

DAMAGE = (OSError, EOFError, KeyError, TypeError, RuntimeError, BadZipFile, TokenError, zlib.error)
"""What numpy raises for files that were cut or changed, beside ValueError."""


@contextmanager
def arrays_in(file: Path) -> Iterator[Any]:
    """Give the arrays of a .npz file by name; raises ValueError, also for one that is not there, when it is damaged."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            yield arrays
    except DAMAGE as error:
        raise ValueError(f"{file.name} is damaged: {error}") from error
