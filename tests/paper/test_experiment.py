"""experiment=paper: a job for each row that there is a system for, of the parts that the profile has."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from omegaconf import OmegaConf

from memlab.conf_files import conf_folder
from memlab.config import check
from memlab.paper.mem0 import mem0_paper
from memlab.report.paper import paper_row
from tests.thorough import rest_thorough


@pytest.fixture(autouse=True)
def conf() -> Iterator[None]:
    GlobalHydra.instance().clear()
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        yield


def systems() -> list[str]:
    config = compose("config", ["experiment=paper"], return_hydra_config=True)
    return str(config.hydra.sweeper.params.system).replace(" ", "").split(",")


def composed(system: str, profile: str) -> Any:
    return compose("config", ["experiment=paper", f"system={system}", f"profile={profile}", "dataset.path=locomo.json"])


def test_every_row_of_rag_full_context_and_mem0_has_one_job() -> None:
    # What the options of RAG write is laid over one composed job: composing each of them takes long.
    rag = OmegaConf.to_container(composed("paper/rag_k1_128", "local"), resolve=True)
    rows = []
    for system in systems():
        config = rag if "rag" in system else OmegaConf.to_container(composed(system, "local"), resolve=True)
        own = OmegaConf.load(conf_folder() / "system" / f"{system}.yaml")
        merged = OmegaConf.to_container(OmegaConf.merge(config, {k: v for k, v in own.items() if k != "defaults"}))
        rows.append(paper_row({"dataset": {"name": "locomo"}, "choices": {"system": system}, "config": merged}))
    expected = [row for row in mem0_paper().systems if row.method in ("RAG", "Full-context", "Mem0", "Mem0g")]
    assert rows == expected


@pytest.mark.parametrize("profile", rest_thorough(["openai", "server"]))
def test_jobs_can_run_with_a_model(profile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "-")
    (tmp_path / "locomo.json").touch()
    monkeypatch.chdir(tmp_path)
    for system in ("paper/rag_k2_8192", "paper/mem0", "paper/mem0g"):
        check(composed(system, profile))


@pytest.mark.parametrize("name", ["mem0", "mem0g"])
def test_with_a_model_the_papers_system_is_run(name: str) -> None:
    own, paper = (OmegaConf.to_container(composed(system, "openai")) for system in (f"paper/{name}", f"{name}_paper"))
    assert own == paper
