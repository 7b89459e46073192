from pathlib import Path

import numpy as np
import pytest

from memlab.memory import Entity, Triple
from memlab.records import RunFolder
from memlab.report.graph.held import HeldGraph, held_graphs
from memlab.report.graph.layout import MOST, box, levels, places, ranked
from tests.report.graph_runs import Store, large, memory, node, small, write_run


def held(folder: Path, store: Store) -> HeldGraph:
    return held_graphs(RunFolder(write_run(folder, [("c", None, store)])))["c"][0]


@pytest.mark.parametrize(("nodes", "edges", "shown"), [(300, 600, 60), (300, 600, 300), (40, 30, 40)])
def test_no_name_covers_another(nodes: int, edges: int, shown: int, tmp_path: Path) -> None:
    graph = held(tmp_path, large(nodes, edges))
    order, degree = ranked(graph)
    names = {one.number: one.name for one in graph.nodes}
    boxes = np.array([box(names[number], degree[number]) for number in order[:shown]])
    points = np.array(places(graph, order[:shown], degree))
    apart = np.abs(points[:, None] - points[None]) >= (boxes[:, None] + boxes[None]) / 2 - 2
    assert apart.any(axis=2).sum() == shown * (shown - 1)


def test_neighbours_are_closer_than_strangers(tmp_path: Path) -> None:
    people = [node(number, f"person {number}") for number in range(20)]
    ends = [(a, b) for a in range(20) for b in range(a) if (a < 10) == (b < 10)] + [(0, 10)]
    told = [
        (memory(f"m{n}", Triple(Entity(f"person {a}", "Person"), "knows", Entity(f"person {b}", "Person"))), a, b)
        for n, (a, b) in enumerate(ends)
    ]
    graph = held(tmp_path, (people, told))
    points = np.array(places(graph, range(20), ranked(graph)[1]))
    distance = np.linalg.norm(points[:, None] - points[None], axis=2)
    assert distance[:10, :10].mean() < 0.8 * distance[:10, 10:].mean()


def test_one_node_alone_and_a_node_with_an_edge_to_itself_have_a_place(tmp_path: Path) -> None:
    mira = Entity("Mira", "Person")
    graph = held(tmp_path, ([node(0, "Mira")], [(memory("m0", Triple(mira, "knows", mira)), 0, 0)]))
    assert places(graph, [0], ranked(graph)[1]) == [(0, 0)]


def test_nodes_with_most_edges_come_first(tmp_path: Path) -> None:
    order, degree = ranked(held(tmp_path, small()))
    assert (order[0], degree[0]) == (0, 4)


def test_last_level_is_everything_that_a_picture_can_hold() -> None:
    assert [levels(5), levels(60), levels(61), levels(9999)[-1]] == [[5], [30, 60], [30, 60, 61], MOST]
