"""How a training goes: loss and validation as they come, in the terminal and as curves, and when it is to stop."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from memlab.train.curves import Curves
from memlab.train.measure import Rows, check_finite, quality, softmax
from memlab.train.pairs import LabelledPair
from memlab.update.relation import Pair

SMOOTHING = 0.98
"""Weight of the steps before in the loss that is shown."""

Logits = Callable[[Sequence[Pair]], Awaitable[Rows]]


@dataclass(slots=True)
class Course:
    """The epochs of one training."""

    console: Console
    curves: Curves
    history: list[dict[str, Any]] = field(default_factory=list)
    """One entry an epoch: its mean loss, the macro-F1 of each validation source, and their mean, `score`."""
    since_best: int = 0
    """Epochs since the best one."""
    _best: float = -1.0
    _losses: list[float] = field(default_factory=list)
    _steps: int = 0
    _shown: float | None = None
    _progress: Progress | None = None

    def epochs(self, drawn: Sequence[Sequence[LabelledPair]], batch: int) -> Iterator[Sequence[LabelledPair]]:
        """Yield the pairs of each epoch, with a bar over its steps in a terminal."""
        for number, pairs in enumerate(drawn, start=1):
            columns = (
                TextColumn("epoch {task.fields[epoch]}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("loss {task.fields[loss]:.3f}  macro-F1 {task.fields[score]:.3f}"),
                TimeRemainingColumn(),
            )
            with Progress(*columns, console=self.console, transient=True, disable=not self.console.is_terminal) as bar:
                self._losses, self._progress = [], bar
                score = max(self._best, 0.0)
                bar.add_task("", total=-(-len(pairs) // batch), epoch=f"{number}/{len(drawn)}", loss=0.0, score=score)
                yield pairs

    def step(self, loss: float) -> None:
        """Count one step; raises ConfigError when its loss is no finite number."""
        self._steps += 1
        check_finite(loss, f"the loss of step {self._steps} of epoch {len(self.history) + 1}")
        self._losses.append(loss)
        self._shown = loss if self._shown is None else SMOOTHING * self._shown + (1 - SMOOTHING) * loss
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], advance=1, loss=self._shown)
        self.curves.log(self._steps, {"train/loss": loss})

    async def is_best(self, logits: Logits, validation: Mapping[str, Sequence[LabelledPair]]) -> bool:
        """Validate after an epoch; return whether it is the best so far; raises ConfigError for NaN or infinity."""
        measured = {}
        for source, pairs in validation.items():
            rows = await logits([pair.pair for pair in pairs])
            check_finite(rows, f"what the model of epoch {len(self.history) + 1} tells of {source}")
            measured[source] = quality(softmax(rows), [pair.label for pair in pairs])["macro_f1"]
        score, loss = float(np.mean(list(measured.values()))), float(np.mean(self._losses))
        self.history.append({"epoch": len(self.history) + 1, "loss": loss, "macro_f1": measured, "score": score})
        told = ", ".join(f"{source} {value:.3f}" for source, value in measured.items())
        self.console.print(f"epoch {len(self.history)}: loss {loss:.3f}; macro-F1 {told}", highlight=False)
        self.curves.log(
            self._steps, {"train/epoch_loss": loss} | {f"validation/{name}": value for name, value in measured.items()}
        )
        better = score > self._best
        self._best, self.since_best = max(score, self._best), 0 if better else self.since_best + 1
        return better
