"""The statistics of graphs, from their lines and the memories behind the edges."""

from collections import Counter

import pytest

from memlab.records import Record
from memlab.summary.graph import MOST_COUNTED, graph, most


def node(number: int, *names: str, kind: str = "Person", talk: str = "talk", owner: str | None = None) -> Record:
    place = {"conversation": talk, "perspective": owner}
    return {**place, "type": "node", "number": number, "names": list(names), "kind": kind, "created_at": "2023-05-08"}


def edge(memory: str, source: int, target: int, *, talk: str = "talk", owner: str | None = None) -> Record:
    place = {"conversation": talk, "perspective": owner}
    return {**place, "type": "edge", "memory": memory, "source": source, "target": target}


def memory(id_: str, relation: str = "knows", *, retired: bool = False, talk: str = "talk") -> Record:
    content = {"type": "triple", "relation": relation}
    return {"conversation": talk, "id": id_, "content": content, "retired_at": "2023-06-03" if retired else None}


LINES = [
    node(0, "Ada", "Ada King"),
    node(1, "Ben"),
    node(2, "Oslo", kind="Location"),
    node(3, "Rome", kind="Location"),
    edge("m0", 0, 1),
    edge("m1", 0, 2),
    edge("m2", 1, 3),
]
MEMORIES = [memory("m0"), memory("m1", "lives_in"), memory("m2", "lives_in", retired=True)]


def shape(lines: list[Record], memories: list[Record]) -> Record:
    found = graph(lines, memories)
    assert found is not None
    return found


def test_nodes_edges_and_the_invalid_ones_are_counted() -> None:
    found = shape(LINES, MEMORIES)
    assert [found[name] for name in ("stores", "nodes", "edges", "invalid")] == [1, 4, 3, 1]
    assert found["invalid_share"] == pytest.approx(1 / 3)
    assert found["nodes_with_several_names"] == 1


def test_components_and_degrees_are_of_the_valid_edges() -> None:
    found = shape(LINES, MEMORIES)
    assert (found["components"], found["largest_component_share"]) == (2, 0.75)
    assert (found["mean_degree"], found["max_degree"]) == (1, 2)


def test_several_edges_between_two_nodes_all_count() -> None:
    lines = [node(0, "Ada"), node(1, "Ben"), edge("m0", 0, 1), edge("m1", 0, 1), edge("m2", 1, 0)]
    assert shape(lines, [memory("m0"), memory("m1"), memory("m2")])["max_degree"] == 3


def test_types_and_relations_are_counted_by_name() -> None:
    found = shape(LINES, MEMORIES)
    assert found["types"] == {"Location": 2, "Person": 2}
    assert found["relations"] == {"lives_in": 2, "knows": 1}
    assert list(most(Counter({str(n): n for n in range(1, 30)}))) == [str(n) for n in range(29, 29 - MOST_COUNTED, -1)]


def test_stores_are_apart_though_their_numbers_and_ids_are_alike() -> None:
    owned = [node(n, name, owner=owner) for owner in ("Ada", "Ben") for n, name in enumerate(("x", "y"))]
    owned += [edge("Ada:m0", 0, 1, owner="Ada"), edge("Ben:m0", 0, 1, owner="Ben")]
    other = [node(0, "x", talk="other"), node(1, "y", talk="other"), edge("m0", 0, 1, talk="other")]
    memories = [memory("Ada:m0"), memory("Ben:m0", retired=True), memory("m0", talk="other")]
    found = shape([*owned, *other], memories)
    assert [found[name] for name in ("stores", "nodes", "edges", "invalid", "components")] == [3, 6, 3, 1, 4]
    assert found["largest_component_share"] == pytest.approx((1 + 0.5 + 1) / 3)


def test_nodes_without_any_edge_have_a_shape() -> None:
    found = shape([node(0, "Ada")], [])
    assert (found["edges"], found["invalid_share"], found["components"], found["max_degree"]) == (0, None, 1, 0)


def test_a_run_without_a_graph_has_none() -> None:
    assert graph([], [memory("m0")]) is None
