"""The network of relation=fine_tuned: a transformer encoder over both texts, and a head on what it makes of each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memlab.update.checkpoint import CONFIG, HEAD, WEIGHTS
from memlab.update.relation import RELATIONS, Pair

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Pieces:
    """The word pieces of a pair: their ids, their types, and where the two texts are (0, 1; None: a special piece)."""

    ids: list[int]
    types: list[int]
    texts: list[int | None]


def pieces_of(pairs: Sequence[Pair], tokenizer: "Tokenizer") -> list[Pieces]:
    """Return the word pieces of each pair."""
    # One at a time: a batch would start the tokeniser's own threads, which a later fork warns about.
    encoded = (tokenizer.encode(sound(pair.memory), sound(pair.candidate)) for pair in pairs)
    return [Pieces(one.ids, one.type_ids, one.sequence_ids) for one in encoded]


def sound(text: str) -> str:
    """Return a text without halves of surrogate pairs, which are none to the tokeniser."""
    return text.encode("utf-8", "replace").decode()


def padded(pieces: Sequence[Pieces], *, rows: int, width: int) -> dict[str, "Tensor"]:
    """Return the tensors of a batch; rows without a pair only fill it."""
    import torch

    ids, types, mask = (np.zeros((rows, width), np.int64) for _ in range(3))
    texts = np.zeros((2, rows, width), np.float32)
    mask[:, 0] = 1  # a row must not be empty
    for row, one in enumerate(pieces):
        length = len(one.ids)
        ids[row, :length], types[row, :length], mask[row, :length] = one.ids, one.types, 1
        for place, text in enumerate(one.texts):
            if text is not None:
                texts[text, row, place] = 1
    arrays = {
        "input_ids": ids,
        "token_type_ids": types,
        "attention_mask": mask,
        "memory": texts[0],
        "candidate": texts[1],
    }
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


class PairNetwork:
    """Any encoder of transformers with a linear head; `encoder` and `head` are torch modules.

    The encoder reads both texts together. The states of each are averaged, and the head sees both means, how far they
    are apart and their product: a few layers of a sentence encoder tell more so than by the state of the first piece.
    """

    def __init__(self, encoder: Any, head: Any) -> None:
        self.encoder = encoder
        self.head = head

    @property
    def takes_types(self) -> bool:
        """Whether the encoder is told which of the texts a word piece belongs to."""
        return bool(getattr(self.encoder.config, "type_vocab_size", 0))

    def logits(self, batch: dict[str, "Tensor"]) -> "Tensor":
        """Return the logits of a padded batch."""
        import torch

        names = ["input_ids", "attention_mask", *(["token_type_ids"] if self.takes_types else [])]
        states = self.encoder(**{name: batch[name] for name in names}).last_hidden_state.float()
        memory, candidate = (mean(states, batch[name]) for name in ("memory", "candidate"))
        both = torch.cat([memory, candidate, (memory - candidate).abs(), memory * candidate], 1)
        found: Tensor = self.head(both)
        return found.float()

    def modules(self) -> list[Any]:
        """Return both modules."""
        return [self.encoder, self.head]

    def save(self, folder: Path) -> None:
        """Write config.json and model.safetensors of the encoder, as transformers loads it, and the head."""
        from safetensors.torch import save_file

        self.encoder.save_pretrained(folder)
        save_file(
            {name: one.detach().cpu().contiguous() for name, one in self.head.state_dict().items()}, folder / HEAD
        )


def mean(states: "Tensor", weights: "Tensor") -> "Tensor":
    """Return the mean state of the pieces of weight 1, a row a pair; zeros where there are none."""
    return (states * weights[:, :, None]).sum(1) / weights.sum(1, keepdim=True).clamp(min=1)


def new_head(width: int) -> Any:
    """Return a head for states of a width, drawn from torch's seed."""
    from torch import nn

    return nn.Sequential(nn.Dropout(0.1), nn.Linear(4 * width, len(RELATIONS)))


def loaded_network(folder: Path, dtype: Any) -> PairNetwork:
    """Return the network in a folder, ready to read with; raises ValueError when its files do not fit each other."""
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModel
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()  # what does not fit is told by the error
    try:
        encoder, found = AutoModel.from_pretrained(
            folder, local_files_only=True, dtype=dtype, output_loading_info=True, ignore_mismatched_sizes=True
        )
    except Exception as error:
        # A config of nonsense fails wherever transformers first makes use of it, with anything.
        told, _, _ = str(error).partition("\n")
        raise ValueError(f"{CONFIG} or {WEIGHTS} is damaged: {told}") from error
    check_fit(found)
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None  # what it makes of the first state is not used
    with torch.device("meta"):
        head = new_head(encoder.config.hidden_size)
    try:
        head.load_state_dict(load_file(folder / HEAD), assign=True)
    except RuntimeError as error:
        _, _, told = str(error).rpartition("\n")
        raise ValueError(f"{HEAD} does not fit {WEIGHTS}: {told.strip()}") from error
    for name, module in ((WEIGHTS, encoder), (HEAD, head)):
        if not all(one.isfinite().all() for one in module.state_dict().values()):
            raise ValueError(f"{name} holds NaN or an infinite number")
    return PairNetwork(encoder.eval(), head.eval())


def check_fit(found: Mapping[str, Iterable[Any]]) -> None:
    """Raise ValueError when weights were not those that config.json asks for; of the pooler none are needed."""
    said = {"missing_keys": "lacks", "unexpected_keys": "has also", "mismatched_keys": "has of another size"}
    for kind, words in said.items():
        names = sorted(key if isinstance(key, str) else key[0] for key in found[kind])
        if names := [name for name in names if not name.startswith("pooler.")]:
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            raise ValueError(f"{WEIGHTS} does not fit {CONFIG}: it {words} {names[0]}{more}")
