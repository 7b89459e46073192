"""Every option, system and experiment composes and can run; counted, so that none is left out unseen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser

from memlab.conf_files import conf_folder, groups, options
from memlab.config import check
from memlab.settings import ConfigError

OPTIONS = [f"{group}={option}" for group in groups() if group != "experiment" for option in options(group)]
EXPERIMENT_JOBS = {
    "retrieval": 11,
    "recency": 5,
    "top_s": 5,
    "rag_grid": 14,
    "smoke": 3,
    "local_llm": 5,
    "graph_ablation": 5,
    "operation_selection": 21,
    "operation_selection_llm": 3,
    "paper": 17,
}
# Options that need what a test machine lacks: a key, a downloaded file or a trained model.
ELSEWHERE = {
    *("dataset=locomo", "embedder=openai", "llm=openai", "profile=openai", "store=neo4j", "graph=neo4j"),
    *("updater=classifier", "relation=fine_tuned", "judge=local"),
}
# Groups of parts that stand inside others: no config has them by default.
INSIDE = ("entities=", "graph=", "relation=")
# Options that fit only beside another than the default.
GRAPH_ONLY = ("store=graph", "store=neo4j")
ON_GRAPHS = (
    *(f"extractor={name}" for name in ("triples", "triples_local", "triples_by_profile", "facts_and_triples")),
    *(f"retriever={name}" for name in ("entity_centric", "semantic_triplet", "dual")),
    *(f"retriever={name}" for name in ("hybrid", "hybrid_entity", "hybrid_triplet")),
)
WITH_GOLD = {
    "extractor=gold": ("dataset=synthetic",),
    **dict.fromkeys(("updater=oracle", "updater=oracle_related"), ("dataset=synthetic",)),
}
BESIDE = {
    **dict.fromkeys(GRAPH_ONLY, ("extractor=triples_by_profile",)),
    **dict.fromkeys(ON_GRAPHS, ("store=hybrid",)),
    **WITH_GOLD,
}


@pytest.fixture(autouse=True)
def conf() -> Iterator[None]:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        yield


def test_all_options_are_seen() -> None:
    assert len(OPTIONS) == 96
    assert set(options("experiment")) == set(EXPERIMENT_JOBS)


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_composes_and_can_run(option: str) -> None:
    own = f"+{option}" if option.startswith(INSIDE) else option
    given = [own, *BESIDE.get(option, ())]
    config = compose("config", given if option.startswith(("llm=", "profile=")) else [*given, "llm=server"])
    try:
        check(config)
    except ConfigError as error:
        assert option in ELSEWHERE, error.faults  # noqa: PT017 - what fails where it may is no fault


@pytest.mark.parametrize(("experiment", "jobs"), EXPERIMENT_JOBS.items())
def test_every_experiment_expands_to_jobs_that_can_run(experiment: str, jobs: int, tmp_path: Path) -> None:
    locomo = tmp_path / "locomo.json"
    locomo.touch()  # that it is there is all that a check looks at
    config = compose("config", [f"experiment={experiment}"], return_hydra_config=True)
    assert config.hydra.mode.name == "MULTIRUN"
    loader = GlobalHydra.instance().config_loader()
    parameters = [f"{key}={values}" for key, values in config.hydra.sweeper.params.items()]
    parsed = OverridesParser.create(config_loader=loader).parse_overrides(parameters)
    [batch] = BasicSweeper.split_arguments(parsed, None)
    assert len(batch) == jobs
    for overrides in batch:
        composed = compose("config", [f"experiment={experiment}", *overrides])
        if "path" in composed.dataset:
            composed.dataset.path = str(locomo)
        check(composed)


def test_every_setting_of_a_part_has_its_default_in_conf_alone() -> None:
    import inspect

    from hydra.utils import get_object

    from memlab.conf_files import targets
    from memlab.node_check import INTERFACES
    from memlab.signature import parameters

    defaults = [
        f"{path}({name})"
        for group in INTERFACES
        for path in targets(group).values()
        for name, parameter in parameters(get_object(path)).items()
        if parameter.default is not inspect.Parameter.empty
    ]
    assert defaults == []
