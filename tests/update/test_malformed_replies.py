"""Whatever a model replies, the store stays consistent and no fact disappears unseen."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlab.llm.chat import ChatRequest, Reply, ToolCall, Usage
from memlab.llm.scripted import Line, Scripted
from memlab.memory import Decision, Hit, Memory
from memlab.store.dense import DenseStore
from tests.thorough import rest_thorough
from tests.update.asked import NEW, fed, filled, said

CUT = Reply("", (), "length", Usage(9, 9), 0.0)
WINDOWS = (
    (said("Ada moved to Rome."), said("Ada plays the violin in Rome.", "D2:2")),
    (said("Ada drinks tea.", "D2:3"),),
    (said("Ada eats peanuts again.", "D2:5"), said("Ada is allergic to nothing.", "D2:6")),
)
SHOWN = 2
KEYS = ["fact", "id", "operation", "text", "name", "arguments", "decisions", "function", "relation"]
NAMES = ["ADD", "UPDATE", "DELETE", "NOOP", "add_memory", "update_memory", "delete_memory", "no_change", "MERGE"]

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 9),
    st.floats(allow_nan=False),
    st.text(max_size=8),
    st.sampled_from(NAMES),
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner),
    max_leaves=12,
)
ids = st.integers(-1, 4) | st.sampled_from(["1", "2", "m0", "id 2", None]) | values
entries = st.fixed_dictionaries(
    {}, optional={"fact": ids, "operation": st.sampled_from(NAMES) | leaves, "id": ids, "text": leaves}
)
texts = st.one_of(
    st.text(max_size=30),
    values.map(json.dumps),
    st.lists(entries, max_size=4).map(lambda found: json.dumps({"decisions": found})),
    entries.map(json.dumps),
    st.sampled_from(["same", "more", "changed", "other", '```json\n{"id": 1', "DELETE", "no_change({})"]),
)
damaged = st.tuples(texts, st.integers(0, 60)).map(lambda pair: pair[0][: pair[1]])
arguments = st.none() | st.dictionaries(st.sampled_from(["id", "text"]), ids, max_size=2)
calls = st.builds(
    lambda name, given: ToolCall(name, given, "[1" if given is None else json.dumps(given)),
    st.sampled_from(NAMES) | st.text(max_size=6),
    arguments,
)
lines: st.SearchStrategy[Line] = st.one_of(
    texts, damaged, st.lists(calls, min_size=1, max_size=4).map(tuple), st.just(CUT)
)
policies = st.fixed_dictionaries(
    {"on_delete": st.sampled_from(["paper", "replace", "retire"]), "fallback": st.sampled_from(["add", "skip"])}
)


@pytest.mark.parametrize("updater", rest_thorough(NEW))
def test_a_thousand_malformed_replies_leave_the_store_consistent(updater: str) -> None:
    asked = 0

    @settings(max_examples=300)
    @given(replies=st.lists(lines, min_size=4, max_size=8), policy=policies)
    def tried(replies: list[Line], policy: dict[str, Any]) -> None:
        nonlocal asked
        asked += asyncio.run(ingested(updater, replies, policy))

    tried()
    assert asked >= 1000


async def ingested(updater: str, replies: list[Line], policy: dict[str, Any]) -> int:
    """Check what comes of the windows when a model gives these replies in turn; return how often it was asked."""
    store = await filled()
    before = {memory.id: memory for memory in store.memories()}

    def reply(request: ChatRequest) -> Line:
        return replies[len(llm.requests) % len(replies)]

    llm = Scripted(reply)
    gate = {"gate": -1.0} if updater == "pairwise" else {}
    chosen = NEW[updater](llm, **policy, **gate)
    for window in WINDOWS:
        for fact, decision in zip(window, await fed(chosen, store, window, SHOWN), strict=True):
            assert accounted_for(decision, store, fact.sources, policy["on_delete"]), f"{fact} was lost unseen"
    await consistent(store, before)
    return len(llm.requests)


async def consistent(store: DenseStore, before: dict[str, Memory]) -> None:
    """Check that the ledger and the index are in step, and that nothing old was lost."""
    near: list[Hit] = []
    for memory in store.memories():
        near = await store.nearest(memory.text, len(store.memories()))
        same = [hit.memory.id for hit in near if hit.score >= near[0].score - 1e-5]
        assert memory.id in same, f"{memory.text!r} is not found by its own words"
    assert {hit.memory.id for hit in near} == {memory.id for memory in store.memories()}
    for memory in store.memories(retired=True):
        if old := before.get(memory.id):
            told = [memory.text, *(revision.content.text for revision in memory.history)]
            assert old.text in told, "an old text was lost"
            assert set(old.sources) <= set(memory.sources), "turns were lost"


def accounted_for(decision: Decision, store: DenseStore, sources: tuple[str, ...], on_delete: str) -> bool:
    """Tell whether a fact is stored, or why it is not can be seen."""
    names = [type(one).__name__ for one in decision.operations]
    if "Add" in names or "Update" in names:
        return any(set(sources) <= set(memory.sources) for memory in store.memories(retired=True))
    return "Noop" in names or bool(decision.flaws) or (on_delete == "paper" and names != [])
