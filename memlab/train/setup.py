"""From the config of a training to its parts; all that is wrong with it is told at once, before anything is read."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from inspect import Parameter
from pathlib import Path
from typing import Any, cast

from hydra.utils import get_object
from omegaconf import DictConfig, OmegaConf

from memlab.conf_files import written_nodes
from memlab.config import build_node
from memlab.datasets.dataset import Dataset, DatasetError
from memlab.embed.cached import CachedEmbedder
from memlab.embed.embedder import Embedder
from memlab.extract.extractor import Extractor
from memlab.part import Part
from memlab.settings import ConfigError
from memlab.signature import parameters, setting_faults
from memlab.spelling import did_you_mean
from memlab.tracking import Tracker
from memlab.train.decisions import Choosing
from memlab.train.learner import Learner
from memlab.train.ranges import range_faults
from memlab.train.sources import SPLITS, Wanted
from memlab.train.updater import Training
from memlab.update.fine_tuned import device_faults


class Keys:
    """The plain keys of a training, as their types; conf/train_updater.yaml says what each one is."""

    def __init__(
        self,
        *,
        seed: int,
        synthetic: bool,
        rewritten: bool,
        messages: dict[str, int],
        sick: str | None,
        halumem: str | None,
        from_run: str | None,
        s: int,
        unrelated: float | None,
        device: str | None,
        threads: int,
        output: str,
    ) -> None:
        self.seed = seed
        self.synthetic, self.rewritten = synthetic, rewritten
        self.messages = messages
        self.sick, self.halumem, self.from_run = sick, halumem, from_run
        self.s = s
        self.unrelated = unrelated
        self.device = device
        self.threads = threads
        self.output = Path(output)


NODES = ("embedder", "tracker", "dataset", "model")
IGNORED = ("max_tokens",)
"""What the option dataset=synthetic sets for a run beside the dataset."""
NO_MATTER = ("output", "tracker", "device", "sick", "halumem", "from_run")
"""Keys that do not change what comes out; the content of the files is told by its hash."""
OF_A_SPLIT = ("seed", "split", "messages")


def training(config: DictConfig) -> Training:
    """Return the training that a config describes; raises ConfigError with all that is wrong with it."""
    plain = cast("dict[str, Any]", OmegaConf.to_container(config, resolve=True))
    nodes = {name: plain.get(name) or {} for name in NODES}
    given = {name: value for name, value in plain.items() if name not in (*NODES, *IGNORED)}
    faults = [f"train updater {fault}" for fault in setting_faults(given, parameters(Keys))]
    faults += key_faults(given) if not faults else []
    for name, node in nodes.items():
        if own := node_faults(node):
            faults += [f"{name} {fault}" for fault in own]
        elif name == "dataset":
            faults += dataset_faults(node)
        elif name == "model":
            faults += learner_of(node).faults()
    if faults:
        raise ConfigError(faults)
    keys = Keys(**given)
    parts = {name: build_node(nodes[name], {}, wrap=cached) for name in ("embedder", "tracker")}
    if missing := [fault for part in parts.values() for fault in part.missing()]:
        raise ConfigError(missing)
    learner = learner_of(nodes["model"])
    # What a split is made of is told by `seed` and `messages`; what the option says of its own is not used.
    plain["dataset"] = {name: value for name, value in nodes["dataset"].items() if name not in OF_A_SPLIT}
    return Training(
        learner=learner,
        wanted=wanted(keys, nodes["dataset"]),
        embedder=cast(Embedder, parts["embedder"]),
        tracker=cast(Tracker, parts["tracker"]),
        choosing=choosing(learner.option),
        settings={name: value for name, value in plain.items() if name not in (*NO_MATTER, *IGNORED)},
        unrelated=keys.unrelated,
        s=keys.s,
        seed=keys.seed,
        device=keys.device,
        threads=keys.threads,
        output=keys.output,
    )


def key_faults(given: Mapping[str, Any]) -> list[str]:
    """Return which plain keys are out of range, or cannot be had here."""
    faults = range_faults(given) + device_faults(given["device"])
    if strange := [name for name in given["messages"] if name not in SPLITS]:
        faults.append(f"messages.{strange[0]} is none of {', '.join(SPLITS)}{did_you_mean(strange[0], SPLITS)}")
    elif absent := [name for name in SPLITS if name not in given["messages"]]:
        faults.append(f"messages.{absent[0]} is not given")
    return faults


def dataset_faults(node: Mapping[str, Any]) -> list[str]:
    """Return that a dataset cannot be made anew for each split."""
    if absent := [name for name in OF_A_SPLIT if name not in parameters(constructor(node))]:
        return [
            f"a training needs dataset=synthetic, or a dataset class with {', '.join(OF_A_SPLIT)}; "
            f"{node['_target_'].rpartition('.')[2]} has no {', '.join(absent)}"
        ]
    return []


def node_faults(node: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a node's settings."""
    if "_target_" not in node:
        return ["names no class; its option needs `_target_: package.module.Class`"]
    try:
        wanted_settings: Mapping[str, Parameter] = parameters(constructor(node))
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        return [f"names a class that cannot be had ({error}); check its spelling"]
    return setting_faults(settings_of(node), wanted_settings)


def constructor(node: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the class that a node names."""
    return cast("Callable[..., Any]", get_object(node["_target_"]))


def settings_of(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a node."""
    return {name: value for name, value in node.items() if name != "_target_"}


def learner_of(node: Mapping[str, Any]) -> Learner:
    """Return the way of learning that a node describes."""
    return cast(Learner, constructor(node)(**settings_of(node)))


def cached(part: Part) -> Part:
    """Return an embedder with the cache of the user's vectors around it."""
    return CachedEmbedder(part, folder=None) if isinstance(part, Embedder) else part


def wanted(keys: Keys, node: Mapping[str, Any]) -> Wanted:
    """Return where the pairs are to come from."""
    rewriting = written_nodes("extractor")["rewrite"]
    paths = {name: None if value is None else Path(value) for name, value in vars(keys).items() if name in PATHS}
    return Wanted(
        synthetic=datasets(keys, node) if keys.synthetic else None,
        rewritten=cast(Extractor, build_node(rewriting, {}, wrap=cached)) if keys.rewritten else None,
        rewriting=settings_of(rewriting),
        **paths,
    )


def datasets(keys: Keys, node: Mapping[str, Any]) -> dict[str, Dataset]:
    """Return the dataset of each split; raises ConfigError with all that is wrong with their settings."""
    found, faults = {}, []
    for split, number in keys.messages.items():
        own = {**settings_of(node), "split": split, "seed": keys.seed, "messages": number}
        try:
            found[split] = cast(Dataset, constructor(node)(**own))
        except DatasetError as error:
            faults.append(str(error).replace(f"messages={number}:", f"messages.{split}={number}:"))
    if faults:
        raise ConfigError(list(dict.fromkeys(faults)))
    return found


PATHS = ("sick", "halumem", "from_run")


def choosing(option: str) -> Choosing:
    """Return how the updater that uses the model chooses by default: what is written in conf/updater."""
    name = "classifier" if option == "fine_tuned" else option
    node = written_nodes("updater")[name]
    return Choosing(**{field.name: node[field.name] for field in fields(Choosing)})
