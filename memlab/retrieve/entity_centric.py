"""What the graph holds around the entities that a question names."""

from memlab.dialogue import Question
from memlab.extract.entities import EntityFinder
from memlab.memory import Hit, Node
from memlab.retrieve.retriever import Retriever
from memlab.store.store import GraphStore


class EntityCentric(Retriever):
    """Ranks the edges around the entities of a question by their words (arXiv 2504.19413 section 2.2, first approach).

    Each entity is anchored at up to `anchors` nodes whose name has at least the cosine `anchor_threshold` with its own.
    Incoming and outgoing edges within `hops` of an anchor are ranked; `past`: retired ones, too. Without an anchor
    nothing is found.
    """

    def __init__(
        self,
        store: GraphStore,
        entities: EntityFinder,
        *,
        anchors: int,
        anchor_threshold: float,
        hops: int,
        past: bool,
        top_k: int | None,
        max_tokens: int | None,
    ) -> None:
        if anchors < 1 or hops < 1:
            raise ValueError(f"{anchors=}, {hops=}: a search needs at least 1 node an entity and 1 hop from it")
        if not -1 <= anchor_threshold <= 1:
            raise ValueError(f"{anchor_threshold=} is not between -1 and 1; 1 anchors equal names alone")
        self._store = store
        self._entities = entities
        self._anchors = anchors
        self._anchor_threshold = anchor_threshold
        self._hops = hops
        self._past = past
        self.top_k = top_k
        self.max_tokens = max_tokens

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return the edges around the named entities, those whose words are closest to the question first."""
        anchors = await self._anchored(question)
        edges = await self._store.edges(anchors, self._hops, past=self._past) if anchors else []
        if not edges:
            return []
        k = len(edges) if depth is None else depth
        return await self._store.nearest_edges(question.text, k, among=edges, past=self._past)

    async def _anchored(self, question: Question) -> list[Node]:
        found: dict[int, Node] = {}
        names = dict.fromkeys(entity.name for entity in await self._entities.find(question.text))
        for closest in await self._store.entities(list(names), self._anchors):
            found |= {node.number: node for node, cosine in closest if cosine >= self._anchor_threshold}
        return [found[number] for number in sorted(found)]
