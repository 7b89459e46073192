import hashlib
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memlab.records import RunFolder
from memlab.report.graph.drawn import COLOURS, REST, STOPS, drawn
from memlab.report.graph.held import HeldGraph, held_graphs
from memlab.report.graph.page import FOLDER, SCRIPTS, page, text_of
from tests.report.graph_runs import START, Store, large, node, renamed, small, write_run
from tests.report.graph_runs import held as known

MANIFEST = {"choices": {"system": "mem0g"}, "key": "k1"}
RELEASED = "71fa9ebec21a7ca2c40cff6aacc30d1f6464e363662ad4b2c197e1adc770cd94"
"""Of dist/cytoscape.min.js in the registry's cytoscape 3.35.0."""


def held(folder: Path, store: Store, conversation: str = "c") -> list[HeldGraph]:
    return held_graphs(RunFolder(write_run(folder, [(conversation, None, store)])))[conversation]


def data_of(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text)
    assert found
    return json.loads(found[1])


def test_library_is_the_released_file_with_its_licence_beside_it() -> None:
    assert hashlib.sha256((FOLDER / "cytoscape.min.js").read_bytes()).hexdigest() == RELEASED
    assert RELEASED in text_of("NOTICE")
    assert "The Cytoscape Consortium" in text_of("cytoscape.LICENSE")


def test_equal_runs_give_equal_pages(tmp_path: Path) -> None:
    first, second = (page(held(tmp_path / name, large(80, 150)), MANIFEST) for name in ("a", "b"))
    assert first == second


def test_page_names_no_other_place(tmp_path: Path) -> None:
    text = page(held(tmp_path, small()), MANIFEST)
    assert re.findall(r'\b(?:src|href)="', text.replace(text_of("cytoscape.min.js"), "")) == []
    assert "default-src 'none'" in text


def test_every_script_is_whole_and_named_by_its_hash(tmp_path: Path) -> None:
    text = page(held(tmp_path, small()), MANIFEST)
    assert text.count("<script>") == text.count("'sha256-") == len(SCRIPTS)
    assert not any("</script" in text_of(name) or "<!--" in text_of(name) for name in SCRIPTS)


@pytest.mark.parametrize(
    "name", ["</script><script>alert(1)</script>", "<!--<script>", "$data ${x}", "\ud800", 'a"b\n']
)
def test_name_stays_data(name: str, tmp_path: Path) -> None:
    text = page(held(tmp_path, renamed(small(), 0, name), conversation=name), MANIFEST)
    assert text.count("<script") - text_of("cytoscape.min.js").count("<script") == len(SCRIPTS) + 1
    assert data_of(text)["stores"][0]["nodes"][0]["names"] == [name]
    text.encode()


def test_edge_ends_at_the_stop_of_its_time(tmp_path: Path) -> None:
    [store] = drawn(held(tmp_path, small()), MANIFEST)["stores"]
    assert [(edge["relation"], edge["since"], edge["until"]) for edge in store["edges"]] == [
        ("lives_in", 0, 1),
        ("knows", 0, None),
        ("lives_in", 1, None),
        ("attended", 1, None),
        ("attended", 1, None),
    ]
    assert store["stops"] == ["2023-03-04T10:15:00", "2023-03-18T10:15:00"]


def test_many_times_become_days(tmp_path: Path) -> None:
    nodes = [node(n, f"n{n}", at=START + timedelta(hours=n)) for n in range(STOPS + 10)]
    [store] = drawn(held(tmp_path, (nodes, [])), MANIFEST)["stores"]
    assert store["stops"] == [f"2023-03-0{day}T{time}:15:00" for day, time in ((4, 23), (5, 23), (6, 23), (7, "07"))]
    assert max(one["since"] for one in store["nodes"]) == 3


def pairs(count: int, *, third: bool) -> Store:
    """Return so many pairs of entities that know nobody else; `third`: but for one who knows both of the first pair."""
    nodes = [node(number, f"n{number}") for number in range(2 * count + third)]
    ends = [(n, n + count) for n in range(count)] + [(2 * count, 0), (2 * count, count)] * third
    return nodes, [known(nodes, n, source, "knows", end, "", START, None) for n, (source, end) in enumerate(ends)]


@pytest.mark.parametrize(("third", "levels"), [(False, [30, 60, 80]), (True, [29, 59, 81])])
def test_no_level_shows_an_entity_without_its_neighbours(third: bool, levels: list[int], tmp_path: Path) -> None:
    [store] = drawn(held(tmp_path, pairs(40, third=third)), MANIFEST)["stores"]
    assert [len(level) for level in store["levels"]] == levels
    for level in levels:
        shown = {one["number"] for one in store["nodes"][:level]}
        ends = [{edge["source"], edge["target"]} for edge in store["edges"]]
        assert set().union(*(pair for pair in ends if pair <= shown)) == shown


def test_rare_types_share_a_colour(tmp_path: Path) -> None:
    nodes = [node(n, f"n{n}", kind=f"kind {n:02}") for n in range(COLOURS + 5)]
    found = drawn(held(tmp_path, (nodes, [])), MANIFEST)
    assert found["kinds"][-1] == REST
    assert {one["group"] for one in found["stores"][0]["nodes"][COLOURS:]} == {COLOURS}


def test_every_type_has_a_colour_in_light_and_in_dark() -> None:
    for number in range(COLOURS + 1):
        assert len(re.findall(rf"--c{number}: #", text_of("page.css"))) == 2
