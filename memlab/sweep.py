"""A study of several jobs: all are checked before the first runs, and compared when the last is done."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from omegaconf import open_dict
from rich.console import Console

from memlab.config import ConfigError, check


class StudySweeper(BasicSweeper):
    """Hydra's basic sweeper, which refuses a sweep with a faulty job and writes the comparison at its end."""

    def validate_batch_is_legal(self, batch: Sequence[Sequence[str]]) -> None:
        """Raise ConfigError with the faults of all jobs, each once."""
        assert self.hydra_context is not None
        assert self.config is not None
        faults: dict[str, str] = {}
        for overrides in batch:
            config = self.hydra_context.config_loader.load_sweep_config(self.config, list(overrides))
            with open_dict(config):
                config.pop("hydra", None)
            try:
                check(config)
            except ConfigError as error:
                faults |= {
                    fault: f"{fault} (in the job {' '.join(overrides)})"
                    for fault in error.faults
                    if fault not in faults
                }
        if faults:
            raise ConfigError(list(faults.values()))

    def sweep(self, arguments: list[str]) -> Any:
        """Run all jobs, then write and show comparison.json and comparison.md beside their folders."""
        from memlab.report.comparison import write_comparison

        returns = super().sweep(arguments)
        folders = [Path(job.return_value) for batch in returns for job in batch]
        write_comparison(folders, Console())
        return returns
