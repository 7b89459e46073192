"""With gold extraction and the right operations, the whole pipeline ends with memories that tell exactly the truth."""

from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from rich.console import Console

from memlab.conf_files import conf_folder
from memlab.datasets.synthetic import Synthetic
from memlab.gold import Told, truth
from memlab.records import RunFolder
from memlab.study import run_job

SMALL = ("dataset=synthetic", "dataset.messages=240", "dataset.messages_per_conversation=120", "embedder=hash")


def finally_told(runs: Path, *overrides: str) -> list[tuple[set[str], set[str]]]:
    """Run, and return of each conversation what its live memories tell, and what is true."""
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        config = compose("config", [*SMALL, "extractor=gold", f"runs={runs}", *overrides])
    memories = RunFolder(run_job(config, {"system": "x"}, Console(quiet=True))).read("memories")
    settings = {key: value for key, value in config.dataset.items() if key != "_target_"}
    found = []
    for one in Synthetic(**settings).read().conversations:
        known, tells = Told(one.gold), set()
        for record in memories:
            if record["conversation"] == one.id and record["retired_at"] is None:
                tells |= known.tells(record["content"]["text"], record["sources"])
        found.append((tells, truth(one.gold)))
    assert len(found) == 2
    return found


@pytest.mark.parametrize("on_delete", ["retire", "replace"])
def test_the_oracle_ends_with_exactly_what_is_true(on_delete: str, tmp_path: Path) -> None:
    for tells, true in finally_told(tmp_path, "updater=oracle", f"updater.on_delete={on_delete}"):
        assert len(true) > 20
        assert tells == true


def test_adding_everything_does_not(tmp_path: Path) -> None:
    assert all(tells > true for tells, true in finally_told(tmp_path, "updater=append"))
