import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memlab.part import PartFailed
from memlab.stopwatch import running
from memlab.update.fine_tuned import FineTuned
from memlab.update.pair_network import PairNetwork, new_head
from memlab.update.relation import RELATIONS, Pair
from tests.train.tiny import tiny_backbone

PAIRS = [
    Pair("Ada has a cat.", "Ada has no cat."),
    Pair("Ada lives in Oslo. It has two rooms.", "Ada lives in Graz now."),
    Pair("", "Ben rows."),
    Pair("Ben likes tea. " * 30, "Ben no longer likes tea."),
    *(Pair("Ben has a dog. " * n, "Ada swims.") for n in range(1, 9)),
]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of random weights, as a training writes it."""
    import torch
    from transformers import BertModel

    folder = tiny_backbone(tmp_path_factory.mktemp("checkpoint"))
    encoder = BertModel.from_pretrained(folder)
    encoder.config.memlab = {"relations": list(RELATIONS), "max_pieces": 64, "temperature": 1.3}
    with torch.random.fork_rng():
        torch.manual_seed(1)
        PairNetwork(encoder, new_head(32)).save(folder)
    (folder / "card.json").write_text("{}", encoding="utf-8")
    return folder


async def test_rows_are_probabilities_that_differ(checkpoint: Path) -> None:
    rows = await FineTuned(checkpoint=str(checkpoint), device="cpu").probabilities(PAIRS)
    assert rows.shape == (len(PAIRS), 4)
    assert rows.dtype == np.float32
    assert rows.sum(1) == pytest.approx(np.ones(len(PAIRS)), abs=1e-6)
    assert len(np.unique(rows, axis=0)) == len(PAIRS)


async def test_the_bytes_of_a_pair_do_not_depend_on_the_batch(checkpoint: Path) -> None:
    model = FineTuned(checkpoint=str(checkpoint), device="cpu")
    together = await model.probabilities(PAIRS)
    alone = np.concatenate([await model.probabilities([pair]) for pair in PAIRS])
    turned = (await model.probabilities(PAIRS[::-1]))[::-1]
    assert together.tobytes() == alone.tobytes() == turned.tobytes()


async def test_no_pairs_give_no_rows_and_load_nothing(tmp_path: Path) -> None:
    assert (await FineTuned(checkpoint=str(tmp_path), device="cpu").probabilities([])).shape == (0, 4)


async def test_both_texts_and_their_order_matter(checkpoint: Path) -> None:
    pairs = [Pair("Ada rows.", "Ben swims."), Pair("Ben swims.", "Ada rows."), Pair("Ada rows.", "Ada rows.")]
    rows = await FineTuned(checkpoint=str(checkpoint), device="cpu").probabilities(pairs)
    assert len(np.unique(rows, axis=0)) == 3


async def test_without_a_checkpoint_the_command_that_makes_one_is_told(tmp_path: Path) -> None:
    model = FineTuned(checkpoint=str(tmp_path / "none"), device="cpu")
    [fault] = model.missing()
    assert f"python -m memlab train updater output={tmp_path / 'none'}" in fault
    with pytest.raises(PartFailed, match="has no checkpoint"):
        await model.probabilities(PAIRS)


def copied(checkpoint: Path, folder: Path) -> Path:
    shutil.copytree(checkpoint, folder)
    return folder


def write_config(folder: Path, **config: Any) -> None:
    written = json.loads((folder / "config.json").read_text(encoding="utf-8")) | config
    (folder / "config.json").write_text(json.dumps(written), encoding="utf-8")


async def test_a_checkpoint_without_a_card_is_none(checkpoint: Path, tmp_path: Path) -> None:
    folder = copied(checkpoint, tmp_path / "copy")
    (folder / "card.json").unlink()
    assert "no card.json" in FineTuned(checkpoint=str(folder), device="cpu").missing()[0]


def cut(name: str, length: int) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes((folder / name).read_bytes()[:length])

    return damage


def said(**about: Any) -> Callable[[Path], None]:
    usual = {"relations": list(RELATIONS), "max_pieces": 64, "temperature": 1.3}
    return lambda folder: write_config(folder, memlab={**usual, **about})


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (cut("model.safetensors", 5000), "model.safetensors is damaged"),
        (cut("model.safetensors", 0), "model.safetensors is damaged"),
        (cut("head.safetensors", 50), "head.safetensors is damaged"),
        (cut("tokenizer.json", 100), "tokenizer.json is damaged"),
        (cut("config.json", 100), "config.json is damaged"),
        (cut("card.json", 0), "card.json is damaged"),
        (said(relations=["yes", "no"]), "not made by this version"),
        (said(relations=list(RELATIONS[::-1])), "not made by this version"),
        (said(temperature=None), "temperature=None"),
        (said(temperature=0.0), "temperature=0.0"),
        (said(temperature=float("nan")), "temperature=nan"),
        (said(max_pieces=0), "max_pieces=0"),
    ],
)
async def test_a_damaged_checkpoint_is_told_before_it_is_loaded(
    checkpoint: Path, tmp_path: Path, damage: Callable[[Path], None], words: str
) -> None:
    folder = copied(checkpoint, tmp_path / "copy")
    damage(folder)
    model = FineTuned(checkpoint=str(folder), device="cpu")
    [fault] = model.missing()
    assert words in fault
    assert f"{folder} (" in fault
    assert f"remove that folder and make it anew: python -m memlab train updater output={folder}" in fault
    with pytest.raises(PartFailed, match=re.escape(fault)):
        await model.probabilities(PAIRS)


def rewritten(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        from safetensors.torch import load_file, save_file

        tensors = load_file(folder / name)
        change(tensors)
        save_file(tensors, folder / name, {"format": "pt"})

    return damage


QUERY = "encoder.layer.0.attention.self.query.weight"


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda folder: write_config(folder, num_hidden_layers=3), "it lacks encoder.layer.2"),
        (lambda folder: write_config(folder, num_hidden_layers=1), "it has also encoder.layer.1"),
        (lambda folder: write_config(folder, intermediate_size=16), "it has of another size encoder.layer.0"),
        (lambda folder: write_config(folder, hidden_size="x"), "config.json or model.safetensors is damaged"),
        (lambda folder: write_config(folder, model_type="no"), "config.json or model.safetensors is damaged"),
        (rewritten("model.safetensors", lambda own: own.pop(QUERY)), f"it lacks {QUERY})"),
        (rewritten("model.safetensors", lambda own: own[QUERY].fill_(float("nan"))), "model.safetensors holds NaN"),
        (rewritten("head.safetensors", lambda own: own["1.bias"].fill_(float("inf"))), "head.safetensors holds NaN"),
        (rewritten("head.safetensors", lambda own: own.pop("1.bias")), 'Missing key(s) in state_dict: "1.bias"'),
        (
            rewritten("head.safetensors", lambda own: own.update({"1.weight": own["1.weight"][:, :64].clone()})),
            "head.safetensors does not fit",
        ),
    ],
)
async def test_weights_that_do_not_fit_are_never_replaced_by_random_ones(
    checkpoint: Path, tmp_path: Path, damage: Callable[[Path], None], words: str
) -> None:
    folder = copied(checkpoint, tmp_path / "copy")
    damage(folder)
    with pytest.raises(PartFailed, match="cannot use the checkpoint") as refused:
        await FineTuned(checkpoint=str(folder), device="cpu").probabilities(PAIRS)
    assert words in str(refused.value)
    assert "remove that folder and make it anew" in str(refused.value)


async def test_a_checkpoint_needs_no_pooler(checkpoint: Path, tmp_path: Path) -> None:
    folder = copied(checkpoint, tmp_path / "copy")
    rewritten("model.safetensors", lambda own: [own.pop(name) for name in [*own] if name.startswith("pooler.")])(folder)
    rows = [await FineTuned(checkpoint=str(one), device="cpu").probabilities(PAIRS) for one in (checkpoint, folder)]
    assert np.array_equal(rows[0], rows[1])


@pytest.mark.parametrize("device", ["gpu0", "cuda:99", "meta", "cpu:0", ""])
async def test_a_device_that_is_not_there_is_told(checkpoint: Path, device: str) -> None:
    model = FineTuned(checkpoint=str(checkpoint), device=device)
    [fault] = model.missing()
    assert fault.startswith(f"device={device} is none that torch has here; give ")
    with pytest.raises(PartFailed, match="or null for the fastest"):
        await model.probabilities(PAIRS)


async def test_loading_is_no_part_of_the_time_of_a_decision(checkpoint: Path, tmp_path: Path) -> None:
    folder = copied(checkpoint, tmp_path / "copy")

    async def left_out() -> float:
        with running() as stopwatch:
            await FineTuned(checkpoint=str(folder), device="cpu").probabilities(PAIRS[:1])
        return stopwatch.aside

    first = await left_out()
    assert first > 5 * min([await left_out() for _ in range(5)]) > 0


async def test_the_encoder_loads_as_any_of_transformers(checkpoint: Path) -> None:
    from transformers import AutoModel

    assert AutoModel.from_pretrained(checkpoint).config.num_hidden_layers == 2
