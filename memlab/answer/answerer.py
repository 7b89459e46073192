"""From a question and its hits to an answer."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from memlab.dialogue import Question
from memlab.memory import Hit
from memlab.part import Part


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. `used` are the ids of the memories it rests on, None when the answerer cannot tell.

    `reply` is all that a model wrote, when the answer is only a part of it.
    """

    text: str
    used: tuple[str, ...] | None = None
    reply: str | None = None


class Answerer(Part):
    """Answers from the memories it is shown, and from nothing else."""

    @abstractmethod
    async def answer(self, question: Question, hits: Sequence[Hit]) -> Answer:
        """Return the answer to a question; never looks at its gold answer or evidence."""
