"""Graph stores filled with triples, and a finder of entities, for the tests of this folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from memlab.embed.hashed import Hashed
from memlab.extract.entities import EntityFinder
from memlab.memory import Add, Candidate, Entity, Triple
from memlab.retrieve.entity_centric import EntityCentric
from memlab.retrieve.semantic_triplet import SemanticTriplet
from memlab.store.graph import GraphMemory, HybridStore
from memlab.store.networkx_graph import NetworkxGraph
from memlab.store.store import GraphStore
from memlab.testing import candidate
from tests.retrieve.said import START

KINDS: Mapping[str, str] = dict.fromkeys(("Oslo", "Rome", "Bergen"), "Location") | dict.fromkeys(
    ("Ada", "Ben", "Clara", "Zed"), "Person"
)


@dataclass
class Named(EntityFinder):
    """Finds the words of a text that it knows the type of; notes what it was asked."""

    asked: list[str] = field(default_factory=list)

    async def find(self, text: str, context: str = "") -> list[Entity]:
        self.asked.append(text)
        words = text.replace("?", "").split()
        return [Entity(word, KINDS[word]) for word in words if word in KINDS]


def new_graph() -> HybridStore:
    """An empty store of facts and triples in which texts that share words are close."""
    return HybridStore(Hashed(64), NetworkxGraph(), node_threshold=0.9, exact_up_to=None)


def new_triples() -> GraphMemory:
    """An empty store of triples alone."""
    return GraphMemory(Hashed(64), NetworkxGraph(), node_threshold=0.9, exact_up_to=None)


def triple(words: str, day: int = 0) -> Candidate:
    """A candidate from three words, `Ada lives_in Oslo`, said so many days after the start."""
    subject, relation, object_ = words.split()
    source, target = (Entity(name, KINDS.get(name, "Object")) for name in (subject, object_))
    return Candidate(Triple(source, relation, target), subject, (f"D{day + 1}:1",), START + timedelta(days=day))


async def graph_of(*lines: str) -> GraphStore:
    """A store with a memory a line, each said a day after the one before: a triple, or a fact after `fact:`."""
    store = new_graph()
    await store.open("test")
    for day, line in enumerate(lines):
        at = START + timedelta(days=day)
        fact = line.removeprefix("fact:")
        await store.apply(Add(candidate(fact, at=at) if fact != line else triple(line, day)))
    return store


def entity_centric(
    store: GraphStore,
    finder: EntityFinder | None = None,
    *,
    anchors: int = 3,
    anchor_threshold: float = 0.9,
    hops: int = 1,
    past: bool = False,
) -> EntityCentric:
    """The retriever with usual settings and no bounds."""
    return EntityCentric(
        store,
        finder or Named(),
        anchors=anchors,
        anchor_threshold=anchor_threshold,
        hops=hops,
        past=past,
        top_k=None,
        max_tokens=None,
    )


def semantic_triplet(store: GraphStore, *, threshold: float = 0.1, past: bool = False) -> SemanticTriplet:
    """The retriever without bounds."""
    return SemanticTriplet(store, threshold=threshold, past=past, top_k=None, max_tokens=None)
