import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from memlab.embed.embedder import Vectors
from memlab.memory import Add, Candidate, Delete, Entity, Noop, Operation, Triple, Update
from memlab.store.dense import DenseStore
from memlab.store.store import UnknownMemoryError
from memlab.testing.samples import START, candidate, filled
from memlab.testing.stores import check_store, snapshot
from tests.store.seeded import Failing, Seeded


async def test_it_keeps_the_contract_of_stores() -> None:
    await check_store(lambda: DenseStore(Seeded(), exact_up_to=None))


async def test_an_unknown_id_is_named_with_the_live_ones() -> None:
    store = await filled(DenseStore(Seeded(), exact_up_to=None))
    for id_ in ("m1", "m2", "m4", "m5"):
        await store.apply(Delete(id_, START))
    with pytest.raises(UnknownMemoryError, match=r"^no live memory 'm9'; live: m0, m3$"):
        await store.apply(Delete("m9", START))


async def test_a_long_list_of_live_ids_is_cut() -> None:
    store = DenseStore(Seeded(), exact_up_to=None)
    with pytest.raises(UnknownMemoryError, match=r"^no live memory 'm0'; live: none$"):
        await store.apply(Noop("m0", ("D1:1",)))
    for number in range(13):
        await store.apply(Add(candidate(f"Fact {number}.")))
    with pytest.raises(UnknownMemoryError, match=r"live: m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 3 more$"):
        await store.apply(Update("m13", candidate("x")))


async def test_a_failing_embedder_changes_nothing() -> None:
    embedder = Failing()
    store = await filled(DenseStore(embedder, exact_up_to=None))
    before = snapshot(store)
    embedder.broken = True
    for operation in (Add(candidate("New.")), Update("m1", candidate("Changed."))):
        with pytest.raises(ConnectionError):
            await store.apply(operation)
    embedder.broken = False
    assert snapshot(store) == before
    added = await store.apply(Add(candidate("New.")))
    assert added is not None
    assert added.id == "m6"


async def test_an_embedder_that_breaks_its_word_changes_nothing() -> None:
    class Shrinking(Seeded):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            return (await super().embed(texts))[:, :-1]

    store = DenseStore(Shrinking(), exact_up_to=None)
    with pytest.raises(ValueError, match="do not fit a store of dimension 16"):
        await store.apply(Add(candidate("New.")))
    assert snapshot(store) == (0, [])


async def test_a_memory_retired_while_its_update_was_embedded_stays_retired() -> None:
    class Slow(Seeded):
        async def embed(self, texts: Sequence[str]) -> Vectors:
            await asyncio.sleep(0)
            return await super().embed(texts)

    store = await filled(DenseStore(Slow(), exact_up_to=None))
    update = asyncio.create_task(store.apply(Update("m2", candidate("Too late."))))
    await asyncio.sleep(0)
    await store.apply(Delete("m2", START))
    before = snapshot(store)
    with pytest.raises(UnknownMemoryError):
        await update
    assert snapshot(store) == before
    assert "m2" not in {hit.memory.id for hit in await store.nearest("Too late.", 10)}


async def test_concurrent_adds_are_all_found_under_their_own_ids() -> None:
    store = DenseStore(Seeded(), exact_up_to=None)
    texts = [f"Fact {number}." for number in range(50)]
    await asyncio.gather(*(store.apply(Add(candidate(text))) for text in texts))
    assert [memory.text for memory in store.memories()] == texts
    for memory in store.memories():
        assert (await store.nearest(memory.text, 1))[0].memory == memory


async def test_a_new_source_for_the_same_words_makes_no_revision_and_asks_no_embedder() -> None:
    embedder = Seeded()
    store = await filled(DenseStore(embedder, exact_up_to=None))
    known = store.memories()[0]
    embedder.asked.clear()
    later = START + timedelta(days=3)
    after = await store.apply(Update("m0", candidate(known.text, source="D2:3", at=later)))
    assert after is not None
    assert (after.sources, after.updated_at, after.history) == ((*known.sources, "D2:3"), later, ())
    assert embedder.asked == []


async def test_a_triple_is_found_by_its_words_and_saved(tmp_path: Path) -> None:
    store = DenseStore(Seeded(), exact_up_to=None)
    triple = Triple(Entity("Ada", "Person"), "lives_in", Entity("Oslo", "Location"))
    await store.apply(Add(Candidate(triple, "Ada", ("D1:1",), START)))
    store.save(tmp_path)
    (hit,) = await DenseStore(Seeded(), exact_up_to=None).load(tmp_path).nearest("Ada lives in Oslo", 1)
    assert (hit.memory.content, hit.score) == (triple, 1.0)


async def test_another_embedder_cannot_open_a_saved_store(tmp_path: Path) -> None:
    (await filled(DenseStore(Seeded(16, name="small"), exact_up_to=None))).save(tmp_path)
    for other in (Seeded(16, name="other"), Seeded(24, name="small")):
        store = DenseStore(other, exact_up_to=None)
        with pytest.raises(ValueError, match=r"'small' \(dimension 16\), but this store embeds with '\w+' \(dimen"):
            store.load(tmp_path)
        assert snapshot(store) == (0, [])


async def test_a_store_that_holds_memories_cannot_be_loaded_over(tmp_path: Path) -> None:
    store = await filled(DenseStore(Seeded(), exact_up_to=None))
    store.save(tmp_path)
    with pytest.raises(ValueError, match="only an empty store can be loaded; this one holds 6 memories"):
        store.load(tmp_path)


async def test_another_schema_is_refused(tmp_path: Path) -> None:
    (await filled(DenseStore(Seeded(), exact_up_to=None))).save(tmp_path)
    saved = json.loads((tmp_path / "store.json").read_text())
    (tmp_path / "store.json").write_text(json.dumps(saved | {"schema": 99}))
    with pytest.raises(ValueError, match="has schema 99, but this memlab reads 1"):
        DenseStore(Seeded(), exact_up_to=None).load(tmp_path)


async def test_a_save_cut_short_at_any_file_leaves_an_earlier_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await filled(DenseStore(Seeded(), exact_up_to=None))
    store.save(tmp_path)
    before = snapshot(store)
    await store.apply(Add(candidate("New.")))
    for step in range(2):
        replaced = 0

        def cut(source: Path, target: Path, at: int = step) -> None:
            nonlocal replaced
            if replaced == at:
                raise KeyboardInterrupt
            replaced += 1
            source.rename(target)

        monkeypatch.setattr("os.replace", cut)
        with pytest.raises(KeyboardInterrupt):
            store.save(tmp_path)
        assert snapshot(DenseStore(Seeded(), exact_up_to=None).load(tmp_path)) == before
    monkeypatch.undo()
    store.save(tmp_path)
    assert snapshot(DenseStore(Seeded(), exact_up_to=None).load(tmp_path)) == snapshot(store)
    assert len(list(tmp_path.iterdir())) == 2, "a save left files behind"


async def test_saving_the_same_store_twice_writes_the_same_bytes(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (await filled(DenseStore(Seeded(), exact_up_to=None))).save(tmp_path / folder)
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


TEXTS = st.sampled_from([f"Text {number}." for number in range(8)])
SOURCES = st.sampled_from(["D1:1", "D1:2", "D2:1"])


class InStep(RuleBasedStateMachine):
    """Store, ledger and index against a dictionary and a brute-force search."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.embedder = Seeded(8)
        self.store = DenseStore(self.embedder, exact_up_to=None)
        self.live: dict[str, tuple[str, set[str]]] = {}
        self.made = 0
        self.runner = asyncio.Runner()

    def apply(self, operation: Operation) -> None:
        version = self.store.version
        changed = self.runner.run(self.store.apply(operation))
        assert self.store.version == version + (changed is not None)

    @rule(target=ids, text=TEXTS, source=SOURCES)
    def add(self, text: str, source: str) -> str:
        id_ = f"m{self.made}"
        self.apply(Add(candidate(text, source=source)))
        self.live[id_] = (text, {source})
        self.made += 1
        return id_

    @rule(id_=ids, text=TEXTS, source=SOURCES)
    def update(self, id_: str, text: str, source: str) -> None:
        self.apply(Update(id_, candidate(text, source=source)))
        self.live[id_] = (text, self.live[id_][1] | {source})

    @rule(id_=ids, source=SOURCES)
    def credit(self, id_: str, source: str) -> None:
        self.apply(Noop(id_, (source,)))
        self.live[id_][1].add(source)

    @rule(id_=consumes(ids))
    def retire(self, id_: str) -> None:
        self.apply(Delete(id_, START))
        del self.live[id_]

    @rule(query=TEXTS, k=st.integers(1, 12))
    def search(self, query: str, k: int) -> None:
        hits = self.runner.run(self.store.nearest(query, k))
        vector = self.embedder.vector(query)
        scores = {id_: float(np.dot(self.embedder.vector(text), vector)) for id_, (text, _) in self.live.items()}
        expected = sorted(scores, key=lambda id_: (-round(scores[id_], 5), int(id_[1:])))[:k]
        assert [hit.memory.id for hit in hits] == expected

    @invariant()
    def the_same_is_kept(self) -> None:
        assert {memory.id: (memory.text, set(memory.sources)) for memory in self.store.memories()} == self.live
        assert [memory.id for memory in self.store.memories(retired=True)] == [f"m{i}" for i in range(self.made)]

    def teardown(self) -> None:
        self.runner.close()


InStep.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestInStep = InStep.TestCase
