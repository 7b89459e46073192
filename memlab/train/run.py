"""Pairs from the decisions that a run recorded: what its updater, mostly a large model, did is what is learnt."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, assert_never

from memlab.datasets.dataset import DatasetError
from memlab.memory import Add, Delete, Noop, Operation, Update
from memlab.memory_json import candidate_from_json, operation_from_json
from memlab.records import Record, RunFolder
from memlab.report.operations import replaces
from memlab.store.ledger import Ledger
from memlab.store.store import UnknownMemoryError
from memlab.train.pairs import LabelledPair, Parts, held_out
from memlab.update.relation import Relation

CONVERSATIONS_A_HELD_OUT_ONE = 5


def recorded(folder: Path) -> Parts:
    """Return the pairs of a run, some conversations held out to validate on where there are several.

    Raises DatasetError when the folder holds no decisions that could be learnt from, RecordError when it is damaged.
    """
    run = RunFolder(folder)
    manifest, records = run.read_json("manifest"), run.read("ingest")
    if manifest is None or not records:
        raise DatasetError(
            f"from_run={folder} holds no decisions: there is no ingest.jsonl with lines of a run; {GIVE}"
        )
    if not isinstance(manifest.get("config"), dict):
        raise DatasetError(f"{folder / 'manifest.json'} has no config, so it is no run's; {GIVE}")
    if replaces(manifest):
        raise DatasetError(
            f"from_run={folder} was run with on_delete=replace, which records a DELETE as an UPDATE; give a run whose "
            "updater has on_delete=retire or paper"
        )
    found: dict[LabelledPair, None] = {}
    books: dict[tuple[str, str | None], Ledger] = {}
    for number, record in enumerate(records, start=1):
        place = f"{run.file('ingest')}:{number}"
        try:
            book = books.setdefault((record["conversation"], record["perspective"]), Ledger())
            found |= dict.fromkeys(pairs(record, book))
        except UnknownMemoryError as error:
            raise DatasetError(f"{place}: the operations do not follow from those before ({error}); {HARM}") from error
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            fault = f"{type(error).__name__}: {error}"
            raise DatasetError(f"{place}: this is no record of a window ({fault}); {HARM}") from error
    if all(pair.relation == "unrelated" for pair in found):
        raise DatasetError(f"from_run={folder}: no decision there names a memory that was shown; {GIVE}")
    conversations = len({pair.group for pair in found})
    return held_out(list(found), validation=-(-conversations // CONVERSATIONS_A_HELD_OUT_ONE) % conversations, test=0)


HARM = "the file was changed by hand or damaged"
GIVE = "give the folder of a run whose updater chooses among related memories, such as updater=tool_call"


def pairs(record: Record, book: Ledger) -> Iterator[LabelledPair]:
    """Yield the pairs of a window, and bring the book to where the window left it."""
    for candidate, ids, flaws, written in zip(
        record["candidates"], record["related"], record["flaws"], record["operations"], strict=False
    ):
        operations = [operation_from_json(one) for one in written]
        named = relations(operations)
        if not unsure(flaws):
            text = candidate_from_json(candidate).content.text
            for id_ in ids:
                relation = named.get(id_, "unrelated")
                yield LabelledPair(book.live(id_).text, text, relation, f"run {record['conversation']}")
        for operation in operations:
            carry_out(operation, book)


def unsure(flaws: Sequence[str]) -> bool:
    """Return whether a decision was made for want of a usable answer."""
    return any(flaw.partition(":")[0] in ("fallback", "refused", "conflict") for flaw in flaws)


def relations(operations: Sequence[Operation]) -> Mapping[str, Relation]:
    """Return what a candidate is, by its operations, to the memories that they name."""
    named: dict[str, Relation] = {}
    for operation in operations:
        match operation:
            case Update(id=id_):
                named[id_] = "augments"
            case Delete(id=id_):
                named[id_] = "contradicts"
            case Noop(duplicate_of=str(id_)):
                named[id_] = "equivalent"
            case Add() | Noop():
                pass
            case _:
                assert_never(operation)
    return named


def carry_out(operation: Operation, book: Ledger) -> Any:
    """Enter an operation in a book, as the store of the run did."""
    match operation:
        case Add(candidate=candidate):
            return book.add(candidate)
        case Update(id=id_, candidate=candidate):
            return book.update(id_, candidate)
        case Delete(id=id_, at=at):
            return book.retire(id_, at)
        case Noop(duplicate_of=id_, sources=sources):
            return None if id_ is None else book.credit(id_, sources)
        case _:
            assert_never(operation)
