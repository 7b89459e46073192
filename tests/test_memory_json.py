import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab import memory_json
from memlab.memory import (
    Add,
    Candidate,
    Delete,
    Entity,
    Fact,
    Memory,
    Noop,
    Revision,
    Triple,
    Update,
)

ids = st.integers(min_value=0, max_value=10**6).map("m{}".format)
times = st.datetimes(timezones=st.one_of(st.none(), st.just(UTC)))
sources = st.lists(st.text()).map(tuple)
contents = st.one_of(
    st.builds(Fact, st.text()),
    st.builds(Triple, st.builds(Entity, st.text(), st.text()), st.text(), st.builds(Entity, st.text(), st.text())),
)
candidates = st.builds(Candidate, contents, st.text(), sources, times)
operations = st.one_of(
    st.builds(Add, candidates),
    st.builds(Update, ids, candidates),
    st.builds(Delete, ids, times),
    st.builds(Noop, st.one_of(st.none(), ids), sources),
)
revisions = st.builds(Revision, contents, sources, times)
memories = st.builds(
    Memory,
    id=ids,
    content=contents,
    speaker=st.text(),
    sources=sources,
    created_at=times,
    updated_at=times,
    valid_from=times,
    retired_at=st.one_of(st.none(), times),
    history=st.lists(revisions, max_size=3).map(tuple),
)


def through_text(value: memory_json.Json) -> memory_json.Json:
    """What is left of a JSON value after it was written to a file and read back."""
    read: memory_json.Json = json.loads(json.dumps(value))
    return read


@given(contents)
def test_a_content_is_read_as_it_was_written(content: Fact | Triple) -> None:
    assert memory_json.content_from_json(through_text(memory_json.content_to_json(content))) == content


@given(candidates)
def test_a_candidate_is_read_as_it_was_written(candidate: Candidate) -> None:
    assert memory_json.candidate_from_json(through_text(memory_json.candidate_to_json(candidate))) == candidate


@given(operations)
def test_an_operation_is_read_as_it_was_written(operation: Add | Update | Delete | Noop) -> None:
    assert memory_json.operation_from_json(through_text(memory_json.operation_to_json(operation))) == operation


@given(memories)
def test_a_memory_is_read_as_it_was_written(memory: Memory) -> None:
    assert memory_json.memory_from_json(through_text(memory_json.memory_to_json(memory))) == memory


def test_a_broken_surrogate_survives() -> None:
    assert memory_json.content_from_json(through_text(memory_json.content_to_json(Fact("\ud83d")))) == Fact("\ud83d")


def test_the_written_form_of_a_memory_is_stable() -> None:
    said_at = datetime(2023, 5, 8, 13, 56)
    memory = Memory(
        id="m0",
        content=Triple(Entity("Ann", "Person"), "lives_in", Entity("Rome", "Location")),
        speaker="Ann",
        sources=("D1:1", "D3:2"),
        created_at=said_at,
        updated_at=said_at,
        valid_from=said_at,
        history=(Revision(Fact("Ann lives in Oslo."), ("D1:1",), said_at),),
    )
    assert memory_json.memory_to_json(memory) == {
        "id": "m0",
        "content": {
            "type": "triple",
            "subject": {"name": "Ann", "kind": "Person"},
            "relation": "lives_in",
            "object": {"name": "Rome", "kind": "Location"},
            "when": "",
        },
        "speaker": "Ann",
        "sources": ["D1:1", "D3:2"],
        "created_at": "2023-05-08T13:56:00",
        "updated_at": "2023-05-08T13:56:00",
        "valid_from": "2023-05-08T13:56:00",
        "retired_at": None,
        "history": [
            {
                "content": {"type": "fact", "text": "Ann lives in Oslo."},
                "sources": ["D1:1"],
                "updated_at": "2023-05-08T13:56:00",
            }
        ],
    }


def test_the_written_form_of_an_operation_is_stable() -> None:
    assert memory_json.operation_to_json(Delete("m3", datetime(2023, 5, 8))) == {
        "type": "delete",
        "id": "m3",
        "at": "2023-05-08T00:00:00",
    }


def test_an_unknown_type_is_named() -> None:
    with pytest.raises(ValueError, match="unknown content type 'poem'; known: fact, triple"):
        memory_json.content_from_json({"type": "poem"})
    with pytest.raises(ValueError, match="unknown operation type 'merge'; known: add, update, delete, noop"):
        memory_json.operation_from_json({"type": "merge"})


def test_a_triple_of_before_there_were_times_is_still_read() -> None:
    triple = Triple(Entity("Ann", "Person"), "lives_in", Entity("Rome", "Location"))
    written = memory_json.content_to_json(triple)
    del written["when"]
    assert memory_json.content_from_json(written) == triple
