"""Saved stores: `store.json` beside one array of vectors, replaced in a single step."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from memlab.embed.embedder import Embedder, Vectors
from memlab.memory_json import SCHEMA_VERSION, Json

_NAME = "store.json"


def write_store(folder: Path, contents: Json, vectors: Vectors, embedder: Embedder) -> None:
    """Write a store to a folder, made if missing; a save that is cut short leaves the earlier one readable.

    The array's file is named after its bytes, so the replacement of `store.json` alone switches to the new one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    array = f"vectors-{hashlib.sha256(vectors.tobytes()).hexdigest()[:16]}.npy"
    header = {
        "schema": SCHEMA_VERSION,
        "embedder": {"name": embedder.name, "dimension": embedder.dimension},
        "vectors": array,
    }
    with (folder / "vectors.tmp").open("wb") as file:
        np.save(file, vectors, allow_pickle=False)
    os.replace(folder / "vectors.tmp", folder / array)
    (folder / "store.tmp").write_text(json.dumps(header | contents, indent=1) + "\n", encoding="utf-8")
    os.replace(folder / "store.tmp", folder / _NAME)
    for stale in folder.glob("vectors-*.npy"):
        if stale.name != array:
            stale.unlink()


def read_store(folder: Path, embedder: Embedder) -> tuple[Json, Vectors]:
    """Return what `write_store` wrote; raises ValueError on another schema, or naming both embedders on another one."""
    path = folder / _NAME
    contents: Json = json.loads(path.read_text(encoding="utf-8"))
    if contents["schema"] != SCHEMA_VERSION:
        raise ValueError(
            f"{path} has schema {contents['schema']}, but this memlab reads {SCHEMA_VERSION}; save it again"
        )
    saved, own = contents["embedder"], {"name": embedder.name, "dimension": embedder.dimension}
    if saved != own:
        raise ValueError(
            f"{path} holds vectors of {_named(saved)}, but this store embeds with {_named(own)}; "
            f"load it with embedder {saved['name']!r}, or ingest again"
        )
    vectors: Vectors = np.load(folder / contents["vectors"], allow_pickle=False)
    return contents, vectors


def _named(embedder: dict[str, Any]) -> str:
    return f"{embedder['name']!r} (dimension {embedder['dimension']})"
