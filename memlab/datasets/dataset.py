"""Where conversations come from."""

from abc import abstractmethod
from dataclasses import dataclass, field

from memlab.dialogue import Conversation
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


class Dataset(Part):
    """A benchmark: conversations and questions about them."""

    @abstractmethod
    def read(self) -> Corpus:
        """Return the corpus; raises DatasetError, with the place in the file, when it is malformed or empty."""
