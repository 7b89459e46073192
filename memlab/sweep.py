"""A study of several jobs: all are checked before the first runs, and compared when the last is done."""

import json
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.experimental.callback import Callback
from omegaconf import DictConfig

from memlab.config import build, check, nodes
from memlab.datasets.dataset import Corpus
from memlab.explain import explained
from memlab.preview import show_previews
from memlab.records import unwritable
from memlab.report.comparison import write_comparison
from memlab.report.table import output
from memlab.settings import ConfigError
from memlab.study import leave_incomplete, run_folder


class Study(Callback):
    """Refuses a sweep with a faulty job before anything runs, and compares the runs at its end.

    Knows the jobs of Hydra's basic sweeper, whatever launcher runs them; those of other sweepers are not known
    beforehand, so they are checked one by one and compared by `python -m memlab report`.
    """

    def on_multirun_start(self, config: DictConfig, **_: Any) -> None:
        """Exit with the faults of all jobs, each fault once, when there are any; or after the previews of all jobs."""
        try:
            check_jobs(config)
            if previewed := [(name, job) for name, job in jobs(config) if job.preview]:
                show_previews(previewed, output())
                # In the jobs' stead: nothing of them is to be run or compared.
                raise SystemExit(0)
            make_folder(Path(config.runs))
        except Exception as error:
            words = explained(error, sys.argv[1:]) or traceback.format_exc()
        else:
            return
        # Hydra turns an exception in a callback into a warning and goes on; it lets this one through.
        print(words, file=sys.stderr)
        raise SystemExit(2)

    def on_multirun_end(self, config: DictConfig, **_: Any) -> None:
        """Write and show comparison.json and comparison.md of the jobs' runs."""
        corpora: dict[str, Corpus] = {}
        folders = []
        for _name, job in jobs(config):
            # Most sweeps run on one dataset: it is read once.
            node = json.dumps(nodes(job)["dataset"], sort_keys=True)
            corpora[node] = corpora.get(node) or build(job).dataset.read()
            folders.append(run_folder(job, dict(job.hydra.runtime.choices), corpora[node]))
        if folders and all((folder / "summary.json").exists() for folder in folders):
            write_comparison(folders, output())
        leave_incomplete(folders)


def make_folder(path: Path) -> None:
    """Make the folder that runs go to; raises RecordError, with the remedy, when it cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error


def check_jobs(config: DictConfig) -> None:
    """Raise ConfigError with the faults of all jobs of a sweep, each fault once."""
    faults: dict[str, str] = {}
    for name, job in jobs(config):
        try:
            check(job)
        except ConfigError as error:
            faults = {fault: f"{fault} (in the job {name})" for fault in error.faults} | faults
    if faults:
        raise ConfigError(list(faults.values()))


def jobs(config: DictConfig) -> Iterator[tuple[str, DictConfig]]:
    """Yield each job of a sweep: its overrides as words, and its config."""
    if not str(config.hydra.sweeper._target_).endswith(BasicSweeper.__name__):
        return
    loader = GlobalHydra.instance().config_loader()
    swept = [f"{key}={values}" for key, values in (config.hydra.sweeper.params or {}).items()]
    given = list(config.hydra.overrides.task)
    overrides = OverridesParser.create(config_loader=loader).parse_overrides([*swept, *given])
    for batch in BasicSweeper.split_arguments(overrides, None):
        for job in batch:
            yield " ".join(job), loader.load_sweep_config(config, list(job))
