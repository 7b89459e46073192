"""The curves of a training, elsewhere: off, or Weights & Biases."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memlab.tracking import Tracker, WandB, has_key


class Curves:
    """Shows no curves."""

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """Add points of curves at a step."""


class WandBCurves(Curves):
    """The curves of one run of Weights & Biases."""

    def __init__(self, run: Any) -> None:
        self._run = run

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """Add points of curves at a step."""
        self._run.log(dict(values), step=step)


@contextmanager
def curves(tracker: Tracker, folder: Path, settings: Mapping[str, Any]) -> Iterator[Curves]:
    """Hold open the curves of a training, in a folder for what is kept until it can be sent."""
    if not isinstance(tracker, WandB):
        yield Curves()
        return
    import wandb

    mode = ("online" if has_key() else "offline") if tracker.mode == "auto" else tracker.mode
    folder.mkdir(parents=True, exist_ok=True)
    with wandb.init(
        project=tracker.project,
        entity=tracker.entity,
        mode=mode,
        group="train-updater",
        dir=folder,
        config=dict(settings),
        settings=wandb.Settings(silent=True, console="off", x_disable_stats=True, x_disable_meta=True),
    ) as run:
        yield WandBCurves(run)
