"""What learns from labelled pairs, and what it is given."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from memlab.embed.embedder import Embedder
from memlab.train.course import Course
from memlab.train.measure import Rows
from memlab.train.pairs import LabelledPair, thinned
from memlab.train.ranges import range_faults
from memlab.update.relation import Pair


@dataclass(frozen=True, slots=True)
class Material:
    """Labelled pairs by source, and all else that learning depends on."""

    train: Mapping[str, Sequence[LabelledPair]]
    validation: Mapping[str, Sequence[LabelledPair]]
    embedder: Embedder
    unrelated: float | None
    seed: int
    device: str | None
    threads: int

    def drawn(self, epoch: int) -> list[LabelledPair]:
        """Return the pairs of an epoch: all that are related, and as many of the others as wanted."""
        return [
            pair
            for source, pairs in self.train.items()
            for pair in thinned(pairs, unrelated=self.unrelated, seed=f"{self.seed} {epoch} {source}")
        ]

    def to_choose_by(self) -> dict[str, list[LabelledPair]]:
        """Return the validation pairs, with as many unrelated ones as learning has, so that a score means the same."""
        return {
            source: thinned(pairs, unrelated=self.unrelated, seed=f"{self.seed} {source}")
            for source, pairs in self.validation.items()
        }

    @contextmanager
    def repeatable(self) -> Iterator[None]:
        """Make torch give the same numbers each time within, and leave it as it was."""
        import torch

        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it, no GPU product is repeatable
        threads, exact = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
        with torch.random.fork_rng():
            torch.manual_seed(self.seed)
            torch.set_num_threads(self.threads)
            torch.use_deterministic_algorithms(True)
            try:
                yield
            finally:
                torch.set_num_threads(threads)
                torch.use_deterministic_algorithms(exact)


class Trained(ABC):
    """A model that has learnt."""

    @abstractmethod
    async def logits(self, pairs: Sequence[Pair]) -> Rows:
        """Return logits (len(pairs), 4) in the order of `RELATIONS`, not scaled by a temperature."""

    @abstractmethod
    def save(self, folder: Path, temperature: float) -> None:
        """Write all that the updater needs into a folder that is there."""

    @abstractmethod
    def sizes(self) -> dict[str, Any]:
        """Return what a card tells of the model: its backbone, its parameters."""


class Learner(ABC):
    """A way of learning, with its settings."""

    option: ClassVar[str]
    """The option of the config group `relation` that uses what is learnt."""
    files: ClassVar[tuple[str, ...]]
    """What is written beside the card."""

    def faults(self) -> list[str]:
        """Return which settings are out of range."""
        return range_faults(vars(self), prefix="model.")

    def size(self) -> int:
        """Return about how many bytes the model will have; raises ConfigError when what it begins with is not there."""
        return 0

    @abstractmethod
    async def learn(self, material: Material, course: Course) -> Trained:
        """Return the model of the epoch with the best validation; raises ConfigError when there is none."""
