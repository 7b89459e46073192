"""From a config to objects: every node is checked against its constructor's signature, then built.

A node is a constructor call: `_target_` and plain settings. Collaborators are not in YAML: the constructor names them
by annotation and gets the one of this run. The annotation is the compatibility rule, too.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from hydra.utils import get_object
from omegaconf import DictConfig, OmegaConf

from memlab import settings as top_level
from memlab.answer.answerer import Answerer
from memlab.datasets.dataset import Dataset
from memlab.embed.cached import CachedEmbedder
from memlab.embed.embedder import Embedder
from memlab.embed.stand_in import StandInEmbedder
from memlab.extract.extractor import Extractor
from memlab.extract.summary import Summariser
from memlab.judge.judge import Judge
from memlab.judge.local import LocalJudge
from memlab.judge.overlap import OverlapJudge
from memlab.llm.budget import Budgeted
from memlab.llm.cached import CachedChat
from memlab.llm.chat import ChatModel
from memlab.llm.meter import MeteredChat
from memlab.llm.stand_in import Asked, StandIn
from memlab.node_check import (
    INTERFACES,
    OPTIONAL,
    Node,
    content_faults,
    gold_faults,
    group_of,
    label,
    node_faults,
    target_class,
)
from memlab.part import Part
from memlab.parts import Parts
from memlab.retrieve.retriever import Retriever
from memlab.settings import ConfigError, Settings
from memlab.signature import parameters, part_type
from memlab.store.networkx_graph import NetworkxGraph
from memlab.store.property_graph import PropertyGraph
from memlab.store.store import Store
from memlab.tracking import Tracker
from memlab.update.relation import PairModel, SameWords
from memlab.update.updater import Updater

Wrap = Callable[[Part], Part]
"""What is put around each model and each embedder, or in its place or a graph's; other parts stay as they are."""

PREVIEW_DIMENSION = 128
"""Of the vectors that memories are searched by in a preview."""


def nodes(config: DictConfig, *, resolve: bool = True) -> dict[str, Node]:
    """Return the node of every part as plain data, interpolations resolved or as they were written."""
    chosen = {group: config.get(group) for group in INTERFACES}
    return {
        group: cast("Node", OmegaConf.to_container(node, resolve=resolve)) if isinstance(node, DictConfig) else {}
        for group, node in chosen.items()
    }


def settings(config: DictConfig) -> Settings:
    """Return the plain top-level keys; raises ConfigError when one is of the wrong type or out of range."""
    return top_level.settings(config, INTERFACES)


def check(config: DictConfig) -> None:
    """Raise ConfigError with all faults at once: settings, names, types, misfits, and what is missing here.

    Nothing is loaded, called or written.
    """
    faults: list[str] = []
    try:
        chosen = settings(config)
    except ConfigError as error:
        faults += error.faults
    parts = nodes(config)
    classes = {
        group: target_class(group, node, faults) for group, node in parts.items() if node or group not in OPTIONAL
    }
    for group in classes:
        faults += [f"{label(group, parts[group])} {fault}" for fault in node_faults(group, parts[group], classes)]
    if not faults:
        faults += content_faults(parts, classes)
        faults += gold_faults(parts, classes)
        faults += perspective_faults(chosen, parts["extractor"], cast("type[Extractor]", classes["extractor"]))
        faults += missing(config)
    if faults:
        raise ConfigError(list(dict.fromkeys(faults)))


def perspective_faults(chosen: Settings, node: Node, extractor: type[Extractor]) -> list[str]:
    """Return why there cannot be a store for each speaker."""
    if chosen.perspective == "shared" or extractor.tells_speakers:
        return []
    return [
        f"{label('extractor', node)} mixes what both speakers said, so perspective=per_speaker cannot be had; use "
        "perspective=shared"
    ]


def build(config: DictConfig, wrap: Wrap | None = None) -> Parts:
    """Return the parts that a checked config names; models and embedders wrapped, by default as they are `served`."""
    caches: list[CachedChat] = []
    make = partial(build_node, wrap=wrap or served(settings(config), caches))
    chosen = nodes(config)
    dataset, embedder = make(chosen["dataset"], {}), make(chosen["embedder"], {})
    around = {"dataset": dataset, "embedder": embedder} | ({"llm": make(chosen["llm"], {})} if chosen["llm"] else {})
    groups = ("extractor", "summary", "updater", "answerer", "judge", "tracker")
    made = {group: make(chosen[group], around) for group in groups}

    def new_retriever(store: Store) -> Retriever:
        return cast(Retriever, make(chosen["retriever"], {**around, "store": store}))

    return Parts(
        dataset=cast(Dataset, dataset),
        embedder=cast(Embedder, embedder),
        extractor=cast(Extractor, made["extractor"]),
        summary=cast(Summariser, made["summary"]),
        updater=cast(Updater, made["updater"]),
        answerer=cast(Answerer, made["answerer"]),
        judge=cast(Judge, made["judge"]),
        tracker=cast(Tracker, made["tracker"]),
        new_store=cast("Callable[[], Store]", partial(make, chosen["store"], around)),
        new_retriever=new_retriever,
        caches=tuple(caches),
    )


def served(chosen: Settings, caches: list[CachedChat]) -> Wrap:
    """Return what is put around a model: counted first, then looked up, and only what is not found is paid for.

    An embedder gets the cache of the user's vectors. In a preview nothing can be paid for: stand-ins take the places.
    """
    if chosen.preview:
        return stood_in(Asked())

    def wrap(part: Part) -> Part:
        if isinstance(part, ChatModel):
            price = chosen.prices.models.get(part.model)
            paid = Budgeted(part, chosen.budget, price) if chosen.budget.limits else part
            caches.append(CachedChat(paid, folder=None, mode=chosen.cache))
            return MeteredChat(caches[-1])
        return CachedEmbedder(part, folder=None) if isinstance(part, Embedder) else part

    return wrap


def stood_in(asked: Asked) -> Wrap:
    """Return what takes the place of all models, embedders and graph servers; what is asked for is added to `asked`."""

    def wrap(part: Part) -> Part:
        if isinstance(part, ChatModel):
            return MeteredChat(StandIn(part, asked))
        if isinstance(part, PropertyGraph):
            return NetworkxGraph()
        if isinstance(part, PairModel):
            return SameWords()
        if isinstance(part, LocalJudge):
            return OverlapJudge(threshold=0.5, probes=part.probes)  # its weights know one embedder alone
        return StandInEmbedder(PREVIEW_DIMENSION) if isinstance(part, Embedder) else part

    return wrap


def missing(config: DictConfig) -> list[str]:
    """Return what the parts of a config need and lack here, each with its remedy."""
    serve = served(settings(config), [])
    built: list[Part] = []
    around: dict[str, Part] = {}
    faults = []

    def wrap(part: Part) -> Part:
        built.append(serve(part))
        return built[-1]

    for group, node in nodes(config).items():
        if not node or needed(node) - around.keys():
            continue  # no llm was chosen, or a collaborator could not be built and its own fault is told already
        try:
            built.clear()
            around[group] = build_node(node, around, wrap=wrap)
            faults += [fault for part in built for fault in part.missing()]
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


def build_node(node: Node, around: Mapping[str, Part], *, wrap: Wrap) -> Part:
    """Return the wrapped object of a checked node, collaborators taken from `around` or from nodes of their own.

    A model within a model is not wrapped: the same call would be counted, and wait for room in the budget, twice.
    """
    found = cast("type[Part]", get_object(node["_target_"]))
    inner = (lambda part: part) if issubclass(found, ChatModel) else wrap
    given: dict[str, Any] = {name: value for name, value in node.items() if name != "_target_"}
    for name, parameter in parameters(found).items():
        if kind := part_type(parameter.annotation):
            nested = node.get(name)
            given[name] = around[group_of(kind)] if nested is None else build_node(nested, around, wrap=inner)
    return wrap(found(**given))
