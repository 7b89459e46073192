import io
import json
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.records import RunFolder
from memlab.report.graph.graphml import graphml, legal
from memlab.report.graph.held import HeldGraph, held_graphs
from tests.report.graph_runs import Store, renamed, small, write_run


def held(folder: Path, store: Store) -> HeldGraph:
    return held_graphs(RunFolder(write_run(folder, [("c", None, store)])))["c"][0]


def read_back(text: str) -> nx.MultiDiGraph:
    return nx.read_graphml(io.BytesIO(text.encode()), force_multigraph=True)


def test_all_nodes_and_edges_are_read_back_equal(tmp_path: Path) -> None:
    graph = held(tmp_path, small())
    found = read_back(graphml(graph))
    assert {
        (int(number), data["name"], data["kind"], tuple(json.loads(data["names"])), data["created_at"])
        for number, data in found.nodes(data=True)
    } == {(n.number, n.name, n.kind, n.names, n.created_at.isoformat()) for n in graph.nodes}
    assert {
        (
            int(source),
            int(target),
            data["relation"],
            data.get("when", ""),
            data["valid_from"],
            data.get("retired_at"),
            tuple(json.loads(data["sources"])),
            data["text"],
            data["speaker"],
            data["memory"],
        )
        for source, target, data in found.edges(data=True)
    } == {
        (
            e.source,
            e.target,
            e.triple.relation,
            e.triple.when,
            e.since.isoformat(),
            e.until and e.until.isoformat(),
            e.sources,
            e.triple.text,
            e.speaker,
            e.memory,
        )
        for e in graph.edges
    }
    assert found.is_directed()


def test_edges_between_the_same_nodes_are_kept_apart(tmp_path: Path) -> None:
    nodes, edges = small()
    again = [(kept, 0, 1) for kept, _, _ in edges]
    assert read_back(graphml(held(tmp_path, (nodes, again)))).number_of_edges("0", "1") == len(edges)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\x00b\x1bc\rd", "a\u2400b\u241bc\u240dd"),
        ("\ud83d!\uffff", "\ufffd!\ufffd"),
        ("<b>&\"'", "<b>&\"'"),
        ("🏺 陶芸\n2", "🏺 陶芸\n2"),
    ],
)
def test_name_that_xml_cannot_hold_is_made_visible(name: str, shown: str, tmp_path: Path) -> None:
    found = read_back(graphml(held(tmp_path, renamed(small(), 4, name))))
    assert found.nodes["4"]["name"] == shown


@given(name=st.text(st.characters(exclude_categories=()), min_size=1))
def test_any_name_is_read_back_as_it_was_made_visible(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    graph = held(tmp_path_factory.mktemp("run"), renamed(small(), 0, name))
    assert read_back(graphml(graph)).nodes["0"]["name"] == legal(name)
