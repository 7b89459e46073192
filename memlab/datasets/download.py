"""Fetching LOCOMO from its authors' repository."""

import hashlib
import os
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from urllib.request import urlopen

from memlab.datasets.dataset import DatasetError
from memlab.datasets.locomo import PUBLISHED_SHA256

# A commit, not a branch: what is fetched cannot change under the hash.
LOCOMO_URL = (
    "https://raw.githubusercontent.com/snap-research/locomo/3eb6f2c585f5e1699204e3c3bdf7adc5c28cb376/data/locomo10.json"
)
LICENCE = "LOCOMO (Maharana et al. 2024) is under CC BY-NC 4.0: credit the authors, no commercial use."
TIMEOUT_SECONDS = 60


def download_locomo(
    folder: Path,
    *,
    announce: Callable[[str], None],
    url: str = LOCOMO_URL,
    sha256: str = PUBLISHED_SHA256,
) -> Path:
    """Return the path of locomo10.json in `folder`, fetched from `url` unless it is there already.

    Raises DatasetError, and leaves no new file behind, when the file cannot be fetched or its hash is another one.
    """
    target = folder / "locomo10.json"
    by_hand = f"or fetch {url} by hand to {target}"
    try:
        if target.exists():
            found = hashlib.sha256(target.read_bytes()).hexdigest()
            if found != sha256:
                raise DatasetError(
                    f"{target} is there, but is not the published file (sha256 {found}, expected {sha256}); "
                    f"move it away and repeat, or keep it and set dataset.path={target}"
                )
            announce(f"{target} is there already, sha256 as published. {LICENCE}")
            return target
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatasetError(f"{target} cannot be written: {error}; choose another folder") from error

    announce(f"Fetching {url}")
    content = _fetched(url, by_hand)
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise DatasetError(
            f"{url} gave {len(content):,} bytes with sha256 {found}, expected {sha256}; nothing was kept. "
            f"Is a proxy or a login page in between? Try again, {by_hand}"
        )
    _put(content, target)
    announce(f"Wrote {target} ({len(content):,} bytes, sha256 as published). {LICENCE}")
    return target


def _fetched(url: str, by_hand: str) -> bytes:
    # In one piece: 2.8 MB, and a body cut short raises IncompleteRead only this way.
    try:
        with urlopen(url, timeout=TIMEOUT_SECONDS) as response:
            content: bytes = response.read()
    except (OSError, HTTPException) as error:
        raise DatasetError(f"{url} cannot be fetched: {error}; check the network and try again, {by_hand}") from error
    return content


def _put(content: bytes, target: Path) -> None:
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        partial.write_bytes(content)
        partial.replace(target)
    except OSError as error:
        raise DatasetError(f"{target} cannot be written: {error}; choose another folder") from error
    finally:
        partial.unlink(missing_ok=True)
