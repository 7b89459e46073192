"""One run in the making: what it is made of, what is recorded of it already, and where the rest goes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memlab.parts import Parts
from memlab.perspective import Owner
from memlab.progress import Stages
from memlab.records import LINES, Record, RunFolder, RunWriter
from memlab.settings import Settings

ByConversation = defaultdict[str, list[Record]]
"""Records by the id of their conversation; none for a conversation that has none yet."""

Place = tuple[str, Owner]
"""A store: its conversation and its owner."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run: its parts and settings, what is recorded by file and conversation, and what will be at the end."""

    parts: Parts
    settings: Settings
    records: RunWriter
    stages: Stages
    past: dict[str, ByConversation]
    memories: ByConversation = field(default_factory=lambda: defaultdict(list))
    graph: ByConversation = field(default_factory=lambda: defaultdict(list))
    decisions: ByConversation = field(default_factory=lambda: defaultdict(list))
    states: ByConversation = field(default_factory=lambda: defaultdict(list))
    scores: ByConversation = field(default_factory=lambda: defaultdict(list))


def by_conversation(records: Iterable[Record]) -> ByConversation:
    """Return records grouped by the conversation they are of."""
    grouped: ByConversation = defaultdict(list)
    for record in records:
        grouped[record["conversation"]].append(record)
    return grouped


def recorded(folder: RunFolder, writer: RunWriter) -> dict[str, ByConversation]:
    """Return what a run has recorded so far, after taking back what failed and what follows from it.

    The windows after a failed one were ingested into a store that lacked it, and the answers came from such stores:
    going on from there would give another result than a run in which nothing failed. What all that cost is in the
    reply cache.
    """
    found = {name: folder.read(name) for name in LINES}
    windows, summaries = first_failed(found["ingest"]), first_failed(found["summaries"])
    void = {conversation for conversation, _ in windows}
    kept = {
        "verdicts": [
            r for r in found["verdicts"] if not is_failed(r) and (r["probe"] or r["conversation"] not in void)
        ],
        "answers": [r for r in found["answers"] if not is_failed(r) and r["conversation"] not in void],
        "summaries": before(summaries, found["summaries"]),
        "ingest": before(windows, found["ingest"]),
    }
    # The windows last: a kill on the way must leave the failed one, which says that the rest is void.
    for name, records in kept.items():
        if len(records) < len(found[name]):
            writer.replace(name, records)
    return {name: by_conversation(records) for name, records in (found | kept).items()}


def is_failed(record: Record) -> bool:
    """Return whether a record says that its unit of work failed."""
    return bool(record["status"] == "failed")


def place(record: Record) -> Place:
    """Return where a window or a summary belongs."""
    return record["conversation"], record.get("perspective")


def first_failed(records: Iterable[Record]) -> dict[Place, int]:
    """Return the number of the first failed window of each place that has one."""
    found: dict[Place, int] = {}
    for record in filter(is_failed, records):
        found[place(record)] = min(record["window"], found.get(place(record), record["window"]))
    return found


def before(failed: Mapping[Place, int], records: Iterable[Record]) -> list[Record]:
    """Return the records of windows before the first failed one of their place."""
    return [record for record in records if record["window"] < failed.get(place(record), record["window"] + 1)]
