"""The judge that has learnt: one answer does not disturb another."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memlab.config import stood_in
from memlab.dialogue import Question
from memlab.embed.embedder import Embedder, Vectors
from memlab.embed.hashed import Hashed
from memlab.judge import local
from memlab.judge.answer_features import row_length, texts_of
from memlab.judge.card import KEYS
from memlab.judge.local import CARD, WEIGHTS, Heads, LocalJudge
from memlab.judge.overlap import OverlapJudge
from memlab.llm.stand_in import Asked


class Slow(Embedder):
    """Lets others go first, as one that waits for a model does."""

    name, dimension = "slow", 16

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._inner = Hashed(dimension=16)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        # More rounds for those that ask for more: so others come and go meanwhile, the same in every test run.
        for _ in range(len(texts)):
            await asyncio.sleep(0)
        return await self._inner.embed(texts)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    width = row_length()
    draw = np.random.default_rng(0)
    layers = [draw.standard_normal(shape).astype(np.float32) for shape in ((width, 4), (4, 2), (2, 1))]
    head = tuple((layer, np.zeros(layer.shape[1], np.float32)) for layer in layers)
    ones = np.ones(width, np.float32)
    Heads("slow", 0 * ones, ones, (head,)).save(tmp_path / WEIGHTS)
    return tmp_path


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda arrays: arrays.update(weights_0_1=arrays["weights_0_1"] * np.nan), "hold NaN"),
        (lambda arrays: arrays.update(mean=np.full_like(arrays["mean"], np.inf)), "infinite"),
        (lambda arrays: [arrays.pop(name) for name in [*arrays] if "_0" in name], "hold no layers"),
        (lambda arrays: arrays.update(mean=arrays["mean"][:-2]), "other sizes"),
        (lambda arrays: arrays.update(weights_0_0=arrays["weights_0_0"][:-2]), "other sizes"),
        (lambda arrays: [arrays.pop(name) for name in ("weights_0_2", "shift_0_2")], "other sizes"),
        (lambda arrays: arrays.pop("shift_0_0"), "shift_0_0 is not a file"),
        (lambda arrays: arrays.update(shift_0_2=np.array(["x"])), "is damaged"),
    ],
)
def test_weights_that_give_no_verdicts_are_told(folder: Path, damage: Callable[[Any], Any], words: str) -> None:
    with np.load(folder / WEIGHTS) as found:
        arrays = dict(found)
    damage(arrays)
    np.savez(folder / WEIGHTS, **arrays)
    assert told(folder, words)


@pytest.mark.parametrize("damage", [lambda own: own[:900], lambda own: b"", lambda own: own[:500] + b"?" + own[501:]])
def test_a_damaged_file_of_weights_is_told(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    (folder / WEIGHTS).write_bytes(damage((folder / WEIGHTS).read_bytes()))
    assert told(folder, f"{WEIGHTS} is damaged")


def test_a_card_without_figures_is_told(folder: Path) -> None:
    (folder / CARD).write_text(json.dumps(dict.fromkeys(KEYS)))
    [fault] = LocalJudge(Slow(), weights=str(folder), probes=0).missing()
    assert "lacks labels, n, agreement" in fault


def told(folder: Path, words: str) -> bool:
    [fault] = LocalJudge(Slow(), weights=str(folder), probes=0).missing()
    return words in fault and fault.endswith("remove that folder, and train again")


def question(number: int) -> Question:
    return Question(f"q{number}", f"Where did Ada go in {2000 + number}?", f"Place{number}, Oslo", 4, ())


async def chances(judge: LocalJudge, numbers: Sequence[int]) -> list[float | None]:
    async def one(number: int) -> float | None:
        for _ in range(5 * number):
            await asyncio.sleep(0)
        answer = f"She went to Oslo and Place{number + number % 2}."
        return (await judge.judge(question(number), answer, "local", 0)).probability

    return await asyncio.gather(*(one(number) for number in numbers))


async def test_answers_that_are_judged_together_have_the_verdicts_they_have_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = [(await chances(LocalJudge(Slow(), weights=str(folder), probes=0), [n]))[0] for n in range(12)]
    assert len(set(alone)) > 2
    for most in (15, 30, 45):
        monkeypatch.setattr(local, "MOST_VECTORS", most)
        assert await chances(LocalJudge(Slow(), weights=str(folder), probes=0), range(12)) == alone


def test_in_a_preview_one_without_weights_takes_its_place() -> None:
    judge = stood_in(Asked())(LocalJudge(Slow(), weights="nowhere", probes=3))
    assert isinstance(judge, OverlapJudge)
    assert judge.probes == 3


async def test_a_text_is_embedded_once(folder: Path) -> None:
    embedder = Slow()
    judge = LocalJudge(embedder, weights=str(folder), probes=0)
    for _ in range(2):
        await chances(judge, [1])
    asked = question(1)
    assert sorted(embedder.asked) == sorted(texts_of(asked.text, asked.gold or "", "She went to Oslo and Place2."))
