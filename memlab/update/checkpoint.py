"""The folder of a fine-tuned transformer: what it must hold, and what is wrong with one that does not."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab.update.relation import RELATIONS, checked_temperature

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TRAIN = "python -m memlab train updater output={folder}"
CONFIG, WEIGHTS, HEAD, TOKENIZER, CARD = FILES = (
    "config.json",
    "model.safetensors",
    "head.safetensors",
    "tokenizer.json",
    "card.json",
)
LEAST_PIECES = 4
"""Three that mark where the texts begin and end, and one of a text."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How the texts of a pair are read: cut to `max_pieces` by the tokeniser; logits are divided by `temperature`."""

    tokenizer: "Tokenizer"
    temperature: float


def checkpoint_faults(folder: Path) -> list[str]:
    """Return what is wrong with a checkpoint as far as it can be told without loading its weights, with the remedy."""
    if absent := [name for name in FILES if not (folder / name).is_file()]:
        return [
            f"relation=fine_tuned has no checkpoint in {folder} (no {', '.join(absent)}); "
            f"make one: {TRAIN.format(folder=folder)}, or give its folder as updater.relation.checkpoint"
        ]
    try:
        reading(folder)
        check_whole(folder)
    except ValueError as error:
        return [unusable(folder, error)]
    return []


def unusable(folder: Path, error: ValueError) -> str:
    """Return the fault of a checkpoint whose files cannot be used."""
    return (
        f"relation=fine_tuned cannot use the checkpoint in {folder} ({error}); remove that folder and make it anew: "
        f"{TRAIN.format(folder=folder)}"
    )


def reading(folder: Path) -> Reading:
    """Return how texts are read; raises ValueError with what is wrong with config.json or tokenizer.json."""
    from tokenizers import Tokenizer

    own = json_object(folder / CONFIG).get("memlab")
    if not isinstance(own, dict) or own.get("relations") != list(RELATIONS):
        raise ValueError(f"{CONFIG} was not made by this version of memlab")
    if type(pieces := own.get("max_pieces")) is not int or pieces < LEAST_PIECES:
        raise ValueError(f"{CONFIG} has max_pieces={pieces}; it must be at least {LEAST_PIECES}")
    temperature = checked_temperature(own.get("temperature"), CONFIG)
    try:
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # the library raises nothing narrower
        raise ValueError(f"{TOKENIZER} is damaged: {error}") from error
    tokenizer.enable_truncation(pieces)
    tokenizer.no_padding()
    return Reading(tokenizer, temperature)


def check_whole(folder: Path) -> None:
    """Raise ValueError when the files of weights, or the card, are damaged."""
    from safetensors import SafetensorError, safe_open

    for name in (WEIGHTS, HEAD):
        try:
            with safe_open(folder / name, framework="numpy"):
                pass  # it is opened only when its header fits its length
        except (OSError, SafetensorError) as error:
            raise ValueError(f"{name} is damaged: {error}") from error
    json_object(folder / CARD)


def json_object(file: Path) -> dict[str, Any]:
    """Return the object in a JSON file; raises ValueError when there is none."""
    try:
        found = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{file.name} is damaged: {error}") from error
    if not isinstance(found, dict):
        raise ValueError(f"{file.name} holds no object")
    return found
