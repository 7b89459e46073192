"""Training of a model of pairs, from labelled pairs to a checkpoint with its card."""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from memlab.embed.embedder import Embedder
from memlab.tracking import Tracker
from memlab.train.card import as_json, readme, versions
from memlab.train.checkpoint import CARD, check_room, place_of, reserved, written
from memlab.train.course import Course
from memlab.train.curves import curves
from memlab.train.decisions import Choosing, decision_quality, pairs_of
from memlab.train.learner import Learner, Material, Trained
from memlab.train.measure import Rows, best_temperature, check_finite, expected_calibration_error, quality, softmax
from memlab.train.sources import Sources, Wanted, gathered
from memlab.update.relation import RELATIONS, Pair


@dataclass(frozen=True, slots=True)
class Training:
    """One training as the config describes it; `settings` are all that can change what comes out."""

    learner: Learner
    wanted: Wanted
    embedder: Embedder
    tracker: Tracker
    choosing: Choosing
    settings: Mapping[str, Any]
    unrelated: float | None
    s: int
    seed: int
    device: str | None
    threads: int
    output: Path


async def train(training: Training, console: Console) -> bool:
    """Make the checkpoint; return False when it is there already.

    Raises ConfigError when another checkpoint is in its place, when its place or backbone cannot be used, and
    when what is learnt is worthless; and what the sources raise for damaged data.
    """
    key = key_of({"settings": training.settings, "data": training.wanted.fingerprints(), "versions": versions()})
    output = training.output
    with reserved(output, key, files=training.learner.files) as draft:
        if draft is None:
            return False
        check_room(draft, output, training.learner.size())
        started = time.monotonic()
        model, temperature, card = await learnt(training, key, console)
        console.print(f"trained in {(time.monotonic() - started) / 60:.1f} minutes, data included", highlight=False)
        with written(draft, output):
            model.save(draft, temperature)
            (draft / "README.md").write_text(readme(card), encoding="utf-8")
            (draft / CARD).write_text(as_json(card), encoding="utf-8")
    return True


async def learnt(training: Training, key: str, console: Console) -> tuple[Trained, float, dict[str, Any]]:
    """Return the model, its temperature and its card."""
    sources = await gathered(training.wanted, training.embedder, console, s=training.s)
    material = Material(
        train=sources.of("train"),
        validation=sources.of("validation"),
        embedder=training.embedder,
        unrelated=training.unrelated,
        seed=training.seed,
        device=training.device,
        threads=training.threads,
    )
    place = place_of(training.output)
    with curves(training.tracker, place.with_name(f"{place.name}.wandb"), training.settings) as shown:
        course = Course(console, shown)
        model = await training.learner.learn(material, course)
    with console.status("calibrating, and measuring on what was held out"):
        temperature, card = await described(model, material, sources, training)
    return model, temperature, card | {"key": key, "course": course.history}


def key_of(content: Mapping[str, Any]) -> str:
    """Return a hash of all that can change what comes out."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


async def described(
    model: Trained, material: Material, sources: Sources, training: Training
) -> tuple[float, dict[str, Any]]:
    """Return the temperature chosen on the validation pairs, and the card."""
    logits_of = Remembered(model)
    labelled = [pair for pairs in material.to_choose_by().values() for pair in pairs]
    labels = np.array([pair.label for pair in labelled])
    logits = await logits_of([pair.pair for pair in labelled])
    temperature = best_temperature(logits, labels)
    pair_level = {}
    for split in ("validation", "test"):
        for source, pairs in sources.of(split).items():
            rows = softmax(await logits_of([pair.pair for pair in pairs]) / temperature)
            pair_level[f"{source} {split}"] = quality(rows, [pair.label for pair in pairs])
    decision_level = {}
    for name, steps in sources.steps.items():
        asked = pairs_of(steps)
        rows = softmax(await logits_of(asked) / temperature).astype(np.float32)
        decision_level[name] = await decision_quality(steps, dict(zip(asked, rows, strict=True)), training.choosing)
    return temperature, {
        "option": training.learner.option,
        "model": model.sizes(),
        "settings": dict(training.settings),
        "data": sources.about,
        "pairs": sources.counts(),
        "temperature": temperature,
        "expected_calibration_error": expected_calibration_error(softmax(logits / temperature), labels),
        "expected_calibration_error_unscaled": expected_calibration_error(softmax(logits), labels),
        "pair_level": pair_level,
        "decision_level": decision_level,
        "updater": vars(training.choosing),
        "versions": versions(),
    }


class Remembered:
    """The logits of a model, computed once for a pair."""

    def __init__(self, model: Trained) -> None:
        self._model = model
        self._known: dict[Pair, Rows] = {}

    async def __call__(self, pairs: Sequence[Pair]) -> Rows:
        """Return the logits of pairs, a row each."""
        if new := [pair for pair in dict.fromkeys(pairs) if pair not in self._known]:
            rows = await self._model.logits(new)
            check_finite(rows, "what the model tells of a pair")
            self._known.update(zip(new, rows, strict=True))
        return np.array([self._known[pair] for pair in pairs], np.float32).reshape(len(pairs), len(RELATIONS))
