"""`python -m memlab data NAME`: download a dataset to a folder, with its hash checked."""

import argparse
from pathlib import Path

from memlab.datasets.download import download_locomo


def main(arguments: list[str]) -> None:
    """Download what the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m memlab data", description=__doc__)
    parser.add_argument("name", choices=["locomo"])
    parser.add_argument("--folder", type=Path, default=Path("data"))
    chosen = parser.parse_args(arguments)
    path = download_locomo(chosen.folder, announce=print)
    print(
        f"ready: {path}; run it with dataset=locomo"
        + ("" if chosen.folder == Path("data") else f" dataset.path={path}")
    )
