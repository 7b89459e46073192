import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from rich.console import Console

from memlab import run_key
from memlab.conf_files import conf_folder
from memlab.records import RunFolder
from memlab.run_key import content_sha256, model_files, numbered
from memlab.study import run_job
from memlab.update import frozen_head


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of two modules, a data file and a command, in memlab's place."""
    for name in ("extract/rules.py", "extract/words.toml", "commands/show.py", "conf/config.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(run_key, "PACKAGE", tmp_path)
    run_key.memlab_sha256.cache_clear()
    yield tmp_path
    run_key.memlab_sha256.cache_clear()


@pytest.mark.parametrize(
    ("changed", "another"),
    [
        ("extract/rules.py", True),
        ("extract/words.toml", True),
        ("commands/show.py", False),
        ("conf/config.yaml", False),
    ],
)
def test_code_and_data_that_can_change_a_number_change_the_key(package: Path, changed: str, another: bool) -> None:
    before = run_key.memlab_sha256()
    run_key.memlab_sha256.cache_clear()
    (package / changed).write_text("something else")
    assert (run_key.memlab_sha256() != before) == another


def test_a_server_that_moves_is_the_same_under_the_name_it_is_known_by() -> None:
    openai = {"_target_": "memlab.llm.openai_chat.OpenAIChat", "model": "small", "timeout_seconds": 5.0}
    here, there = ({**openai, "base_url": url} for url in ("http://a:1/v1", "http://b:2/v1"))
    assert numbered({"llm": here}, {}) != numbered({"llm": there}, {})
    named = [{**node, "known_as": "our vLLM"} for node in (here, there)]
    assert numbered({"llm": named[0]}, {}) == numbered({"llm": named[1]}, {})
    assert "timeout_seconds" not in numbered(here, {})


def new_process() -> None:
    """Forget what a process reads once."""
    content_sha256.cache_clear()
    frozen_head.load.cache_clear()


@pytest.fixture
def weights(tmp_path: Path) -> Iterator[Path]:
    """The head shipped for embedder=hash, in a folder of the user's."""
    new_process()
    (tmp_path / "model").mkdir()
    yield Path(shutil.copy(frozen_head.SHIPPED / "hash-256" / frozen_head.FILE, tmp_path / "model"))
    new_process()


def test_another_training_in_the_same_place_is_another_run(weights: Path, tmp_path: Path) -> None:
    def run(place: Path) -> Path:
        keys = ("embedder=hash", "dataset.conversations=[mini-1]", "dataset.limit_questions=1", "extractor=verbatim")
        own = ("updater=frozen_head", f"updater.relation.weights={place}", f"runs={tmp_path}")
        with initialize_config_dir(str(conf_folder()), version_base="1.3"):
            return run_job(compose("config", [*keys, *own]), {}, Console(quiet=True))

    first = run(weights)
    moved = Path(shutil.copytree(weights.parent, tmp_path / "moved")) / weights.name
    assert run(moved) == first, "the place of a model is in the key"
    head = frozen_head.load(weights)
    np.negative(head.out, out=head.out)
    frozen_head.save(head, weights)
    new_process()
    second = run(weights)
    assert second != first
    hashes = [(RunFolder(folder).read_json("manifest") or {})["model_files"] for folder in (first, second)]
    assert hashes == [{"updater.relation.weights": content_sha256(file)} for file in (moved, weights)]
    told = [(folder / "ingest.jsonl").read_text() for folder in (first, second)]
    decided = [[record["operations"] for record in map(json.loads, one.splitlines())] for one in told]
    assert decided[0] != decided[1]


def test_a_folder_is_hashed_with_the_names_in_it_and_shipped_weights_are_not(weights: Path, tmp_path: Path) -> None:
    tuned = {"_target_": "memlab.update.fine_tuned.FineTuned", "checkpoint": str(weights.parent), "device": None}
    shipped = {"_target_": "memlab.update.frozen_head.FrozenHead", "weights": None}
    judge = {"_target_": "memlab.judge.local.LocalJudge", "weights": str(weights.parent), "probes": 0}
    [(place, before)] = model_files({"updater": {"relation": tuned}, "judge": {"inner": shipped}}).items()
    assert place == "updater.relation.checkpoint"
    assert model_files({"judge": judge}) == {"judge.weights": before}
    weights.rename(weights.with_name("renamed.npz"))
    new_process()
    assert model_files({"judge": judge})["judge.weights"] != before
