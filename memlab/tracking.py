"""A view of finished runs elsewhere; `runs/` stays the record."""

import importlib.util
import os
from abc import abstractmethod
from collections import defaultdict
from pathlib import Path
from typing import Any, Literal

from memlab.part import Part, PartFailed
from memlab.records import Record, RunFolder


class Tracker(Part):
    """Shows a run where its users look."""

    @abstractmethod
    def publish(self, folder: Path, *, study: str) -> str | None:
        """Show a finished run, grouped under a study; return where it can be seen, or None."""


class NoTracker(Tracker):
    """Shows nothing."""

    def publish(self, folder: Path, *, study: str) -> str | None:
        """Do nothing."""
        return None


class WandB(Tracker):
    """Weights & Biases: one run per job, grouped by study; the run key is its id, so that a second time updates it.

    mode: online, offline, or auto: online where WANDB_API_KEY is set, else offline (`wandb sync` sends it later).
    """

    def __init__(self, *, project: str, entity: str | None, mode: Literal["auto", "online", "offline"]) -> None:
        self.project = project
        self.entity = entity
        self.mode = mode

    def missing(self) -> list[str]:
        """Return the missing package or key, with the remedy."""
        if importlib.util.find_spec("wandb") is None:
            return ["tracker=wandb needs the package wandb; pip install wandb or use tracker=none"]
        if self.mode == "online" and not has_key():
            return ["tracker=wandb needs WANDB_API_KEY when tracker.mode=online; set it or use tracker.mode=offline"]
        return []

    def publish(self, folder: Path, *, study: str) -> str | None:
        """Send config, metrics, tokens, latency, a table of questions, and the run folder as an artifact."""
        import wandb

        try:
            return self._published(folder, study)
        except wandb.errors.Error as error:
            raise PartFailed(f"W&B: {error}; tracker.mode=offline needs no network") from error

    def _published(self, folder: Path, study: str) -> str:
        import wandb

        run_folder = RunFolder(folder)
        manifest, summary = run_folder.read_json("manifest") or {}, run_folder.read_json("summary") or {}
        mode = ("online" if has_key() else "offline") if self.mode == "auto" else self.mode
        with wandb.init(
            project=self.project,
            entity=self.entity,
            mode=mode,
            group=study,
            name=f"{manifest['choices'].get('system')}-{folder.name[:6]}",
            id=folder.name,
            resume="allow",
            dir=folder.parent,
            config={**manifest["config"], "choices": manifest["choices"], "dataset": manifest["dataset"]},
            settings=wandb.Settings(silent=True, console="off", x_disable_stats=True, x_disable_meta=True),
        ) as run:
            run.log({**scalars(summary), "questions": wandb.Table(**question_table(run_folder))})
            artifact = wandb.Artifact(f"run-{folder.name}", type="run")
            artifact.add_dir(str(folder))
            run.log_artifact(artifact)
            return str(run.url or run.dir)


def has_key() -> bool:
    """Return whether a W&B key is set in the environment."""
    return bool(os.environ.get("WANDB_API_KEY"))


def scalars(summary: Record) -> dict[str, float]:
    """Return a summary's numbers under slashed names: `f1/overall`, `j/strict/2`, `latency/search_p50_seconds`."""
    named: dict[str, Any] = {
        f"{metric}/{group}": cell["value"]
        for metric, cells in summary["metrics"].items()
        for group, cell in cells.items()
    }
    named |= {
        f"j/{rubric}/{group}": cell["value"]
        for rubric, row in summary["judges"].items()
        for group, cell in row["j"].items()
    }
    named |= {f"{phase}/{name}": value for phase, row in summary["phases"].items() for name, value in row.items()}
    for part in ("tokens", "latency", "ingest", "questions"):
        named |= {f"{part}/{name}": value for name, value in summary[part].items()}
    return {name: value for name, value in named.items() if isinstance(value, int | float)}


def question_table(folder: RunFolder) -> dict[str, list[Any]]:
    """Return columns and data of a table with a row a question: its words, its answer, and its scores."""
    words = ["id", "attempt", "conversation", "category", "question", "gold", "answer", "status", "context_tokens"]
    scores: dict[tuple[str, int], dict[str, float | None]] = defaultdict(dict)
    for score in folder.read("scores"):
        scores[score["id"], score["attempt"]][score["metric"]] = score["value"]
    metrics = sorted({metric for own in scores.values() for metric in own if "@" not in metric})
    rows = [
        [record[word] for word in words] + [scores[record["id"], record["attempt"]].get(metric) for metric in metrics]
        for record in folder.read("answers")
    ]
    return {"columns": words + metrics, "data": rows}
