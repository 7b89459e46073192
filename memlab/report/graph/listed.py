"""The edges of a held graph as lines of text: those of a time, or all that an entity ever had."""

from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta

from memlab.context import day
from memlab.records import RecordError
from memlab.report.graph.held import HeldEdge, HeldGraph
from memlab.spelling import did_you_mean
from memlab.store.nodes import key


def moment(text: str) -> datetime:
    """Return the time that a text names, of a date its end; raises RecordError when it names none."""
    try:
        named = datetime.fromisoformat(text)
    except ValueError as error:
        raise RecordError(f"--as-of {text!r} is no date; write 2023-05-08 or 2023-05-08T13:56") from error
    return named if len(text.strip()) > len("2023-05-08") else datetime.combine(named + timedelta(days=1), time.min)


def as_of(edges: Iterable[HeldEdge], at: datetime) -> list[HeldEdge]:
    """Return the edges that held at a time: said by then, and not ended."""
    return [edge for edge in edges if edge.since <= at and (edge.until is None or at < edge.until)]


def of_entity(graph: HeldGraph, name: str) -> list[HeldEdge]:
    """Return all edges into and out of the nodes with a name, ended ones too; raises RecordError when none has it."""
    numbers = {node.number for node in graph.nodes if key(name) in map(key, node.names)}
    if not numbers:
        known = [one for node in graph.nodes for one in node.names]
        raise RecordError(f"no entity {name!r}{did_you_mean(name, known)} among the {len(graph.nodes)} of this graph")
    return [edge for edge in graph.edges if {edge.source, edge.target} & numbers]


def lines(edges: Iterable[HeldEdge]) -> Iterator[str]:
    """Yield a line an edge, in order of time: since when it has been said, until when, its words, its turns."""
    for edge in sorted(edges, key=lambda edge: edge.since):
        until = f"until {day(edge.until)}" if edge.until else "holds"
        words = " ".join(edge.triple.text.split())
        yield f"{day(edge.since)}\t{until}\t{words}\t{', '.join(edge.sources)}"
