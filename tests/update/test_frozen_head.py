import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.conf_files import written_nodes
from memlab.embed.embedder import Embedder, Vectors
from memlab.embed.hashed import Hashed
from memlab.memory import Add, Fact, Hit, Memory
from memlab.part import PartFailed
from memlab.testing import candidate
from memlab.testing.samples import START
from memlab.update.classifier import Classifier
from memlab.update.frozen_head import FILE, SCALARS, SHIPPED, VECTORS, FrozenHead, Head, load, save, shipped
from memlab.update.relation import RELATIONS, Pair
from memlab.update.text_features import WIDTH, pair_features, text_features
from memlab.update.updater import Proposal

EMBEDDER = Hashed(16)
TEXTS = [
    "Ada lives in Oslo.",
    "Ada lives in Graz now. Her flat has two rooms.",
    "Ben's sister Eve plays the oboe.",
    "Ben no longer plays the oboe.",
    "",
    "日本 12 May 2023",
]
PAIRS = [Pair(memory, candidate) for memory in TEXTS for candidate in TEXTS]


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    random = np.random.default_rng(0)
    width = SCALARS + VECTORS * EMBEDDER.dimension

    def drawn(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return random.standard_normal(shape).astype(np.float32)

    head = Head(
        EMBEDDER.name, 1.5, drawn(width), np.ones(width, np.float32), drawn(width, 8), drawn(8), drawn(8, 4), drawn(4)
    )
    file = tmp_path_factory.mktemp("head") / "frozen_head.npz"
    save(head, file)
    return file


async def test_rows_are_probabilities(weights: Path) -> None:
    rows = await FrozenHead(EMBEDDER, weights=str(weights)).probabilities(PAIRS)
    assert rows.shape == (len(PAIRS), len(RELATIONS))
    assert rows.dtype == np.float32
    assert rows.sum(1) == pytest.approx(np.ones(len(PAIRS)), abs=1e-6)
    assert rows.min() >= 0


async def test_the_bytes_of_a_pair_do_not_depend_on_the_batch(weights: Path) -> None:
    model = FrozenHead(EMBEDDER, weights=str(weights))
    together = await model.probabilities(PAIRS)
    alone = np.concatenate([await FrozenHead(EMBEDDER, weights=str(weights)).probabilities([pair]) for pair in PAIRS])
    turned = (await model.probabilities(PAIRS[::-1]))[::-1]
    assert together.tobytes() == alone.tobytes() == turned.tobytes()


async def test_no_pairs_give_no_rows(weights: Path) -> None:
    assert (await FrozenHead(EMBEDDER, weights=str(weights)).probabilities([])).shape == (0, 4)


async def test_another_embedder_is_refused_and_both_are_named(weights: Path) -> None:
    model = FrozenHead(Hashed(32), weights=str(weights))
    assert "made with the embedder hash-16, but this run's is hash-32" in model.missing()[0]
    with pytest.raises(PartFailed, match=r"hash-16.*hash-32"):
        await model.probabilities(PAIRS)


def test_a_file_that_is_not_there_is_told_with_the_command_that_makes_one(tmp_path: Path) -> None:
    [fault] = FrozenHead(EMBEDDER, weights=str(tmp_path / "none.npz")).missing()
    assert "python -m memlab train updater model=frozen_head" in fault


@pytest.mark.parametrize(
    "damage",
    [
        lambda own: b"",
        lambda own: b"not an archive",
        lambda own: own[:2000],
        lambda own: own.replace(b"descr", b"?escr", 1),
        lambda own: own.replace(b"{'descr'", b"('descr'", 1),
        lambda own: own.replace(b"PK\x01\x02", b"PK\x01\x02\x14\x03\x6d"),
    ],
)
async def test_a_damaged_file_is_told(weights: Path, tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    (tmp_path / "head.npz").write_bytes(damage(weights.read_bytes()))
    await check_told(tmp_path / "head.npz", "")


def about(**changed: object) -> Callable[[dict[str, Any]], None]:
    def damage(arrays: dict[str, Any]) -> None:
        arrays["about"] = np.array(json.dumps(json.loads(str(arrays["about"])) | changed))

    return damage


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda arrays: arrays.update(out=arrays["out"] * np.nan), "out holds NaN"),
        (lambda arrays: arrays.update(scale=np.full_like(arrays["scale"], np.inf)), "scale holds NaN or an infinite"),
        (lambda arrays: arrays.update(shift=arrays["shift"][:10]), "scale is of size"),
        (lambda arrays: arrays.update(hidden=arrays["hidden"].T), "hidden is of size (8,"),
        (lambda arrays: arrays.update(out=arrays["out"][:, :3]), "out is of size (8, 3) in place of (8, 4)"),
        (lambda arrays: arrays.update(shift=np.float32(1)), ".npz is damaged"),
        (lambda arrays: arrays.update(out_bias=np.array(["a", "b", "c", "d"])), ".npz is damaged"),
        (lambda arrays: arrays.pop("hidden_bias"), "hidden_bias is not a file"),
        (lambda arrays: arrays.update({n: arrays[n][:-3] for n in ("shift", "scale", "hidden")}), "features, but this"),
        (about(temperature=0), "temperature=0"),
        (about(temperature=float("nan")), "temperature=nan"),
        (about(temperature="1"), "temperature=1; it must be a number"),
        (about(features=0), "features 0"),
    ],
)
async def test_weights_that_give_no_probabilities_are_told(
    weights: Path, tmp_path: Path, damage: Callable[[Any], object], words: str
) -> None:
    with np.load(weights) as found:
        arrays = dict(found)
    damage(arrays)
    np.savez(tmp_path / "head.npz", **arrays)
    await check_told(tmp_path / "head.npz", words)


async def check_told(file: Path, words: str) -> None:
    """Check that weights are refused before a run and, should they come later, in it."""
    model = FrozenHead(EMBEDDER, weights=str(file))
    [fault] = model.missing()
    assert f"{file} holds no weights of a frozen head (" in fault
    assert words in fault
    assert "python -m memlab train updater model=frozen_head output=FOLDER" in fault
    with pytest.raises(PartFailed, match="holds no weights of a frozen head"):
        await model.probabilities(PAIRS)


def test_equal_heads_make_equal_bytes(weights: Path, tmp_path: Path) -> None:
    save(load(weights), tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == weights.read_bytes()


async def test_each_sentence_of_a_memory_is_compared(weights: Path) -> None:
    asked: list[str] = []

    class Noting(Embedder):
        name, dimension = EMBEDDER.name, EMBEDDER.dimension

        async def embed(self, texts: Sequence[str]) -> Vectors:
            asked.extend(texts)
            return await EMBEDDER.embed(texts)

    await FrozenHead(Noting(), weights=str(weights)).probabilities([Pair(TEXTS[1], TEXTS[0])])
    assert set(asked) == {TEXTS[1], TEXTS[0], "Ada lives in Graz now.", "Her flat has two rooms."}


@given(st.text(max_size=60), st.text(max_size=60))
def test_features_of_any_texts_are_finite(memory: str, candidate: str) -> None:
    found = pair_features(text_features(memory), text_features(candidate))
    assert len(found) == WIDTH
    assert np.isfinite(found).all()


def test_what_names_another_person_or_ends_something_is_seen() -> None:
    other, ended = text_features("Ben's sister Eve plays the oboe."), text_features("Ben no longer plays the oboe.")
    assert other.relatives == {"eve"}
    assert ended.relatives == frozenset()
    assert ended.cues[0] > 0
    assert ended.cues[1] > 0


async def test_the_weights_shipped_for_an_embedder_are_found_by_its_name() -> None:
    assert {"all-MiniLM-L6-v2", "hash-256"} <= set(shipped())
    rows = await FrozenHead(Hashed(256), weights=None).probabilities(PAIRS)
    assert rows.shape == (len(PAIRS), len(RELATIONS))


def test_an_embedder_without_shipped_weights_is_told_with_those_that_have_them() -> None:
    [fault] = FrozenHead(Hashed(32), weights=None).missing()
    assert "all-MiniLM-L6-v2, hash-256, but this run's is hash-32" in fault
    assert "python -m memlab train updater model=frozen_head embedder=" in fault


def test_shipped_weights_are_small_and_say_what_they_learnt_from() -> None:
    assert sum(file.stat().st_size for file in SHIPPED.rglob("*") if file.is_file()) < 1_200_000
    for embedder in shipped():
        card = json.loads((SHIPPED / embedder / "card.json").read_text(encoding="utf-8"))
        assert list(card["pairs"]) == ["synthetic", "rewritten"]
        assert {data["licence"] for data in card["data"].values()} == {"memlab's own"}
        assert load(SHIPPED / embedder / FILE).embedder == embedder


async def test_small_talk_changes_no_memory_by_the_shipped_weights() -> None:
    node = written_nodes("updater")["frozen_head"]
    settings = {name: value for name, value in node.items() if name not in ("_target_", "defaults")}
    chat = [
        "Ada said: What a day!",
        "Ben is so pleased for Ada.",
        "Ada would never have guessed that.",
        "Ada said: Bye!",
    ]
    memory = Memory("m0", Fact("Ben keeps bees."), "Ben", ("D1:1",), START, START, START)
    for said in chat:
        updater = Classifier(FrozenHead(Hashed(256), weights=None), **settings)
        [decision] = await updater.decide([Proposal(candidate(said, source="D2:1"), (Hit(memory, 0.9),))])
        assert [type(operation) for operation in decision.operations] == [Add]
