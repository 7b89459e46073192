"""A transformer fine-tuned to read a memory and a candidate together: `python -m memlab train updater` makes one."""

import asyncio
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from memlab.embed.minilm import BATCH_PIECES, WIDTHS, batches_of, full_rows, width_for
from memlab.part import PartFailed
from memlab.stopwatch import aside
from memlab.update.checkpoint import checkpoint_faults, reading, unusable
from memlab.update.pair_network import PairNetwork, Pieces, loaded_network, padded, pieces_of
from memlab.update.relation import RELATIONS, Pair, PairModel, Probabilities

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class FineTuned(PairModel):
    """Relations by a transformer with a head of four classes, temperature scaled.

    The bytes of a pair's numbers depend on its texts, the checkpoint, processor and torch version: not on the batch.
    `device`: cpu, cuda or mps; None: a GPU where there is one.
    """

    model_files = ("checkpoint",)

    def __init__(self, *, checkpoint: str, device: str | None) -> None:
        self._folder = Path(checkpoint)
        self._device = device

    async def probabilities(self, pairs: Sequence[Pair]) -> Probabilities:
        """Return calibrated probabilities, a row a pair; raises PartFailed when the checkpoint cannot be used."""
        if not pairs:
            return np.empty((0, len(RELATIONS)), np.float32)
        in_worker = partial(asyncio.get_running_loop().run_in_executor, workers())
        with aside():
            reader = await in_worker(loaded, self._folder.resolve(), self._device)
        pieces = await in_worker(pieces_of, pairs, reader.tokenizer)
        batches = reader.batches(pieces)
        jobs = [in_worker(reader.read, [pieces[number] for number in batch]) for batch in batches]
        found = np.empty((len(pairs), len(RELATIONS)), np.float32)
        for batch, rows in zip(batches, await asyncio.gather(*jobs), strict=True):
            found[batch] = rows
        return found

    def missing(self) -> list[str]:
        """Return the packages that are not installed, or what is wrong with checkpoint and device, with the remedy."""
        faults = [
            f'relation=fine_tuned needs the package {package}; pip install "memlab[offline]"'
            for package in ("torch", "transformers", "tokenizers", "safetensors")
            if find_spec(package) is None
        ]
        return faults or checkpoint_faults(self._folder) + device_faults(self._device)


@dataclass(frozen=True, slots=True)
class Reader:
    """A loaded checkpoint; any number of threads may use it at once.

    `small_batches_are_exact` says whether matrix products here give a row the same bits in a small product as in a
    full one. Where they do not, a processor reads each pair alone, without padding: a window has too few pairs of one
    width to fill batches with, and one pair keeps a core busy. A GPU, which one pair does not, fills them up.
    """

    tokenizer: "Tokenizer"
    network: PairNetwork
    device: str
    temperature: float
    small_batches_are_exact: bool

    @property
    def reads_alone(self) -> bool:
        """Whether each pair is a batch of its own."""
        return self.device == "cpu" and not self.small_batches_are_exact

    def batches(self, pieces: Sequence[Pieces]) -> list[list[int]]:
        """Return the numbers of the pairs in batches."""
        if self.reads_alone:
            return [[number] for number in range(len(pieces))]
        return batches_of([len(one.ids) for one in pieces])

    def read(self, pieces: Sequence[Pieces]) -> Probabilities:
        """Return the probabilities of a batch."""
        import torch

        longest = max(len(one.ids) for one in pieces)
        width = longest if self.reads_alone else width_for(longest)
        rows = 1 << (len(pieces) - 1).bit_length() if self.device == "cpu" else full_rows(width)
        # In this worker thread only: parallelism is over batches.
        torch.set_num_threads(1)
        with torch.inference_mode():
            batch = {name: one.to(self.device) for name, one in padded(pieces, rows=rows, width=width).items()}
            found: Probabilities = torch.softmax(self.network.logits(batch) / self.temperature, 1).cpu().numpy()
        return found[: len(pieces)]


@cache
def workers() -> ThreadPoolExecutor:
    """Return the process's worker threads, one a core."""
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="fine_tuned")


LOADING = threading.Lock()


def loaded(folder: Path, device: str | None) -> Reader:
    """Return the process's reader of a checkpoint, loaded by the first caller."""
    with LOADING:
        return load(folder, device)


@cache
def load(folder: Path, device: str | None) -> Reader:
    """Read a checkpoint; raises PartFailed when it is none, damaged, or of parts that do not fit each other."""
    import torch

    if faults := checkpoint_faults(folder) + device_faults(device):
        raise PartFailed(faults[0])
    device = device or best_device()
    dtype = torch.bfloat16 if device == "cpu" and has_bfloat16() else torch.float32
    try:
        how, network = reading(folder), loaded_network(folder, dtype)
    except ValueError as error:
        raise PartFailed(unusable(folder, error)) from error
    torch.set_num_threads(1)
    for module in network.modules():
        module.to(device)
    exact = device == "cpu" and small_products_are_exact(network)
    return Reader(how.tokenizer, network, device, how.temperature, exact)


def device_faults(device: str | None) -> list[str]:
    """Return that torch has no such device here."""
    if device in (None, "cpu") or device in (there := devices()):
        return []
    return [f"device={device} is none that torch has here; give {', '.join(there)}, or null for the fastest"]


def best_device() -> str:
    """Return the fastest device there is."""
    return devices()[0]


def devices() -> list[str]:
    """Return the devices that torch has here, the fastest first."""
    import torch

    cuda = ["cuda", *(f"cuda:{number}" for number in range(torch.cuda.device_count()))]
    mps = ["mps"] if torch.backends.mps.is_available() else []
    return [*(cuda if torch.cuda.is_available() else []), *mps, "cpu"]


def has_bfloat16() -> bool:
    """Return whether this processor multiplies bfloat16 itself; where it does not, float32 is faster."""
    import torch

    return bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())


def small_products_are_exact(network: PairNetwork) -> bool:
    """Return whether the network's matrix products give a row the same bits in every batch shape that is used."""
    import torch

    shapes = {width << doubling for width in WIDTHS for doubling in range(full_rows(width).bit_length())}
    heights = shapes | {1 << doubling for doubling in range(full_rows(WIDTHS[0]).bit_length())}
    random = torch.Generator().manual_seed(0)
    linears = {
        one.weight.shape: one
        for module in network.modules()
        for one in module.modules()
        if isinstance(one, torch.nn.Linear)
    }
    with torch.inference_mode():
        for linear in linears.values():
            rows = torch.randn(BATCH_PIECES, linear.in_features, generator=random).to(linear.weight.dtype)
            whole = linear(rows)
            if not all(torch.equal(linear(rows[-height:]), whole[-height:]) for height in heights):
                return False
    return True
