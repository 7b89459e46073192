from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from memlab.memory import Entity, Node, Triple
from memlab.store.cypher import END_EDGES, PUT_EDGES, PUT_NODES, STILL, End, Write, epoch, sendable, statements
from memlab.store.property_graph import Edge
from memlab.testing.samples import START

TEXTS = st.text(st.characters(exclude_categories=()) | st.sampled_from("\ud800\udfff\ufdd0d80"))
TRIPLE = Triple(Entity("Ada", "Person"), "lives_in", Entity("Oslo", "Location"), "May 2023")


@given(st.datetimes())
def test_a_time_is_told_to_the_microsecond(time: datetime) -> None:
    assert datetime(1970, 1, 1) + timedelta(microseconds=epoch(time)) == time
    assert epoch(time) < STILL < 2**63


def test_a_time_with_a_zone_is_the_same_moment() -> None:
    there = datetime(2023, 5, 8, 15, 56, tzinfo=timezone(timedelta(hours=2)))
    assert epoch(there) == epoch(there.astimezone(UTC))


@given(TEXTS, TEXTS)
def test_texts_can_be_sent_and_stay_different(one: str, other: str) -> None:
    sendable(one).encode()
    assert (sendable(one) == sendable(other)) == (one == other)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\ufdd0")))
def test_ordinary_texts_are_sent_as_they_are(text: str) -> None:
    assert sendable(text) == text


def test_nodes_go_first_and_ends_last_and_the_last_write_of_a_thing_counts() -> None:
    renamed = Node(0, ("Ada", "Ada Byron"), "Person", START)
    writes: list[Write] = [
        Node(0, ("Ada",), "Person", START),
        Edge(0, 0, 0, 1, TRIPLE, START),
        End(0, 0, 0, 1, START),
        Node(1, ("Oslo",), "Location", START),
        renamed,
    ]
    (nodes, node_rows), (edges, edge_rows), (ends, end_rows) = statements(writes)
    assert (nodes, edges, ends) == (PUT_NODES, PUT_EDGES, END_EDGES)
    assert [(row["number"], row["properties"]["names"]) for row in node_rows] == [
        (0, ["Ada", "Ada Byron"]),
        (1, ["Oslo"]),
    ]
    assert [row["position"] for row in node_rows] == [0, 1]
    assert edge_rows[0]["properties"] == {
        "text": "Ada lives in Oslo (May 2023)",
        "subject": "Ada",
        "subject_kind": "Person",
        "relation": "lives_in",
        "object": "Oslo",
        "object_kind": "Location",
        "when": "May 2023",
        "since": epoch(START),
        "until": STILL,
    }
    assert end_rows == [{"source": 0, "target": 1, "memory": 0, "version": 0, "until": epoch(START), "position": 0}]


def test_nothing_to_write_is_nothing_to_send() -> None:
    assert statements([]) == []
