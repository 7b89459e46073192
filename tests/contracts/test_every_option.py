"""The contract suites over every option in conf/: a new YAML file adds its tests."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig
from rich.console import Console

from memlab import testing
from memlab.conf_files import conf_folder, options
from memlab.config import build, build_node, nodes
from memlab.datasets.dataset import Dataset
from memlab.extract.entities import EntityFinder
from memlab.llm.chat import ChatModel
from memlab.llm.stand_in import Asked, StandIn
from memlab.part import Part
from memlab.parts import Parts
from memlab.store.store import GraphStore
from memlab.study import run_job
from memlab.update.relation import PairModel

NEED_A_GRAPH = {"entity_centric", "semantic_triplet", "dual", "hybrid", "hybrid_entity", "hybrid_triplet"}


def composed(*overrides: str) -> DictConfig:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        return compose("config", ["embedder=hash", *overrides])


def parts(*overrides: str) -> Parts:
    """Return the parts of a config; their model answers every request as the request says a good model does."""
    return build(composed("llm=server", *overrides), wrap=answering)


def answering(part: Part) -> Part:
    """Return a model that answers every request as the request says a good model does; other parts as they are."""
    return StandIn(part, Asked()) if isinstance(part, ChatModel) else part


def parts_with_gold(option: str) -> Parts:
    """Return the parts of a config whose dataset is the sample conversation where an option takes what it knows."""

    def wrap(part: Part) -> Part:
        return testing.SampleWithGold() if isinstance(part, Dataset) else answering(part)

    return build(composed("llm=server", "dataset=synthetic", option), wrap=wrap)


@pytest.mark.parametrize("option", options("dataset"))
def test_dataset(option: str, request: pytest.FixtureRequest) -> None:
    path = [f"dataset.path={request.getfixturevalue('shared_data') / 'locomo7.json'}"] if option == "locomo" else []
    testing.check_dataset(parts(f"dataset={option}", *path).dataset)


@pytest.mark.parametrize("option", options("embedder"))
async def test_embedder(option: str) -> None:
    if option == "openai" and not os.environ.get("OPENAI_API_KEY"):
        pytest.skip("needs OPENAI_API_KEY; the loopback tests of its module cover it")
    await testing.check_embedder(build(composed(f"embedder={option}")).embedder)


@pytest.mark.parametrize("option", options("extractor"))
async def test_extractor(option: str) -> None:
    await testing.check_extractor(parts_with_gold(f"extractor={option}").extractor)


@pytest.mark.parametrize("option", options("summary"))
async def test_summary(option: str) -> None:
    await testing.check_summariser(parts(f"summary={option}").summary)


@pytest.mark.parametrize("option", options("updater"))
async def test_updater(option: str) -> None:
    if option == "classifier":
        pytest.skip("needs a checkpoint that a training makes; tests/update covers the updater and its model")
    await testing.check_updater(parts_with_gold(f"updater={option}").updater)


@pytest.mark.parametrize("option", sorted(set(options("relation")) - {"fine_tuned"}))
async def test_relation(option: str) -> None:
    config = composed(f"+relation={option}")
    model = build_node(nodes(config)["relation"], {"embedder": build(config).embedder}, wrap=answering)
    await testing.check_relation(cast(PairModel, model))


@pytest.mark.parametrize("option", options("entities"))
async def test_entities(option: str) -> None:
    chosen = nodes(composed("llm=server", f"+entities={option}"))
    model = build_node(chosen["llm"], {}, wrap=answering)
    finder = build_node(chosen["entities"], {"llm": model}, wrap=answering)
    await testing.check_entity_finder(cast(EntityFinder, finder))


@pytest.mark.parametrize("option", sorted(set(options("store")) - {"neo4j"}))
async def test_store(option: str) -> None:
    new_store = parts(f"store={option}").new_store
    await testing.check_store(new_store)
    if isinstance(new_store(), GraphStore):
        await testing.check_graph_store(cast("Callable[[], GraphStore]", new_store))


@pytest.mark.parametrize("store", ["dense", "graph", "hybrid"])
@pytest.mark.parametrize("option", options("retriever"))
async def test_retriever(option: str, store: str) -> None:
    chosen = parts(f"retriever={option}", f"store={store}")
    if store == "dense" and option in NEED_A_GRAPH:
        pytest.skip("needs a GraphStore, which the config check says; store=graph and store=hybrid run it")
    await testing.check_retriever(chosen.new_retriever, chosen.new_store)


@pytest.mark.parametrize("option", options("tracker"))
def test_tracker(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    config = composed(
        f"tracker={option}", "dataset.conversations=[mini-1]", "dataset.limit_questions=2", f"runs={tmp_path}"
    )
    folder = run_job(config, {}, Console(quiet=True))
    testing.check_tracker(build(config).tracker, folder)


@pytest.mark.parametrize("option", options("answerer"))
async def test_answerer(option: str) -> None:
    await testing.check_answerer(parts(f"answerer={option}").answerer)


@pytest.mark.parametrize("option", options("judge"))
async def test_judge(option: str) -> None:
    if option == "local":
        pytest.skip("needs weights that no package may hold; tests/train/judging runs this on some of its own")
    await testing.check_judge(parts(f"judge={option}").judge)
