"""What every store must keep; each check takes a function that makes a new, empty store, and raises AssertionError."""

import tempfile
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

from memlab.memory import Add, Candidate, Content, Delete, Memory, Noop, Operation, Revision, Update
from memlab.store.store import Store, UnknownMemoryError
from memlab.testing.samples import START, candidate, content, filled

NewStore = Callable[[], Store]
Kind = type[Content]
"""The type of content that a check is made with: every type that the store holds."""


async def check_store(new_store: NewStore) -> None:
    """Run every check of this module."""
    checks: tuple[Callable[[NewStore, Kind], Awaitable[None]], ...] = (
        check_a_search_sees_the_operation_before_it,
        check_a_ranking_is_in_order_and_the_same_in_a_batch,
        check_retired_memories_are_read_but_not_found,
        check_an_update_keeps_what_was_said_before,
        check_saying_it_again_changes_nothing,
        check_unknown_ids_change_nothing,
        check_stores_are_apart,
        check_a_saved_store_is_the_same_store,
    )
    for kind in sorted(new_store().holds, key=lambda one: one.__name__):
        for check in checks:
            await check(new_store, kind)


async def opened(new_store: NewStore, name: str = "store") -> Store:
    """Return a new store that is ready under a name."""
    store = new_store()
    await store.open(f"contract/{name}")
    return store


async def check_a_search_sees_the_operation_before_it(new_store: NewStore, kind: Kind) -> None:
    """An empty store finds nothing; what was added or updated a moment ago is found first by its own words."""
    store = await opened(new_store)
    assert await store.nearest("anything", 3) == [], "an empty store gave hits"
    for number, text in enumerate(("Ada likes tea.", "Ben plays the cello.", "Clara is a nurse.")):
        memory = await store.apply(Add(candidate(text, kind=kind)))
        assert memory is not None
        assert memory.id == f"m{number}", "ids do not count from m0 in order of creation"
        assert (memory.created_at, memory.updated_at, memory.valid_from) == (START, START, START)
        assert (await store.nearest(memory.text, 1))[0].memory == memory, "a search missed the memory just added"
        assert (await store.related(content(text, kind), 1))[0].memory == memory
    updated = await store.apply(Update("m1", candidate("Ben sold his cello and paints.", source="D2:1", kind=kind)))
    assert updated is not None
    assert (await store.nearest(updated.text, 1))[0].memory == updated
    assert [memory.id for memory in store.memories()] == ["m0", "m1", "m2"], "not in order of creation"


async def check_a_ranking_is_in_order_and_the_same_in_a_batch(new_store: NewStore, kind: Kind) -> None:
    """Closest first, each live memory once, at most k; a batch gives what single searches give."""
    store = await filled(await opened(new_store), kind)
    texts = ["Where does Ada live?", "Who is allergic?", "red bicycle"] * 8
    rankings = await store.nearest_batch(texts, 4)
    assert rankings == [await store.nearest(text, 4) for text in texts], "a batch ranks differently"
    whole = await store.nearest(texts[0], 100)
    assert len(whole) == len(store.memories()), "not every live memory came back"
    assert whole[:4] == rankings[0], "the head is not the head of the whole"
    assert [hit.score for hit in whole] == sorted((hit.score for hit in whole), reverse=True), "not closest first"
    assert len({hit.memory.id for hit in whole}) == len(whole), "a memory came twice"
    assert await store.nearest_batch([], 4) == []


async def check_retired_memories_are_read_but_not_found(new_store: NewStore, kind: Kind) -> None:
    """A retired memory never comes back from a search, stays readable, and cannot be changed any more."""
    store = await filled(await opened(new_store), kind)
    at = START + timedelta(days=30)
    retired = await store.apply(Delete("m3", at))
    assert retired is not None
    assert retired.retired_at == at
    assert "m3" not in {hit.memory.id for hit in await store.nearest(retired.text, 100)}, "a retired memory was found"
    assert "m3" not in {memory.id for memory in store.memories()}
    assert store.memories(retired=True)[3] == retired, "a retired memory is gone, or out of order"
    await check_refused(store, Delete("m3", at))
    added = await store.apply(Add(candidate("New.", kind=kind)))
    assert added is not None
    assert added.id == "m6", "the id of a retired memory was given away"


async def check_an_update_keeps_what_was_said_before(new_store: NewStore, kind: Kind) -> None:
    """The old content goes to the history, and the sources of both are kept in order, each once."""
    store = await filled(await opened(new_store), kind)
    before = store.memories()[0]
    later = START + timedelta(days=9)
    said = candidate("Ada lives in Bergen.", source="D2:2", at=later, kind=kind)
    after = await store.apply(Update("m0", said))
    assert after is not None
    assert (after.content, after.updated_at) == (said.content, later)
    assert (after.created_at, after.valid_from, after.speaker) == (before.created_at, before.valid_from, before.speaker)
    assert after.sources == (*before.sources, "D2:2")
    assert after.history == (Revision(before.content, before.sources, before.updated_at),)
    again = await store.apply(Noop("m0", ("D2:2", "D2:3")))
    assert again is not None
    assert again.sources == (*before.sources, "D2:2", "D2:3"), "a duplicate's turns were not credited once each"
    assert (again.content, again.history) == (after.content, after.history)


async def check_saying_it_again_changes_nothing(new_store: NewStore, kind: Kind) -> None:
    """An operation that says nothing new returns None and leaves the version as it was."""
    store = await filled(await opened(new_store), kind)
    known = store.memories()[2]
    before = snapshot(store)
    same = Candidate(known.content, known.speaker, known.sources[:1], START + timedelta(days=99))
    operations: tuple[Operation, ...] = (Update("m2", same), Noop("m2", known.sources), Noop("m2"), Noop())
    for operation in operations:
        assert await store.apply(operation) is None, f"{operation} claims to have changed something"
        assert snapshot(store) == before, f"{operation} changed the store"


async def check_unknown_ids_change_nothing(new_store: NewStore, kind: Kind) -> None:
    """An operation on a memory that is not live raises UnknownMemoryError, and nothing is changed."""
    store = await filled(await opened(new_store), kind)
    operations = (
        Update("m9", candidate("x", kind=kind)),
        Delete("m9", START),
        Noop("m9", ("D1:1",)),
        Delete("nonsense", START),
    )
    for operation in operations:
        await check_refused(store, operation)


async def check_stores_are_apart(new_store: NewStore, kind: Kind) -> None:
    """What one store holds, another neither finds nor lists."""
    store, other = await filled(await opened(new_store), kind), await opened(new_store, "other")
    assert other.memories(retired=True) == []
    assert await other.nearest(store.memories()[0].text, 5) == [], "a memory leaked into another store"
    await other.apply(Add(candidate("Only here.", kind=kind)))
    assert len(store.memories()) == 6


async def check_a_saved_store_is_the_same_store(new_store: NewStore, kind: Kind) -> None:
    """Save and load is the identity, for memories, version, rankings and what happens next."""
    store = await filled(await opened(new_store), kind)
    await store.apply(Delete("m1", START + timedelta(days=1)))
    await store.apply(Update("m4", candidate("Clara works in Oslo.", source="D2:3", kind=kind)))
    with tempfile.TemporaryDirectory() as folder:
        store.save(Path(folder) / "saved")
        loaded = (await opened(new_store, "loaded")).load(Path(folder) / "saved")
    assert snapshot(loaded) == snapshot(store)
    assert await loaded.nearest("Where is Clara?", 10) == await store.nearest("Where is Clara?", 10)
    assert await loaded.apply(Add(candidate("Next.", kind=kind))) == await store.apply(
        Add(candidate("Next.", kind=kind))
    )


async def check_refused(store: Store, operation: Operation) -> None:
    """The operation raises UnknownMemoryError and leaves the store as it was."""
    before = snapshot(store)
    try:
        await store.apply(operation)
    except UnknownMemoryError:
        assert snapshot(store) == before, f"{operation} was refused and still changed the store"
    else:
        raise AssertionError(f"{operation} was accepted, though it names no live memory")


def snapshot(store: Store) -> tuple[int, list[Memory]]:
    """Return all of a store that can be read without a search."""
    return store.version, store.memories(retired=True)
