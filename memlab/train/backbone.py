"""The encoder that is fine-tuned: MiniLM's first layers as memlab has them at hand, or any of the Hugging Face hub."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memlab.embed.minilm import REPOSITORY, weights_file
from memlab.settings import ConfigError
from memlab.update.pair_network import PairNetwork, new_head

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class Backbone:
    """An encoder with a new head, and its tokeniser; `most_pieces` are those that both can take at once."""

    name: str
    network: PairNetwork
    tokenizer: "Tokenizer"
    most_pieces: int

    @property
    def layers(self) -> int | None:
        """Layers of the encoder, where its config tells."""
        return getattr(self.network.encoder.config, "num_hidden_layers", None)


def backbone(name: str, *, layers: int | None) -> Backbone:
    """Return a backbone with a head drawn from torch's seed; raises ConfigError when it cannot be had."""
    with quiet_transformers():
        return minilm(layers) if name == "minilm" else from_hub(name, layers)


def minilm(layers: int | None) -> Backbone:
    """Return MiniLM's first layers."""
    from safetensors.torch import load_file
    from tokenizers import Tokenizer
    from transformers import BertConfig, BertModel

    config = BertConfig(
        hidden_size=384,
        num_hidden_layers=6 if layers is None else depth(layers, 6, "minilm"),
        num_attention_heads=12,
        intermediate_size=1536,
        attn_implementation="eager",  # torch's own, with dropout, takes a seventh longer for a step on a processor
    )
    encoder = BertModel(config)
    tensors = load_file(weights_file("model.safetensors"))
    absent = encoder.load_state_dict(tensors, strict=False).missing_keys
    if absent:
        raise ConfigError([f"{REPOSITORY} has no weights {absent}; this version of transformers is not supported"])
    tokenizer = Tokenizer.from_file(str(weights_file("tokenizer.json")))
    network = PairNetwork(encoder, new_head(config.hidden_size))
    return Backbone(REPOSITORY, network, tokenizer, config.max_position_embeddings)


def from_hub(name: str, layers: int | None) -> Backbone:
    """Return an encoder by its name on the hub, or from a folder."""
    from transformers import AutoConfig, AutoModel, AutoTokenizer

    try:
        config = AutoConfig.from_pretrained(name)
        if layers is not None:
            config.num_hidden_layers = depth(layers, config.num_hidden_layers, name)
        tokenizer = AutoTokenizer.from_pretrained(name)
        encoder = AutoModel.from_pretrained(name, config=config)
    except (OSError, ValueError) as error:
        raise ConfigError(
            [f"model.backbone={name} cannot be loaded ({str(error).splitlines()[0]}); give an encoder's name on the "
             "Hugging Face hub, its folder, or minilm"]
        ) from error  # fmt: skip
    if not getattr(tokenizer, "is_fast", False):
        raise ConfigError([f"model.backbone={name} has no fast tokeniser (tokenizer.json); take another encoder"])
    network = PairNetwork(encoder, new_head(encoder.config.hidden_size))
    most = min(tokenizer.model_max_length, getattr(config, "max_position_embeddings", tokenizer.model_max_length))
    shown = Path(name).name if Path(name).is_dir() else name
    return Backbone(shown, network, tokenizer.backend_tokenizer, most)


def depth(layers: int, available: int, name: str) -> int:
    """Return a number of layers that there are; raises ConfigError for another."""
    if not 1 <= layers <= available:
        raise ConfigError(
            [f"model.layers={layers}, but {name} has {available}; give 1 to {available}, or null for all"]
        )
    return layers


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Keep the progress bars and load reports of transformers off the terminal."""
    from transformers.utils import logging

    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()
