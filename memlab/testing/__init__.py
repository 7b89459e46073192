"""Contract suites for everyone who adds a strategy, and small samples to try it on."""

from memlab.testing.graph_stores import check_graph_store
from memlab.testing.graphs import check_property_graph
from memlab.testing.relations import check_relation
from memlab.testing.samples import SampleWithGold, candidate, conversation, filled, memories
from memlab.testing.stores import check_store
from memlab.testing.suites import (
    check_answerer,
    check_dataset,
    check_embedder,
    check_entity_finder,
    check_extractor,
    check_judge,
    check_retriever,
    check_summariser,
    check_tracker,
    check_updater,
)

__all__ = [
    "SampleWithGold",
    "candidate",
    "check_answerer",
    "check_dataset",
    "check_embedder",
    "check_entity_finder",
    "check_extractor",
    "check_graph_store",
    "check_judge",
    "check_property_graph",
    "check_relation",
    "check_retriever",
    "check_store",
    "check_summariser",
    "check_tracker",
    "check_updater",
    "conversation",
    "filled",
    "memories",
]
