"""Training of a judge, from labelled answers to its folder with weights and card."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from rich.console import Console
from rich.progress import track

from memlab.embed.embedder import Embedder
from memlab.judge.answer_features import features, texts_of
from memlab.judge.words_told import covered, tokens
from memlab.train.card import as_json, versions
from memlab.train.checkpoint import finished, written
from memlab.train.judging.card import readme
from memlab.train.judging.fits import Fitted, HeadSettings, Matrix, fit_heads, fit_threshold
from memlab.train.judging.labelled import Labelled, read_labelled
from memlab.train.judging.measured import counts, described, held_out, system_folds

AT_ONCE = 4096
"""Texts that are embedded together."""
HELD_OUT = "each conversation by a judge that has learnt from the others"


@dataclass(frozen=True, slots=True)
class JudgeTraining:
    """What is trained, on which file, and where it goes."""

    file: Path
    model: Literal["local", "overlap"]
    embedder: Embedder
    head: HeadSettings
    output: Path


async def train_judge(training: JudgeTraining, console: Console) -> bool:
    """Make the judge's folder; return False when it is there already.

    Raises ConfigError for a file that cannot be read, and when another model is in the folder's place.
    """
    data = read_labelled(training.file)
    settings = {"model": training.model, "embedder": training.embedder.name, **asdict(training.head)}
    key = hashlib.sha256(json.dumps([settings, data.sha256, versions()], sort_keys=True).encode()).hexdigest()
    if finished(training.output, key):
        return False
    console.print(f"{len(data.answers):,} labelled answers of {data.name}", highlight=False)
    rows = await rows_of(data.answers, training, console)
    right = np.array([one.correct for one in data.answers])
    shares = np.array([sum(one.labels) / len(one.labels) for one in data.answers], np.float32)

    def fit(places: Any) -> Fitted:
        if training.model == "overlap":
            return fit_threshold(rows[places], right[places])
        return fit_heads(rows[places], shares[places], training.embedder.name, training.head)

    with console.status("measuring on conversations that were held out"):
        chances, verdicts = held_out([one.conversation for one in data.answers], rows, fit)
    with console.status("measuring on systems that were held out"):
        of_systems = held_out(system_folds(data.answers), rows, fit)
    with written(training.output) as draft:
        sizes = fit(np.arange(len(rows))).save(draft)
        card = {
            "key": key,
            "model": training.model,
            "labels": dict(Counter(one.judge for one in data.answers).most_common()),
            "measured": HELD_OUT,
            **described(data.answers, chances, verdicts),
            "unseen_systems": summary(described(data.answers, *of_systems)),
            **sizes,
            "settings": settings,
            "data": {"file": data.name, "sha256": data.sha256},
            "versions": versions(),
            "counts": counts(data.answers, verdicts),
        }
        (draft / "card.json").write_text(as_json(card), encoding="utf-8")
        (draft / "README.md").write_text(readme(card), encoding="utf-8")
    figures = f"agreement {card['agreement']:.3f}, AUC {card['auc']:.3f}"
    console.print(f"on conversations that were held out: {figures}", highlight=False)
    return True


def summary(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the overall figures of a measurement."""
    return {name: found[name] for name in ("n", "agreement", "auc", "expected_calibration_error")}


async def rows_of(answers: Sequence[Labelled], training: JudgeTraining, console: Console) -> Matrix:
    """Return the features of answers, a row each; of the overlap alone, one column."""
    if training.model == "overlap":
        return np.array([[covered(tokens(one.gold), tokens(one.answer))] for one in answers], np.float32)
    texts = list(dict.fromkeys(text for one in answers for text in texts_of(one.question, one.gold, one.answer)))
    vectors: dict[str, Any] = {}
    for start in track(range(0, len(texts), AT_ONCE), "embedding", console=console, transient=True):
        some = texts[start : start + AT_ONCE]
        vectors.update(zip(some, await training.embedder.embed(some), strict=True))
    known = vectors.__getitem__
    return np.stack(
        [
            features(one.question, one.gold, one.answer, one.category, known)
            for one in track(answers, "features", console=console, transient=True)
        ]
    )
