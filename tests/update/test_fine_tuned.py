import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memlab.part import PartFailed
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


def copied(checkpoint: Path, folder: Path, **config: Any) -> Path:
    folder.mkdir()
    for file in checkpoint.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    written = json.loads((folder / "config.json").read_text(encoding="utf-8")) | config
    (folder / "config.json").write_text(json.dumps(written), encoding="utf-8")
    return folder


async def test_a_checkpoint_without_a_card_is_none(checkpoint: Path, tmp_path: Path) -> None:
    folder = copied(checkpoint, tmp_path / "copy")
    (folder / "card.json").unlink()
    assert "no card.json" in FineTuned(checkpoint=str(folder), device="cpu").missing()[0]


async def test_a_checkpoint_of_other_relations_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    folder = copied(checkpoint, tmp_path / "copy", memlab={"relations": ["yes", "no"]})
    with pytest.raises(PartFailed, match="not made by this version"):
        await FineTuned(checkpoint=str(folder), device="cpu").probabilities(PAIRS)


async def test_the_encoder_loads_as_any_of_transformers(checkpoint: Path) -> None:
    from transformers import AutoModel

    assert AutoModel.from_pretrained(checkpoint).config.num_hidden_layers == 2
