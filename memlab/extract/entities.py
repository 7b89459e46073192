"""The entities that a text names: the first of the two stages of graph extraction (arXiv 2504.19413 section 2.2)."""

from abc import abstractmethod

from memlab.memory import Entity
from memlab.part import Part


class EntityFinder(Part):
    """Finds the entities of messages before relations are made among them, and those of a question.

    Stateless: one instance serves every conversation, in any order and concurrently.
    """

    @abstractmethod
    async def find(self, text: str, context: str = "") -> list[Entity]:
        """Return the entities that a text names, each once, in the order they are named; none is a valid answer.

        `context` is what was said before: it may tell who `she` is, but its own entities are not returned.
        """
