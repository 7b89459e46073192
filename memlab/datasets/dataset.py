"""Where conversations come from."""

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

from memlab.dialogue import CATEGORIES, Conversation
from memlab.part import Part


class DatasetError(ValueError):
    """A dataset that cannot be read; the message says where in the file and what to do."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The conversations of a dataset, the sha256 of what they were read from, and what had to be repaired."""

    name: str
    sha256: str
    conversations: tuple[Conversation, ...]
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        """Refuse what no run could tell apart: raises DatasetError, naming the first fault."""
        if not any(conversation.questions for conversation in self.conversations):
            raise DatasetError(f"{self.name}: there is no conversation with a question")
        twice("conversation id", [conversation.id for conversation in self.conversations], self.name)
        twice("question id", [q.id for conversation in self.conversations for q in conversation.questions], self.name)
        for conversation in self.conversations:
            twice("turn id", [turn.id for turn in conversation.turns], f"{self.name}: {conversation.id}")
            for question in conversation.questions:
                if question.category not in CATEGORIES:
                    raise DatasetError(f"{self.name}: {question.id} has category {question.category}, not 1 to 5")


def twice(what: str, ids: list[str], where: str) -> None:
    """Raise DatasetError when an id is there twice."""
    if repeated := [id for id, count in Counter(ids).items() if count > 1]:
        raise DatasetError(f"{where}: the {what} {repeated[0]!r} is there twice; records could not be told apart")


class Dataset(Part):
    """A benchmark: conversations and questions about them."""

    has_gold: ClassVar[bool] = False
    """True: it knows what each turn states, `Conversation.gold`."""

    @abstractmethod
    def read(self) -> Corpus:
        """Return the corpus; raises DatasetError, with the place in the file, when it is malformed or empty."""
