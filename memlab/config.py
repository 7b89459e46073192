"""From a config to objects: every node is checked against its constructor's signature, then built.

A node is a constructor call: `_target_` and plain settings. Collaborators are not in YAML: the constructor names them
by annotation and gets the one of this run. The annotation is the compatibility rule, too.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import partial
from inspect import isabstract
from typing import Any, cast

from hydra.utils import get_object
from omegaconf import DictConfig, OmegaConf

from memlab.answer.answerer import Answerer
from memlab.conf_files import targets
from memlab.datasets.dataset import Dataset
from memlab.embed.cached import CachedEmbedder
from memlab.embed.embedder import Embedder
from memlab.extract.extractor import Extractor
from memlab.llm.cached import CachedChat, Mode
from memlab.llm.chat import ChatModel
from memlab.part import Part
from memlab.retrieve.retriever import Retriever
from memlab.signature import parameters, part_type, setting_faults, type_fault
from memlab.spelling import did_you_mean
from memlab.store.store import Store
from memlab.tracking import Tracker
from memlab.update.updater import Updater

Node = Mapping[str, Any]

INTERFACES: dict[str, type[Part]] = {
    "dataset": Dataset,
    "llm": ChatModel,
    "embedder": Embedder,
    "extractor": Extractor,
    "updater": Updater,
    "store": Store,
    "retriever": Retriever,
    "answerer": Answerer,
    "tracker": Tracker,
}
"""The config group of each kind of part, those that are collaborators of others first."""


class ConfigError(ValueError):
    """A config that cannot run; `faults` holds all that is wrong with it."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(f"- {fault}" for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Settings:
    """The plain top-level keys; conf/config.yaml says what each one is."""

    m: int
    s: int
    max_tokens: int | None
    cache: Mode
    seed: int
    repeats: int
    concurrency: int
    look_ahead: int
    runs: str

    def faults(self) -> Iterator[str]:
        """Yield what is out of range."""
        least = {"m": 0, "s": 0, "max_tokens": 1, "seed": 0, "repeats": 1, "concurrency": 1, "look_ahead": 1}
        for name, bound in least.items():
            if getattr(self, name) is not None and getattr(self, name) < bound:
                yield f"{name}={getattr(self, name)} is too small; it must be at least {bound}"


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a run. Stores and retrievers are made anew for each conversation."""

    dataset: Dataset
    embedder: Embedder
    extractor: Extractor
    updater: Updater
    answerer: Answerer
    tracker: Tracker
    new_store: Callable[[], Store]
    new_retriever: Callable[[Store], Retriever]


def nodes(config: DictConfig, *, resolve: bool = True) -> dict[str, Node]:
    """Return the node of every part as plain data, interpolations resolved or as they were written."""
    chosen = {group: config.get(group) for group in INTERFACES}
    return {
        group: cast("Node", OmegaConf.to_container(node, resolve=resolve)) if isinstance(node, DictConfig) else {}
        for group, node in chosen.items()
    }


def settings(config: DictConfig) -> Settings:
    """Return the plain top-level keys; raises ConfigError when one is of the wrong type or out of range."""
    types = {field.name: field.type for field in fields(Settings)}
    values = {name: config.get(name) for name in types}
    known = [*types, *INTERFACES]
    faults = [f"no key '{key}'{did_you_mean(key, known)}" for key in map(str, config) if key not in (*known, "hydra")]
    faults += [f"{name} {fault}" for name, value in values.items() if (fault := type_fault(value, types[name]))]
    if not faults:
        chosen = Settings(**values)
        faults = list(chosen.faults())
    if faults:
        raise ConfigError(faults)
    return chosen


def check(config: DictConfig) -> None:
    """Raise ConfigError with all faults at once: settings, names, types, misfits, and what is missing here.

    Nothing is loaded, called or written.
    """
    faults: list[str] = []
    try:
        settings(config)
    except ConfigError as error:
        faults += error.faults
    chosen = nodes(config)
    classes = {group: target_class(group, node, faults) for group, node in chosen.items() if node or group != "llm"}
    for group in classes:
        faults += [f"{label(group, chosen[group])} {fault}" for fault in node_faults(group, chosen[group], classes)]
    if not faults:
        faults += missing(config)
    if faults:
        raise ConfigError(faults)


def build(config: DictConfig) -> Parts:
    """Return the parts that a checked config names."""
    chosen = nodes(config)
    dataset = cast(Dataset, build_node(chosen["dataset"], {}))
    embedder = cached(cast(Embedder, build_node(chosen["embedder"], {})))
    around: dict[str, Part] = {"embedder": embedder}
    if chosen["llm"]:
        llm = cast(ChatModel, build_node(chosen["llm"], {}))
        around["llm"] = CachedChat(llm, folder=None, mode=settings(config).cache)
    extractor, updater, answerer, tracker = (
        build_node(chosen[group], around) for group in ("extractor", "updater", "answerer", "tracker")
    )

    def new_retriever(store: Store) -> Retriever:
        return cast(Retriever, build_node(chosen["retriever"], {**around, "store": store}))

    return Parts(
        dataset=dataset,
        embedder=embedder,
        extractor=cast(Extractor, extractor),
        updater=cast(Updater, updater),
        answerer=cast(Answerer, answerer),
        tracker=cast(Tracker, tracker),
        new_store=cast("Callable[[], Store]", partial(build_node, chosen["store"], around)),
        new_retriever=new_retriever,
    )


def cached(embedder: Embedder) -> CachedEmbedder:
    """Return an embedder that keeps every vector in the user's cache folder."""
    return CachedEmbedder(embedder, folder=None)


def missing(config: DictConfig) -> list[str]:
    """Return what the parts of a config need and lack here, each with its remedy."""
    around: dict[str, Part] = {}
    faults = []
    for group, node in nodes(config).items():
        if not node or needed(node) - around.keys():
            continue  # no llm was chosen, or a collaborator could not be built and its own fault is told already
        try:
            part = build_node(node, around)
            around[group] = cached(part) if isinstance(part, Embedder) else part
            faults += around[group].missing()
        except Exception as error:
            # A constructor may be anyone's code and raise anything; the fault carries its words.
            faults.append(f"{label(group, node)}: {error or type(error).__name__}")
    return faults


def needed(node: Node) -> set[str]:
    """Return the groups of the collaborators that a node, and nodes inside it, take from around them."""
    found: set[str] = set()
    for name, parameter in parameters(get_object(node["_target_"])).items():
        if kind := part_type(parameter.annotation):
            nested = node.get(name)
            found |= {group_of(kind)} if nested is None else needed(nested)
    return found


def target_class(group: str, node: Node, faults: list[str]) -> type | None:
    """Return the class that a node names, or None after adding to `faults` why there is none."""
    path = node.get("_target_")
    if not isinstance(path, str):
        faults.append(f"{group} names no class: its YAML needs `_target_: package.module.Class`")
        return None
    try:
        found = get_object(path)
    except (Exception, SystemExit) as error:
        # An import runs the user's code, which can raise anything; the fault carries its words.
        faults.append(f"{group}: cannot import '{path}' ({error}); check its spelling and that Python can find it")
        return None
    interface = INTERFACES[group]
    if not (isinstance(found, type) and issubclass(found, interface)):
        faults.append(
            f"{label(group, node)}: {path} is no {interface.__name__}; "
            f"derive it from {interface.__module__}.{interface.__name__}"
        )
        return None
    if isabstract(found):
        lacking = ", ".join(sorted(found.__abstractmethods__))
        faults.append(f"{label(group, node)}: {path} is abstract; it still needs {lacking}")
        return None
    return found


def node_faults(group: str, node: Node, classes: Mapping[str, type | None]) -> Iterator[str]:
    """Yield what is wrong with a node: its settings, and collaborators that do not fit."""
    found = classes[group]
    if found is None:
        return
    try:
        wanted = parameters(found)
    except (NameError, TypeError, ValueError) as error:
        yield f"has a constructor that cannot be read ({error}); give it plain annotations and named parameters"
        return
    collaborators = {name: kind for name, p in wanted.items() if (kind := part_type(p.annotation))}
    for name, kind in collaborators.items():
        nested = node.get(name)
        own = group_of(kind)
        if nested is not None and own == "store":
            yield f"'{name}' is the run's store and is passed by itself; choose it by store=..."
        elif nested is not None and not isinstance(nested, Mapping):
            yield f"'{name}' is {nested!r}, but a part is a node of its own; use {own}/{nested}@{group}.{name}={nested}"
        elif nested is not None:
            faults: list[str] = []
            inner = {**classes, own: target_class(own, nested, faults)}
            yield from faults
            yield from (f"'{name}' {fault}" for fault in node_faults(own, nested, inner))
        elif own == group or own not in COLLABORATORS:
            yield f"needs '{name}', a {kind.__name__}: give it a node of its own"
        elif own not in classes:
            yield f"needs a {kind.__name__}; choose one: {' or '.join(f'{own}={name}' for name in targets(own))}"
        elif (given := classes[own]) is not None and not issubclass(given, kind):
            yield misfit(own, kind, given, targets(own))
    plain = {name: value for name, value in node.items() if name != "_target_" and name not in collaborators}
    if group == "retriever":
        for name in ("top_k", "max_tokens"):
            if type(value := plain.get(name)) is int and value < 1:
                yield f"setting '{name}' is {value}; it must be at least 1, or null for no bound"
    yield from setting_faults(plain, {name: p for name, p in wanted.items() if name not in collaborators})


COLLABORATORS = ("llm", "embedder", "store")


def misfit(group: str, kind: type[Part], given: type, offered: Mapping[str, str]) -> str:
    """Return the fault of a collaborator of the wrong kind, naming those of the offered options that would fit."""
    classes = {name: get_object(path) for name, path in offered.items()}
    fitting = [name for name, found in classes.items() if isinstance(found, type) and issubclass(found, kind)]
    remedy = " or ".join(f"{group}={name}" for name in fitting) or f"a class derived from {kind.__name__}"
    chosen = next((name for name, found in classes.items() if found is given), f"{given.__module__}.{given.__name__}")
    return f"needs a {kind.__name__}, but {group}={chosen} is a {given.__name__}; use {remedy}"


def label(group: str, node: Node) -> str:
    """Return `group=option` for a node of memlab's own, `group=class path` for anyone else's."""
    path = node.get("_target_")
    return f"{group}={next((name for name, target in targets(group).items() if target == path), path)}"


def group_of(kind: type[Part]) -> str:
    """Return the config group of an interface or of a class derived from one."""
    return next(group for group, interface in INTERFACES.items() if issubclass(kind, interface))


def build_node(node: Node, around: Mapping[str, Part]) -> Part:
    """Return the object of a checked node, collaborators taken from `around` or from nodes of their own."""
    found = cast("Callable[..., Part]", get_object(node["_target_"]))
    given: dict[str, Any] = {name: value for name, value in node.items() if name != "_target_"}
    for name, parameter in parameters(found).items():
        if kind := part_type(parameter.annotation):
            nested = node.get(name)
            given[name] = around[group_of(kind)] if nested is None else build_node(nested, around)
    return found(**given)
