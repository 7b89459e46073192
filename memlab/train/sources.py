"""All labelled pairs that the settings of a training ask for, by source."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from memlab.datasets.dataset import Dataset
from memlab.embed.embedder import Embedder
from memlab.extract.extractor import Extractor
from memlab.extract.gold import Gold
from memlab.records import RunFolder
from memlab.settings import ConfigError
from memlab.train import halumem, sick, synthetic
from memlab.train.pairs import LabelledPair, Parts, counts
from memlab.train.run import recorded
from memlab.train.walk import Step, walk

SPLITS = ("train", "validation", "test")


@dataclass(slots=True)
class Sources:
    """The pairs of each source, the oracle's steps through the held-out synthetic splits, and what they were read from.

    `steps` are by source and split, as `synthetic test`. `about` holds for each source its licence and the sha256 of
    its data.
    """

    parts: dict[str, Parts] = field(default_factory=dict)
    steps: dict[str, list[Step]] = field(default_factory=dict)
    about: dict[str, dict[str, Any]] = field(default_factory=dict)

    def of(self, split: str) -> dict[str, tuple[LabelledPair, ...]]:
        """Return the pairs of a split by source, sources without any left out."""
        found = {source: getattr(parts, split) for source, parts in self.parts.items()}
        return {source: pairs for source, pairs in found.items() if pairs}

    def counts(self) -> dict[str, Any]:
        """Return how many pairs of each relation each source has in each split."""
        return {
            source: {split: counts(getattr(parts, split)) for split in SPLITS} for source, parts in self.parts.items()
        }


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where pairs are to come from; None: not from there.

    `synthetic` has a dataset for each split. Where `rewritten` is an extractor, what it proposes on the same
    conversations is a source of its own, and `rewriting` its settings.
    """

    synthetic: Mapping[str, Dataset] | None
    rewritten: Extractor | None
    rewriting: Mapping[str, Any]
    sick: Path | None
    halumem: Path | None
    from_run: Path | None

    def fingerprints(self) -> dict[str, dict[str, Any]]:
        """Return for each source that is there its licence and the sha256 of its data."""
        found: dict[str, dict[str, Any]] = {}
        if self.synthetic:
            hashes = {split: dataset.read().sha256 for split, dataset in self.synthetic.items()}
            found["synthetic"] = {"licence": "memlab's own", "sha256": hashes}
            if self.rewritten is not None:
                found["rewritten"] = {"licence": "memlab's own", "sha256": hashes, "extractor": dict(self.rewriting)}
        for name, path, licence in (("sick", self.sick, sick.LICENCE), ("halumem", self.halumem, halumem.LICENCE)):
            if path is not None and path.is_file():
                found[name] = {"licence": licence, "sha256": sha256(path)}
        if self.from_run is not None:
            file = RunFolder(self.from_run).file("ingest")
            read = {"sha256": sha256(file)} if file.is_file() else {}
            found["run"] = {"licence": "as the run's dataset and model", "run": self.from_run.name, **read}
        return found

    def walks(self) -> dict[str, Callable[[Dataset], Extractor]]:
        """Return the sources that are the oracle's ways through the conversations, and what proposes on each."""
        found: dict[str, Callable[[Dataset], Extractor]] = {"synthetic": Gold}
        if (rewrite := self.rewritten) is not None:
            found["rewritten"] = lambda _: rewrite
        return found if self.synthetic else {}


def sha256(file: Path) -> str:
    """Return the sha256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


async def gathered(wanted: Wanted, embedder: Embedder, console: Console, *, s: int) -> Sources:
    """Return all pairs; raises DatasetError for files that are damaged, ConfigError when there is nothing to learn."""
    sources = Sources(about=wanted.fingerprints())
    if wanted.from_run is not None:
        sources.parts["run"] = recorded(wanted.from_run)
    files: tuple[tuple[str, Path | None, Callable[[Path], Parts]], ...] = (
        ("sick", wanted.sick, sick.sick),
        ("halumem", wanted.halumem, halumem.halumem),
    )
    for name, path, read in files:
        if path is not None and path.is_file():
            sources.parts[name] = read(path)
        elif path is not None:
            console.print(f"{name}: left out, there is no {path}", highlight=False)
    for name, extractor in wanted.walks().items():
        pairs = {}
        for split, dataset in (wanted.synthetic or {}).items():
            with console.status(f"{name} {split}: the oracle's way through"):
                steps = await walk(dataset, extractor(dataset), embedder, s=s)
            pairs[split] = tuple(synthetic.pairs(steps))
            if split != "train":
                sources.steps[f"{name} {split}"] = steps
        sources.parts[name] = Parts(**pairs)
    for name, parts in sources.parts.items():
        told = ", ".join(f"{len(getattr(parts, split))} to {use}" for split, use in zip(SPLITS, USES, strict=True))
        console.print(f"{name}: pairs {told}", highlight=False)
    for split, use in (("train", "learn from"), ("validation", "validate on")):
        if not sources.of(split):
            raise ConfigError([f"no source has pairs to {use}; synthetic=true has, and SICK.txt as sick=PATH"])
    return sources


USES = ("learn from", "validate on", "test on")
