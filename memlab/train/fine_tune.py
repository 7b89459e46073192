"""Fine-tuning of a transformer encoder on labelled pairs, with early stopping; the same seed gives the same weights."""

import asyncio
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import numpy as np

from memlab.settings import ConfigError
from memlab.train.backbone import Backbone, backbone, quiet_transformers
from memlab.train.course import Course
from memlab.train.learner import Learner, Material, Trained
from memlab.train.measure import Rows
from memlab.train.pairs import LabelledPair
from memlab.update.checkpoint import CARD, FILES
from memlab.update.fine_tuned import best_device
from memlab.update.pair_network import PairNetwork, Pieces, padded, pieces_of
from memlab.update.relation import RELATIONS, Pair

READ_AT_ONCE = 64
SORTED_TOGETHER = 32
"""Batches whose pairs are sorted by length together: little padding, and each still drawn from all over."""


@dataclass(frozen=True, kw_only=True)
class FineTuning(Learner):
    """The settings of a fine-tuning; conf/train/model/fine_tuned.yaml says what each one is."""

    option: ClassVar[str] = "fine_tuned"
    files: ClassVar[tuple[str, ...]] = tuple(name for name in FILES if name != CARD)

    backbone: str
    layers: int | None
    frozen_layers: int
    max_pieces: int
    epochs: int
    patience: int
    batch: int
    learning_rate: float
    head_learning_rate: float
    weight_decay: float
    warmup: float
    bfloat16: bool

    def size(self) -> int:
        """Return the bytes of the weights; raises ConfigError when the backbone cannot be had, or is too small."""
        import torch

        with torch.random.fork_rng():
            found = backbone(self.backbone, layers=self.layers)
        faults = []
        if (layers := found.layers) is not None and self.frozen_layers >= layers:
            faults.append(f"model.frozen_layers={self.frozen_layers}, but {layers} are used; give 0 to {layers - 1}")
        if self.max_pieces > (most := found.most_pieces):
            faults.append(f"model.max_pieces={self.max_pieces}, but {found.name} reads {most}; give 8 to {most}")
        if faults:
            raise ConfigError(faults)
        return sum(one.nbytes for module in found.network.modules() for one in module.parameters())

    async def learn(self, material: Material, course: Course) -> Trained:
        """Return the model of the epoch with the best validation."""
        with material.repeatable():
            found = backbone(self.backbone, layers=self.layers)
            model = Classified(
                found,
                material.device or best_device(),
                self.max_pieces,
                bfloat16=self.bfloat16,
                threads=material.threads,
            )
            freeze(found.network.encoder, self.frozen_layers)
            drawn = [material.drawn(epoch) for epoch in range(self.epochs)]
            optimizer, schedule = self._optimizer(found.network, sum(-(-len(pairs) // self.batch) for pairs in drawn))
            best = weights(found.network)
            for epoch, pairs in enumerate(course.epochs(drawn, self.batch)):
                batches = model.batches(pairs, self.batch, Random(f"{material.seed} {epoch}"))
                for batch in batches:  # a thread for each, so that a training can be stopped between two
                    course.step(await asyncio.to_thread(model.step, batch, optimizer, schedule))
                if await course.is_best(model.logits, material.to_choose_by()):
                    best = weights(found.network)
                if course.since_best > self.patience:
                    break
            for module, states in zip(found.network.modules(), best, strict=True):
                module.load_state_dict(states)
        return model

    def _optimizer(self, network: PairNetwork, steps: int) -> tuple[Any, Any]:
        """Return AdamW with a rate of its own for the head, and its schedule: up, then down to zero."""
        import torch

        body = [one for one in network.encoder.parameters() if one.requires_grad]
        groups = [
            {"params": body, "lr": self.learning_rate},
            {"params": list(network.head.parameters()), "lr": self.head_learning_rate},
        ]
        rising = max(1, round(self.warmup * steps))

        def rate(step: int) -> float:
            return min((step + 1) / rising, max(0.0, (steps - step) / max(1, steps - rising)))

        optimizer = torch.optim.AdamW(groups, weight_decay=self.weight_decay, fused=True)
        return optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, rate)


def weights(network: PairNetwork) -> list[dict[str, Any]]:
    """Return a copy of all weights."""
    return [deepcopy(module.state_dict()) for module in network.modules()]


def freeze(encoder: Any, layers: int) -> None:
    """Keep the weights of the embeddings and of the first layers as they are."""
    frozen = [encoder.embeddings] if hasattr(encoder, "embeddings") else []
    stack = getattr(getattr(encoder, "encoder", getattr(encoder, "transformer", None)), "layer", ())
    for module in (*frozen, *stack[:layers]):
        for one in module.parameters():
            one.requires_grad_(False)


class Classified(Trained):
    """A transformer with four classes, while it learns and after."""

    def __init__(self, found: Backbone, device: str, max_pieces: int, *, bfloat16: bool, threads: int) -> None:
        for module in found.network.modules():
            module.to(device)
        self.network = found.network
        self.device = device
        self._found = found
        self._max_pieces = max_pieces
        self._bfloat16 = bfloat16
        self._threads = threads
        found.tokenizer.enable_truncation(max_pieces)
        found.tokenizer.no_padding()

    def save(self, folder: Path, temperature: float) -> None:
        """Write the network, what its reader must know as `memlab` in config.json, and tokenizer.json."""
        self.network.encoder.config.memlab = {
            "relations": list(RELATIONS),
            "max_pieces": self._max_pieces,
            "temperature": temperature,
        }
        from safetensors import SafetensorError

        try:
            with quiet_transformers():
                self.network.save(folder)
        except SafetensorError as error:
            raise OSError(str(error)) from error
        (folder / "tokenizer.json").write_text(self._found.tokenizer.to_str(pretty=True), encoding="utf-8")

    def sizes(self) -> dict[str, Any]:
        """Return the backbone, its layers and its parameters."""
        return {
            "backbone": self._found.name,
            "layers": self._found.layers,
            "parameters": sum(one.numel() for module in self.network.modules() for one in module.parameters()),
        }

    def batches(self, pairs: Sequence[LabelledPair], size: int, random: Random) -> list[list[tuple[Pieces, int]]]:
        """Return the pairs in random batches of about one length each."""
        order = list(
            zip(
                pieces_of([pair.pair for pair in pairs], self._found.tokenizer),
                [pair.label for pair in pairs],
                strict=True,
            )
        )
        random.shuffle(order)
        batches = []
        for start in range(0, len(order), size * SORTED_TOGETHER):
            some = sorted(order[start : start + size * SORTED_TOGETHER], key=lambda one: len(one[0].ids))
            batches += [some[first : first + size] for first in range(0, len(some), size)]
        random.shuffle(batches)
        return batches

    def step(self, batch: Sequence[tuple[Pieces, int]], optimizer: Any, schedule: Any) -> float:
        """Learn from a batch; return its loss."""
        import torch

        torch.set_num_threads(self._threads)  # of this thread alone
        modules = self.network.modules()
        for module in modules:
            module.train()
        labels = torch.tensor([label for _, label in batch], device=self.device)
        logits = self._forward([pieces for pieces, _ in batch])
        loss = torch.nn.functional.cross_entropy(logits, labels)
        loss.backward()
        parameters = [one for module in modules for one in module.parameters() if one.requires_grad]
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()
        return float(loss.item())

    async def logits(self, pairs: Sequence[Pair]) -> Rows:
        """Return the logits of pairs."""
        pieces = pieces_of(pairs, self._found.tokenizer)
        order = sorted(range(len(pieces)), key=lambda number: len(pieces[number].ids))
        found = np.empty((len(pairs), len(RELATIONS)), np.float32)
        for start in range(0, len(pieces), READ_AT_ONCE):
            some = order[start : start + READ_AT_ONCE]
            found[some] = await asyncio.to_thread(self._read, [pieces[number] for number in some])
        return found

    def _read(self, pieces: Sequence[Pieces]) -> Rows:
        import torch

        torch.set_num_threads(self._threads)
        for module in self.network.modules():
            module.eval()
        with torch.inference_mode():
            rows: Rows = self._forward(pieces).cpu().numpy()
        return rows

    def _forward(self, pieces: Sequence[Pieces]) -> Any:
        """Return the logits of a batch as a tensor."""
        import torch

        width = max(len(one.ids) for one in pieces)
        batch = {name: one.to(self.device) for name, one in padded(pieces, rows=len(pieces), width=width).items()}
        with torch.autocast(self.device.partition(":")[0], torch.bfloat16, enabled=self._bfloat16):
            return self.network.logits(batch)
