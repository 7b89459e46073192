from memlab.records import Record
from memlab.report.graph_statistics import graph_statistics
from memlab.report.rows import Run

FOUND: Record = {
    "stores": 2,
    "nodes": 1200,
    "nodes_with_several_names": 7,
    "edges": 3400,
    "invalid": 340,
    "invalid_share": 0.1,
    "components": 30,
    "largest_component_share": 0.8,
    "mean_degree": 5.1,
    "max_degree": 400,
    "types": {"Person": 900, "Location": 300},
    "relations": {"lives_in": 12},
}


def run(system: str, found: Record | None) -> Run:
    return {"choices": {"system": system}, "config": {}}, {"graph": found}


def test_each_run_with_a_graph_has_a_row() -> None:
    table = graph_statistics(
        [run("mem0", None), run("mem0g", FOUND), run("graph_only", {**FOUND, "invalid_share": None})]
    )
    assert table is not None
    assert table.rows[0] == ("mem0g", "2", "1,200", "7", "3,400", "0.100", "30", "0.800", "5.10", "400")
    assert [row[0] for row in table.rows] == ["mem0g", "graph_only"]
    assert table.rows[1][5] == "-"
    assert len(table.notes) == 1


def test_one_run_alone_tells_its_types_and_relations() -> None:
    table = graph_statistics([run("mem0g", FOUND)])
    assert table is not None
    assert table.notes[1:] == ("Relations: lives_in 12.", "Types: Person 900, Location 300.")


def test_runs_without_a_graph_have_no_table() -> None:
    assert graph_statistics([run("mem0", None)]) is None
