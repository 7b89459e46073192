"""What is kept: facts and triples, the memories that hold them, and the operations that change them."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement that stands on its own."""

    text: str

    @property
    def texts(self) -> tuple[str, ...]:
        """All that is embedded of it."""
        return (self.text,)


ENTITY_KINDS = ("Person", "Location", "Organization", "Event", "Object", "Concept", "Attribute", "Date")
"""The types that memlab's own extractors give (arXiv 2504.19413 section 2.2 names most of them); any text is legal."""


@dataclass(frozen=True, slots=True)
class Entity:
    """What is spoken of: its name and its type (Person, Location, ...)."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Triple:
    """A labelled edge (source, relation, destination) of the graph (arXiv 2504.19413 section 2.2).

    `when` is the time of what it tells, in words with an absolute date, `7 May 2023`; "" when none was told. The time
    it was said at is the memory's.
    """

    subject: Entity
    relation: str
    object: Entity
    when: str = ""

    @property
    def text(self) -> str:
        """The triple as words, for embedding and for prompts: `Ada adopts a dog (7 May 2023)`."""
        words = f"{self.subject.name} {self.relation.replace('_', ' ')} {self.object.name}"
        return f"{words} ({self.when})" if self.when else words

    @property
    def texts(self) -> tuple[str, ...]:
        """All that is embedded of it: the words, and the names of both ends."""
        return (self.text, self.subject.name, self.object.name)


Content = Fact | Triple


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an extractor proposes; `sources` are the ids of the turns it came from, `said_at` their time."""

    content: Content
    speaker: str
    sources: tuple[str, ...]
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Revision:
    """What a memory said before an update, and since when it had said so."""

    content: Content
    sources: tuple[str, ...]
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Memory:
    """A stored content with its provenance.

    `sources` holds the ids of all turns it came from, earlier versions included. A retired memory (`retired_at` set)
    is never returned by a search but stays readable. `history` is oldest first.
    """

    id: str
    content: Content
    speaker: str
    sources: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    valid_from: datetime
    retired_at: datetime | None = None
    history: tuple[Revision, ...] = ()

    @property
    def text(self) -> str:
        """The words of the content."""
        return self.content.text


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a graph store: an entity under all names that were matched to it, the first one first.

    `number` counts the nodes of a store from 0 in order of creation.
    """

    number: int
    names: tuple[str, ...]
    kind: str
    created_at: datetime

    @property
    def name(self) -> str:
        """What it was called first."""
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory found by a search; a higher score is a closer match."""

    memory: Memory
    score: float


@dataclass(frozen=True, slots=True)
class Add:
    """Store the candidate as a new memory."""

    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Update:
    """Replace the content of memory `id` by the candidate's; the old content moves to its history."""

    id: str
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Delete:
    """Retire memory `id` as of `at`."""

    id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Noop:
    """Change no text. When the memory that says it already is known, its sources gain the candidate's."""

    duplicate_of: str | None = None
    sources: tuple[str, ...] = ()


Operation = Add | Update | Delete | Noop


@dataclass(frozen=True, slots=True)
class Decision:
    """What an updater chose for one candidate; `flaws` name what had to be repaired or refused on the way."""

    operations: tuple[Operation, ...]
    flaws: tuple[str, ...] = ()
