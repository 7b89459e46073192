"""The question as its own answer."""

from collections.abc import Sequence

from memlab.answer.answerer import Answer, Answerer
from memlab.dialogue import Question
from memlab.memory import Hit


class Echo(Answerer):
    """Repeats the question: a sanity row, which shows how much of a score needs no memory at all."""

    async def answer(self, question: Question, hits: Sequence[Hit]) -> Answer:
        """Return the question's text; it rests on no memory."""
        return Answer(question.text, used=())
