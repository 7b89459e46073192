"""Triples as candidates and memories, and a book of edges by source, that the tests of resolvers share."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from memlab.ingest import applied
from memlab.memory import Add, Candidate, Decision, Delete, Entity, Hit, Memory, Noop, Operation, Triple
from memlab.store.ledger import Ledger
from memlab.testing.samples import START
from memlab.update.updater import Proposal, Updater


def triple(relation: str, object_: str, *, subject: str = "Ada", when: str = "") -> Triple:
    return Triple(Entity(subject, "Person"), relation, Entity(object_, "Concept"), when)


def said(
    relation: str, object_: str, *, day: int = 1, turn: int = 1, subject: str = "Ada", when: str = ""
) -> Candidate:
    """Return a triple said in the session of a day (counted from the start), in a turn of it."""
    content = triple(relation, object_, subject=subject, when=when)
    return Candidate(content, "Ada", (f"D{day}:{turn}",), START + timedelta(days=day))


def edge(candidate: Candidate, id_: str = "m0") -> Memory:
    at = candidate.said_at
    return Memory(id_, candidate.content, candidate.speaker, candidate.sources, at, at, at)


def hits(*memories: Memory) -> tuple[Hit, ...]:
    return tuple(Hit(memory, 0.9 - place / 100) for place, memory in enumerate(memories))


class Edges:
    """A store of triples as a graph store keeps them: related are the live edges out of the same source."""

    def __init__(self) -> None:
        self.ledger = Ledger()

    async def apply(self, operation: Operation) -> Memory | None:
        match operation:
            case Add(candidate=candidate):
                return self.ledger.add(candidate)
            case Delete(id=id_, at=at):
                return self.ledger.retire(id_, at)
            case Noop(duplicate_of=str(id_), sources=sources):
                return self.ledger.credit(id_, sources)
            case Noop():
                return None
        raise AssertionError(f"no resolver gives {operation}")

    def related(self, content: Triple) -> tuple[Hit, ...]:
        same = [one for one in self.ledger.memories() if self.triple(one).subject == content.subject]
        return hits(*same)

    def triple(self, memory: Memory) -> Triple:
        assert isinstance(memory.content, Triple)
        return memory.content

    def intervals(self) -> list[tuple[str, datetime, datetime | None]]:
        """Return what all edges say, since when and until when."""
        return [(one.text, one.valid_from, one.retired_at) for one in self.ledger.memories(retired=True)]

    def live(self) -> list[str]:
        return [one.text for one in self.ledger.memories()]


async def told(updater: Updater, candidates: Sequence[Candidate], edges: Edges | None = None) -> Edges:
    """Return the edges after an updater was told candidates one after another."""
    edges = edges or Edges()
    for candidate in candidates:
        await one_more(updater, candidate, edges)
    return edges


async def one_more(updater: Updater, candidate: Candidate, edges: Edges) -> Decision:
    assert isinstance(candidate.content, Triple)
    (decision,) = await updater.decide([Proposal(candidate, edges.related(candidate.content))])
    done = await applied(decision, edges)  # type: ignore[arg-type]
    assert done == decision, "an operation on an edge that was not live"
    return done
