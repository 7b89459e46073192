"""What is wrong with the nodes of a config: names, settings, types, and parts that do not fit together."""

from collections.abc import Iterable, Iterator, Mapping
from inspect import isabstract
from typing import Any

from hydra.utils import get_object

from memlab.answer.answerer import Answerer
from memlab.conf_files import option_of, targets
from memlab.datasets.dataset import Dataset
from memlab.embed.embedder import Embedder
from memlab.extract.entities import EntityFinder
from memlab.extract.extractor import Extractor
from memlab.extract.summary import Summariser
from memlab.judge.judge import Judge
from memlab.llm.chat import ChatModel
from memlab.memory import Triple
from memlab.part import Part
from memlab.retrieve.retriever import Retriever
from memlab.signature import parameters, part_type, setting_faults
from memlab.store.property_graph import PropertyGraph
from memlab.store.store import GraphStore, Store
from memlab.tracking import Tracker
from memlab.update.relation import PairModel
from memlab.update.updater import Updater

Node = Mapping[str, Any]

INTERFACES: dict[str, type[Part]] = {
    "dataset": Dataset,
    "llm": ChatModel,
    "embedder": Embedder,
    "entities": EntityFinder,
    "extractor": Extractor,
    "summary": Summariser,
    "relation": PairModel,
    "updater": Updater,
    "graph": PropertyGraph,
    "store": Store,
    "retriever": Retriever,
    "answerer": Answerer,
    "judge": Judge,
    "tracker": Tracker,
}
"""The config group of each kind of part, those that are collaborators of others first."""

COLLABORATORS = ("dataset", "llm", "embedder", "store")
OPTIONAL = ("llm", "entities", "graph", "relation")
"""The groups that a config may leave out: some parts hold one of these, others need none."""


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


def node_faults(group: str, node: Node, classes: Mapping[str, type | None], path: str = "") -> Iterator[str]:
    """Yield what is wrong with a node: its settings, and collaborators that do not fit.

    `path` is where it stands in the config, where that is not its group: `retriever.first`.
    """
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
        own, place = group_of(kind), f"{path or group}.{name}"
        if nested is not None and own == "store":
            yield f"'{name}' is the run's store and is passed by itself; choose it by store=..."
        elif nested is not None and not isinstance(nested, Mapping):
            yield f"'{name}' is {nested!r}, but a part is a node of its own; use {own}@{place}={nested}"
        elif nested is not None:
            faults: list[str] = []
            inner = {**classes, own: target_class(own, nested, faults)}
            yield from faults
            yield from (f"'{name}' {fault}" for fault in node_faults(own, nested, inner, place))
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


def gold_faults(parts: Mapping[str, Node], classes: Mapping[str, type | None]) -> Iterator[str]:
    """Yield which parts rest on what the dataset knows to be right, where it knows nothing."""
    dataset = classes["dataset"]
    assert dataset is not None
    assert issubclass(dataset, Dataset)
    for group in ("extractor", "updater"):
        if any(takes_dataset(get_object(path)) for path in inner_targets(parts[group])) and not dataset.has_gold:
            knowing = [f"dataset={name}" for name, path in targets("dataset").items() if get_object(path).has_gold]
            yield (
                f"{label(group, parts[group])} takes what the dataset knows to be right, but "
                f"{label('dataset', parts['dataset'])} has no such gold; use {' or '.join(knowing)}"
            )


def takes_dataset(found: object) -> bool:
    """Return whether a class has the run's dataset as a collaborator."""
    if not isinstance(found, type):
        return False
    kinds = (part_type(parameter.annotation) for parameter in parameters(found).values())
    return any(kind is not None and issubclass(kind, Dataset) for kind in kinds)


def content_faults(parts: Mapping[str, Node], classes: Mapping[str, type | None]) -> Iterator[str]:
    """Yield why the store cannot keep what is extracted, or not as the updater takes it to."""
    extractor, store = classes["extractor"], classes["store"]
    assert extractor is not None
    assert issubclass(extractor, Extractor)
    assert store is not None
    assert issubclass(store, Store)
    proposed = extractor.proposes
    same_source = Triple in proposed and any(
        getattr(get_object(path), "needs_same_source", False) for path in inner_targets(parts["updater"])
    )
    if lacking := plural(proposed - store.holds):
        least = GraphStore if same_source else Store
        fitting = [
            f"store={name}"
            for name, path in targets("store").items()
            if issubclass(found := get_object(path), least) and proposed <= found.holds
        ]
        yield (
            f"{label('extractor', parts['extractor'])} proposes {lacking}, but {label('store', parts['store'])} holds "
            f"{plural(store.holds)} only; use {' or '.join(fitting)}"
        )
    if same_source and not issubclass(store, GraphStore):
        yield (
            f"{label('updater', parts['updater'])} looks at edges of the same source, which "
            f"{label('store', parts['store'])} cannot tell; use store=graph or store=hybrid"
        )


def plural(kinds: Iterable[type]) -> str:
    """Return types of content in words: `Facts and Triples`."""
    return " and ".join(sorted(f"{kind.__name__}s" for kind in kinds))


def inner_targets(node: object) -> Iterator[str]:
    """Yield the class paths of a node and of all nodes inside it."""
    if isinstance(node, Mapping):
        if "_target_" in node:
            yield str(node["_target_"])
        for inner in node.values():
            yield from inner_targets(inner)


def misfit(group: str, kind: type[Part], given: type, offered: Mapping[str, str]) -> str:
    """Return the fault of a collaborator of the wrong kind, naming those of the offered options that would fit."""
    classes = {name: get_object(path) for name, path in offered.items()}
    fitting = [name for name, found in classes.items() if isinstance(found, type) and issubclass(found, kind)]
    remedy = " or ".join(f"{group}={name}" for name in fitting) or f"a class derived from {kind.__name__}"
    chosen = next((name for name, found in classes.items() if found is given), f"{given.__module__}.{given.__name__}")
    return f"needs a {kind.__name__}, but {group}={chosen} is a {given.__name__}; use {remedy}"


def label(group: str, node: Node) -> str:
    """Return `group=option` for a node of memlab's own, `group=class path` for anyone else's."""
    return f"{group}={option_of(group, node) or node.get('_target_')}"


def group_of(kind: type[Part]) -> str:
    """Return the config group of an interface or of a class derived from one."""
    return next(group for group, interface in INTERFACES.items() if issubclass(kind, interface))
