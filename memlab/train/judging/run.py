"""Training of a judge, from labelled answers to its folder with weights and card."""

import asyncio
import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from rich.console import Console
from rich.progress import track

from memlab.embed.embedder import Embedder
from memlab.judge.answer_features import features, texts_of
from memlab.judge.local import WEIGHTS
from memlab.judge.words_told import covered, tokens
from memlab.train.card import as_json, versions
from memlab.train.checkpoint import CARD, reserved, written
from memlab.train.judging.card import readme
from memlab.train.judging.fits import Fitted, HeadSettings, Labels, Matrix, fit_heads, fit_threshold
from memlab.train.judging.labelled import Labelled, read_labelled
from memlab.train.judging.measured import Fit, Group, counts, described, held_out, with_systems

COUNTED = ("counts", "systems")
"""The parts of a card that stand at its end: they are long."""
NUMBERS = re.compile(r"\[\s+([-\d.e,\s]+?)\s+\]")
AT_ONCE = 4096
"""Texts that are embedded together."""
HELD_OUT = "each conversation by a judge that has learnt from the others"
NEITHER = "each conversation, and each fold of systems, by a judge that has learnt from neither"


@dataclass(frozen=True, slots=True)
class JudgeTraining:
    """What is trained, on which file, and where it goes."""

    file: Path
    model: Literal["local", "overlap"]
    embedder: Embedder
    head: HeadSettings
    output: Path


def train_judge(training: JudgeTraining, console: Console) -> bool:
    """Make the judge's folder; return False when it is there already.

    Raises ConfigError for a file that cannot be read, for a folder that cannot be used, and when what is learnt is
    worthless.
    """
    data = read_labelled(training.file)
    settings = {"model": training.model, "embedder": training.embedder.name, **asdict(training.head)}
    key = hashlib.sha256(json.dumps([settings, data.sha256, versions()], sort_keys=True).encode()).hexdigest()
    with reserved(training.output, key, files=(WEIGHTS,) if training.model == "local" else ()) as draft:
        if draft is None:
            return False
        console.print(f"{len(data.answers):,} labelled answers of {data.name}", highlight=False)
        # Fitting does not wait for anything, so it is outside of asyncio: there it could not be interrupted.
        rows = asyncio.run(rows_of(data.answers, training, console))
        right = np.array([one.correct for one in data.answers])
        shares = np.array([sum(one.labels) / len(one.labels) for one in data.answers], np.float32)

        def fit(places: Any) -> Fitted:
            if training.model == "overlap":
                return fit_threshold(rows[places], right[places])
            return fit_heads(rows[places], shares[places], training.embedder.name, training.head)

        measured = measurements(data.answers, rows, fit, console)
        fitted = fit(np.arange(len(rows)))
        with written(draft, training.output):
            card = {
                "key": key,
                "made_by": f"python -m memlab train judge {data.name} model={training.model}",
                "model": training.model,
                "labels": dict(Counter(one.judge for one in data.answers).most_common()),
                **{name: value for name, value in measured.items() if name not in COUNTED},
                **fitted.save(draft),
                "settings": settings,
                "data": {"file": data.name, "sha256": data.sha256},
                "versions": versions(),
                **{name: measured[name] for name in COUNTED},
            }
            (draft / "README.md").write_text(readme(card), encoding="utf-8")
            (draft / CARD).write_text(in_lines(as_json(card)), encoding="utf-8")
    figures = f"agreement {card['agreement']:.3f}, AUC {card['auc']:.3f}"
    console.print(f"on conversations that were held out: {figures}", highlight=False)
    return True


def in_lines(text: str) -> str:
    """Return JSON with each list of numbers on one line."""
    return NUMBERS.sub(lambda found: f"[{' '.join(found[1].split())}]", text)


def measurements(answers: Sequence[Labelled], rows: Matrix, fit: Fit, console: Console) -> dict[str, Any]:
    """Return what a card says of a kind of judge on what it has not learnt from."""
    right = np.array([one.correct for one in answers])

    def told(group: Group, done: Labels, verdicts: Labels) -> None:
        agreement, n = (verdicts == right)[done].mean(), done.sum()
        words = f"held out conversation {' and systems of '.join(group)}: agreement so far {agreement:.3f} on {n:,}"
        console.print(words, highlight=False)

    conversations = [one.conversation for one in answers]
    chances, verdicts = held_out([(conversation,) for conversation in conversations], rows, fit, told)
    unseen, systems = None, {}
    if groups := with_systems(answers):
        chances_unseen, verdicts_unseen = held_out(groups, rows, fit, told)
        unseen = {"measured": NEITHER, **described(answers, chances_unseen, verdicts_unseen)}
        systems = counts(answers, [one.system for one in answers], verdicts_unseen)
    return {
        "measured": HELD_OUT,
        **described(answers, chances, verdicts),
        "unseen_systems": unseen,
        "counts": counts(answers, conversations, verdicts),
        "systems": systems,
    }


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
