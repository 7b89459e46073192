from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memlab.memory import Entity, Fact, Revision, Triple
from memlab.records import RecordError, RunFolder
from memlab.report.graph.held import held_graphs, of_conversation
from tests.report.graph_runs import START, memory, node, small, write_run


def test_nodes_and_edges_are_those_of_the_store(tmp_path: Path) -> None:
    nodes, edges = small()
    [graph] = held_graphs(RunFolder(write_run(tmp_path, [("c", None, (nodes, edges))])))["c"]
    assert list(graph.nodes) == nodes
    assert [(edge.memory, edge.source, edge.target, edge.until) for edge in graph.edges] == [
        (kept.id, source, target, kept.retired_at) for kept, source, target in edges
    ]


def test_every_speaker_has_a_graph_of_their_own(tmp_path: Path) -> None:
    graphs = held_graphs(RunFolder(write_run(tmp_path, [("c", "Mira", small()), ("c", "Toma", small())])))
    assert [graph.owner for graph in graphs["c"]] == ["Mira", "Toma"]
    assert graphs["c"][1].edges[0].memory == "Toma:m0"


def test_what_a_memory_said_before_an_update_is_an_edge_that_ended(tmp_path: Path) -> None:
    mira, oslo, rome = Entity("Mira", "Person"), Entity("Oslo", "Location"), Entity("Rome", "Location")
    later = START + timedelta(days=14)
    kept = memory("m0", Triple(mira, "lives_in", rome))
    kept = replace(kept, updated_at=later, history=(Revision(Triple(mira, "lives_in", oslo), ("D1:1",), START),))
    nodes = [node(0, "Mira"), node(1, "Oslo", "Location"), node(2, "Rome", "Location")]
    [graph] = held_graphs(RunFolder(write_run(tmp_path, [("c", None, (nodes, [(kept, 0, 2)]))])))["c"]
    assert [(e.version, e.target, e.since, e.until) for e in graph.edges] == [(0, 1, START, later), (1, 2, later, None)]


def test_what_was_a_fact_before_is_no_edge(tmp_path: Path) -> None:
    kept = memory("m0", Triple(Entity("Mira", "Person"), "knows", Entity("Toma", "Person")))
    kept = replace(kept, history=(Revision(Fact("Mira knows Toma."), ("D1:1",), START),))
    store = [node(0, "Mira"), node(1, "Toma")], [(kept, 0, 1)]
    [graph] = held_graphs(RunFolder(write_run(tmp_path, [("c", None, store)])))["c"]
    assert [edge.version for edge in graph.edges] == [1]


def test_run_without_a_graph_is_told_which_systems_have_one(tmp_path: Path) -> None:
    write_run(tmp_path, [("c", None, small())], graph=False)
    with pytest.raises(RecordError, match=r"no graph in .*: its store keeps none.* system=mem0g"):
        held_graphs(RunFolder(tmp_path))


def test_empty_graph_is_no_graph(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="nothing was extracted"):
        held_graphs(RunFolder(write_run(tmp_path, [])))


def test_unknown_conversation_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    graphs = held_graphs(RunFolder(write_run(tmp_path, [("conv-26", None, small()), ("conv-30", None, small())])))
    with pytest.raises(RecordError, match=r"'conv26' .*did you mean 'conv-26'\? \(there are: conv-26, conv-30\)"):
        of_conversation(graphs, "conv26")


def test_edge_of_an_unknown_memory_is_refused(tmp_path: Path) -> None:
    write_run(tmp_path, [("c", None, small())])
    (tmp_path / "memories.jsonl").write_text("")
    with pytest.raises(RecordError, match="m0 of c is no memory of this run"):
        held_graphs(RunFolder(tmp_path))


def test_what_a_memory_said_before_is_found_under_a_type_spelt_otherwise_and_since_it_was_said_first(
    tmp_path: Path,
) -> None:
    mira, oslo, rome = Entity("Mira", "person"), Entity("Oslo", "LOCATION "), Entity("Rome", "Location")
    again, later = START + timedelta(days=7), START + timedelta(days=14)
    kept = memory("m0", Triple(mira, "lives_in", rome))
    kept = replace(kept, updated_at=later, history=(Revision(Triple(mira, "lives_in", oslo), ("D1:1",), again),))
    nodes = [node(0, "Mira"), node(1, "Oslo", "Location"), node(2, "Rome", "Location")]
    [graph] = held_graphs(RunFolder(write_run(tmp_path, [("c", None, (nodes, [(kept, 0, 2)]))])))["c"]
    assert [(e.source, e.target, e.since, e.until) for e in graph.edges] == [(0, 1, START, later), (0, 2, later, None)]
