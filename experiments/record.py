"""Run a study and record it here: `python experiments/record.py retrieval [key=value ...]`, `all` for every one.

What was run already is not run again, as everywhere. LoCoMo is read from where `python -m memlab data locomo` puts it;
another file is named by `dataset.path=FILE`. Writes the study's tables.md and figures, and of retrieval README's table.
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
SEVEN = "dataset.conversations=[conv-26,conv-30,conv-41,conv-42,conv-43,conv-48,conv-49]"
LOCOMO = ("dataset=locomo", SEVEN)
TRAINED = "updater=append,always_noop,random,threshold,frozen_head,frozen_head_careful,classifier,oracle_related,oracle"


@dataclass(frozen=True, slots=True)
class Study:
    """What a study's command says beside its name, and which of its report's figures are kept, by name."""

    keys: tuple[str, ...]
    figures: tuple[str, ...]


STUDIES = {
    "retrieval": Study(LOCOMO, ("quality_by_tokens", "recall_by_budget", "funnel")),
    "recency": Study(LOCOMO, ("sweep_m",)),
    "top_s": Study(LOCOMO, ("sweep_s",)),
    "rag_grid": Study(LOCOMO, ("quality_by_tokens",)),
    "graph_ablation": Study(LOCOMO, ("recall_by_budget", "quality_by_category")),
    "paper": Study(LOCOMO, ("quality_by_tokens",)),
    "operation_selection": Study((TRAINED,), ("sweep_s", "memory_over_time", "confusion")),
}


def main() -> None:
    """Record the study that the command line names, or all."""
    if len(sys.argv) < 2 or sys.argv[1] not in (*STUDIES, "all"):
        sys.exit(f"{__doc__}\nStudies: {', '.join(STUDIES)}")
    name, *given = sys.argv[1:]
    for study in STUDIES if name == "all" else (name,):
        record(study, given)


def record(name: str, given: list[str]) -> None:
    """Run one study, and write its tables and figures."""
    study = STUDIES[name]
    if name == "operation_selection":
        # The data of LoCoMo's path is none of this study's.
        given = [key for key in given if not key.startswith("dataset.path=")]
        memlab("train", "updater")
    memlab(f"experiment={name}", *study.keys, *given)
    runs = next((key.removeprefix("runs=") for key in given if key.startswith("runs=")), "runs")
    folder = Path(runs) / name
    tables = memlab("report", str(folder), "--no-html", "--format", "markdown", kept=True)
    (HERE / name).mkdir(exist_ok=True)
    (HERE / name / "tables.md").write_text(tables, encoding="utf-8")
    with TemporaryDirectory() as drawn:
        memlab("report", str(folder), "--no-html", "--figures", drawn, kept=True)
        for figure in study.figures:
            shutil.copy(Path(drawn) / f"{figure}.svg", HERE / name / f"{figure}.svg")
    if name == "retrieval":
        subprocess.run([sys.executable, HERE / "fill_readme.py"], check=True)


def memlab(*arguments: str, kept: bool = False) -> str:
    """Run memlab; return what it printed, where that is kept. Ends the program where memlab fails."""
    command = [sys.executable, "-m", "memlab", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE if kept else None, encoding="utf-8")
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout or ""


if __name__ == "__main__":
    main()
