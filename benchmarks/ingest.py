"""Ingest with a warm embedding cache against a cold one: target at least 8x faster.

Both ingest the embedded dataset with the default parts; the model is loaded before, and each round has a cache folder
of its own.
"""

import asyncio
import statistics
import tempfile
from pathlib import Path
from time import perf_counter

from hydra import compose, initialize_config_dir
from measure import Figure

from memlab.conf_files import conf_folder
from memlab.config import build, settings
from memlab.embed.cached import CachedEmbedder
from memlab.embed.minilm import MiniLM
from memlab.ingest import ingest
from memlab.look_ahead import look_ahead
from memlab.parts import Parts
from memlab.store.dense import DenseStore
from memlab.summaries import Summaries
from memlab.windows import windows

ROUNDS = 5
TARGET = 8.0


async def ingest_all(parts: Parts, embedder: CachedEmbedder, *, m: int, s: int, ahead: int) -> int:
    """Ingest every conversation into a store of its own; return how many memories there are."""
    memories = 0
    for conversation in parts.dataset.read().conversations:
        store = DenseStore(embedder, exact_up_to=None)
        pairs = windows(conversation, size=parts.extractor.messages_per_window, m=m)
        ahead_of = look_ahead(pairs, parts.extractor, embedder, Summaries(parts.summary, pairs), ahead=ahead)
        async for _ in ingest(ahead_of, parts.updater, store, s=s):
            pass
        memories += len(store.memories())
    return memories


def seconds(parts: Parts, folder: Path, *, m: int, s: int, ahead: int) -> float:
    """Return how long ingestion takes with a fresh embedder over a cache folder."""
    embedder = CachedEmbedder(MiniLM(dtype="float32", threads=None), folder=folder)
    start = perf_counter()
    asyncio.run(ingest_all(parts, embedder, m=m, s=s, ahead=ahead))
    return perf_counter() - start


def main() -> None:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        config = compose("config")
    parts, chosen = build(config), settings(config)
    arguments = {"m": chosen.m, "s": chosen.s, "ahead": chosen.look_ahead}
    asyncio.run(MiniLM(dtype="float32", threads=None).embed(["load the model"]))
    rounds = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            cold = seconds(parts, Path(folder), **arguments)
            rounds.append((cold, seconds(parts, Path(folder), **arguments)))
    cold, warm = (statistics.median(column) for column in zip(*rounds, strict=True))
    figure = Figure(
        what="ingest of the embedded dataset: cold / warm embedding cache",
        ratio=statistics.median(cold / warm for cold, warm in rounds),
        target=TARGET,
        at_least=True,
        times=f"cold {cold:.2f} s, warm {warm:.3f} s",
    )
    print(figure.line())


if __name__ == "__main__":
    main()
