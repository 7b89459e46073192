"""Which option a node is, where several options name one class."""

from typing import cast

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from memlab.conf_files import conf_folder, option_of, written_nodes


def node(option: str) -> dict[str, object]:
    """The node of a retriever as Hydra composes it: parts in their places."""
    written = written_nodes("retriever")[option]
    parts = [entry.split("@") for entry in written.get("defaults", ()) if isinstance(entry, str) and "@" in entry]
    settings = {name: value for name, value in written.items() if name != "defaults"}
    return settings | {place: node(part) for part, place in parts}


@pytest.mark.parametrize("option", ["fused", "dual", "hybrid", "nearest", "smoothed"])
def test_a_node_is_told_by_the_parts_in_it(option: str) -> None:
    assert option_of("retriever", node(option)) == option


def test_a_node_of_a_strange_class_is_no_option() -> None:
    assert option_of("retriever", {"_target_": "mylab.Mine"}) is None


def test_a_node_with_a_word_where_a_part_belongs_is_still_told_by_its_settings() -> None:
    assert option_of("retriever", {**node("smoothed"), "inner": "nearest"}) == "smoothed"


@pytest.mark.parametrize("option", ["graph", "neo4j"])
def test_a_store_is_told_by_its_graph(option: str) -> None:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        config = compose("config", [f"store={option}"])
    assert option_of("store", cast("dict[str, object]", OmegaConf.to_container(config.store))) == option
