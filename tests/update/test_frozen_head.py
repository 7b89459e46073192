import json
from collections.abc import Sequence
from pathlib import Path

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


@pytest.mark.parametrize("content", [b"", b"not an archive", b"PK\x03\x04 cut"])
def test_a_damaged_file_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "head.npz").write_bytes(content)
    [fault] = FrozenHead(EMBEDDER, weights=str(tmp_path / "head.npz")).missing()
    assert "head.npz holds no weights of a frozen head" in fault


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
