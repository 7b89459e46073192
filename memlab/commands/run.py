"""The run itself, as Hydra calls it."""

import gc
import sys
from collections.abc import Mapping, Sequence

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import DictConfig

from memlab.conf_files import conf_folder
from memlab.explain import explained
from memlab.preview import show_previews
from memlab.report.comparison import tables
from memlab.report.table import output
from memlab.study import leave_incomplete, run_job


@hydra.main(config_path=str(conf_folder()), config_name="config", version_base="1.3")
def hydra_main(config: DictConfig) -> str:
    """Run one job; return its folder, from which a sweep's comparison is made."""
    # A run makes millions of small objects without cycles; by default the collector walks all others again and again.
    gc.set_threshold(50_000, 20, 100)
    job = HydraConfig.get()
    console = output()
    try:
        if config.preview:
            show_previews([("this run", config)], console)
            return ""
        folder = run_job(config, named(job.runtime.choices, job.overrides.task), console)
    except Exception as error:
        if (words := explained(error, sys.argv[1:])) is None:
            raise
        # Not raised: Hydra would first print all overrides of the command.
        print(words, file=sys.stderr)
        raise SystemExit(2) from None
    if job.mode == RunMode.RUN:
        for table in tables([folder]):
            table.show(console)
        console.print(f"records: {folder}", highlight=False)
        leave_incomplete([folder])
    return str(folder)


def named(choices: Mapping[str, str], overrides: Sequence[str]) -> dict[str, str]:
    """Return the option of each group; where the command names a class of its own, that class."""
    classes = (override.lstrip("+").partition("._target_=") for override in overrides)
    return {**choices, **{group: target.rpartition(".")[2] for group, _, target in classes if target}}
