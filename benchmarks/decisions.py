"""Candidates decided a second with s=10, one after the other as a run does: frozen_head 1,000, classifier 50 at least.

    python benchmarks/decisions.py [--checkpoint FOLDER] [--weights FILE]

Synthetic conversations in the stores that right decisions make of them. Vectors are at hand, as in a run, where the
store has asked for them before. The classifier is measured where there is a checkpoint, the head with its weights.
"""

import argparse
import asyncio
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from hydra import compose, initialize_config_dir
from measure import Figure, interleaved

from memlab.conf_files import conf_folder
from memlab.config import build_node, nodes
from memlab.datasets.dataset import Dataset
from memlab.embed.cached import CachedEmbedder
from memlab.embed.minilm import MiniLM
from memlab.extract.gold import Gold
from memlab.train.decisions import pairs_of
from memlab.train.walk import Step, walk
from memlab.update.text_features import text_features
from memlab.update.updater import Updater

MESSAGES, S, ROUNDS = 400, 10, 5
TARGETS = {"append": 0.0, "threshold": 0.0, "frozen_head": 1000.0, "frozen_head_careful": 0.0, "classifier": 50.0}


async def figures(checkpoint: str, weights: str | None, cache: str) -> list[Figure]:
    embedder = CachedEmbedder(MiniLM(dtype="float32", threads=None), folder=cache)
    config = compose("config", ["dataset=synthetic", f"dataset.messages={MESSAGES}"])
    dataset = build_node(nodes(config)["dataset"], {}, wrap=lambda part: part)
    assert isinstance(dataset, Dataset)
    steps = await walk(dataset, Gold(dataset), embedder, s=S)
    # A sentence of a merged memory was a candidate of its own once: its vector is at hand in a run, too.
    await embedder.embed([part for pair in pairs_of(steps) for part in text_features(pair.memory).parts])
    makers: dict[str, Callable[[], Updater]] = {}
    for name in TARGETS:
        node = updater_node(name, checkpoint, weights)
        makers[name] = lambda node=node: built(node, embedder)  # type: ignore[misc]
    ready = {name: make for name, make in makers.items() if not missing(make())}
    for name in makers.keys() - ready.keys():
        print(f"{name}: not measured: {missing(makers[name]())[0]}")
    times = await interleaved(ROUNDS, *(decide_all(make, steps) for make in ready.values()))
    return [
        Figure(
            f"candidates decided a second, s={S}: updater={name}",
            len(steps) / median(own),
            TARGETS[name],
            at_least=True,
            times=f"{1000 * median(own) / len(steps):.3f} ms a candidate",
            unit=" candidates/s",
        )
        for name, own in zip(ready, times, strict=True)
    ]


def updater_node(name: str, checkpoint: str, weights: str | None) -> dict[str, Any]:
    keys = {
        "classifier": [f"updater.relation.checkpoint={checkpoint}"],
        "frozen_head": [f"updater.relation.weights={weights}"] if weights else [],
    }
    return dict(nodes(compose("config", [f"updater={name}", *keys.get(name, [])]))["updater"])


def built(node: dict[str, Any], embedder: CachedEmbedder) -> Updater:
    updater = build_node(node, {"embedder": embedder}, wrap=lambda part: part)
    assert isinstance(updater, Updater)
    return updater


def missing(updater: Updater) -> list[str]:
    model = getattr(updater, "_model", updater)
    return list(model.missing())


def decide_all(make: Callable[[], Updater], steps: list[Step]) -> Callable[[int], Any]:
    async def action(_: int) -> None:
        updater = make()  # a new one remembers nothing of the round before
        for step in steps:
            await updater.decide([step.proposal])

    return action


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", default="models/updater", metavar="FOLDER", help="of updater=classifier")
    parser.add_argument("--weights", metavar="FILE", help="of updater=frozen_head; by default those shipped")
    chosen = parser.parse_args()
    checkpoint = str(Path(chosen.checkpoint).resolve())
    with initialize_config_dir(str(conf_folder()), version_base="1.3"), TemporaryDirectory() as cache:
        for figure in await figures(checkpoint, chosen.weights, cache):
            print(figure.line())


if __name__ == "__main__":
    asyncio.run(main())
