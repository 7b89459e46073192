"""The page in a real browser: what a reader sees and does."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from memlab.perspective import Owner
from memlab.records import RunFolder
from memlab.report.graph.held import held_graphs
from memlab.report.graph.page import page
from tests.report.browser import Browser, browser, chromium
from tests.report.graph_runs import START, Store, held, large, node, renamed, small, write_run

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium here; apt-get install chromium")
PLACE = "(({x, y}, box) => ({x: x + box.left, y: y + box.top}))(%s, byId('graph').getBoundingClientRect())"
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def lonely() -> Store:
    """Return a large graph, two of whose first entities know only rare ones: one for ever, the other at the start."""
    given = large(150, 300)
    nodes, told = list(given[0]), list(given[1])
    for hub in ("island", "peninsula"):
        number = len(nodes)
        nodes += [node(number, hub), *(node(number + leaf, f"{hub} {leaf}") for leaf in range(1, 9))]
        for leaf in range(1, 9):
            told.append(held(nodes, len(told), number, "knows", number + leaf, "", START, None))
    told.append(held(nodes, len(told), number, "knows", 0, "", START + timedelta(days=60), None))
    return nodes, told


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("runs")
    stores: dict[str, list[tuple[str, Owner, Store]]] = {
        "small": [("c", None, small())],
        "large": [("c", None, large(150, 300))],
        "lonely": [("c", None, lonely())],
        "two": [("c", "Mira", small()), ("c", "Toma", large(20, 30))],
        "evil": [(EVIL, EVIL, renamed(small(), 0, EVIL)), (EVIL, "Toma", small())],
        "bare": [("c", None, (small()[0][:1], []))],
    }
    found = {}
    for name, of_run in stores.items():
        [graphs] = held_graphs(RunFolder(write_run(folder / name, of_run))).values()
        found[name] = folder / f"{name}.html"
        found[name].write_text(page(graphs, {"choices": {"system": "mem0g"}, "key": "k1"}))
    return found


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def window(running: Browser) -> Iterator[Browser]:
    """Yield the browser; a test fails when the page complained, or asked for anything but itself."""
    running.console.clear()
    running.requests.clear()
    yield running
    running.value("1")
    assert running.console == []
    assert [url for url in running.requests if not url.startswith("file:")] == []
    assert len(set(running.requests)) == 1


@pytest.mark.parametrize("dark", [False, True])
def test_page_opens_and_draws(window: Browser, pages: dict[str, Path], dark: bool) -> None:
    window.open(pages["large"], dark=dark)
    assert window.text("counts").startswith("60 of 150 entities")
    picture = window.screenshot()
    assert picture.startswith(b"\x89PNG")
    window.value("byId('graph').style.visibility = 'hidden'")
    assert len(picture) > len(window.screenshot()) + 50_000  # most of it is the graph


def test_slider_shows_the_graph_as_of_then(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["small"])
    assert window.text("counts") == "5 of 5 entities, 5 of 5 relations drawn; 1 ended"
    assert window.value("cy.edges('.ended').map((edge) => edge.id())") == ["em0"]
    window.set("time", "0", "input")
    assert window.text("counts") == "3 of 3 entities, 2 of 2 relations drawn; 0 ended"
    assert window.text("now") == "As of 4 March 2023, 10:15"
    assert window.value("location.hash") == "#time=2023-03-04T10%3A15"


def test_ended_relation_is_dashed_until_it_is_hidden(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["small"])
    assert window.value("cy.getElementById('em0').style('line-style')") == "dashed"
    assert window.value("cy.getElementById('em1').style('line-style')") == "solid"
    window.press("#past")
    assert window.text("counts") == "5 of 5 entities, 4 of 5 relations drawn; 1 ended"


def test_search_lists_and_highlights_names_and_relations(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["small"])
    window.set("search", "LUND", "input")
    assert "Entities (1)\nMira" in window.text("found")
    assert window.value("cy.nodes('.ringed').map((node) => node.id())") == ["n0"]
    window.set("search", "lives in", "input")
    assert "Relations (2)" in window.text("found")
    assert window.value("cy.edges('.ringed').map((edge) => edge.id()).sort()") == ["em0", "em1"]
    assert window.value("cy.elements('.dim').not('.away').length") == 5  # Toma, the class, and what they do


def test_search_shows_the_relations_of_what_it_finds(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["small"], "search=rome")
    assert window.value("cy.elements('.lit').map((one) => one.id()).sort()") == ["em1", "n0", "n2"]


def test_search_that_finds_much_shows_only_that(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["large"], "search=pottery")
    assert window.value("cy.nodes('.ringed').length") > 10
    assert window.value("cy.nodes('.lit').not('.ringed').length") == 0


def test_names_of_relations_are_drawn_where_there_is_room(window: Browser, pages: dict[str, Path]) -> None:
    named = "cy.edges('.named').length"
    window.open(pages["large"])
    window.until(f"{named} > 5")
    first, edges = window.value(f"[{named}, cy.edges().not('.away').length]")
    assert first < edges
    window.value("void cy.zoom(3 * cy.zoom())")
    window.until(f"{named} > {first}")
    window.press("#labels")
    window.until(f"{named} === 0")


def test_name_of_a_relation_keeps_clear_of_what_is_drawn(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["small"])
    window.value("void (globalThis.taken = new Set())")
    first, second = (window.value("part(cy.getElementById('em1'), taken).at ?? null") for _ in range(2))
    assert first == 0.5
    assert second != 0.5


def test_relations_of_a_hub_are_named(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["large"], "node=0")
    window.until("cy.edges('.named').length > 5")
    assert window.value("cy.edges('.named').not('.lit').length") == 0


@pytest.mark.parametrize("fragment", ["", "time=2023-04-02"])
def test_no_entity_is_drawn_without_a_relation(window: Browser, pages: dict[str, Path], fragment: str) -> None:
    window.open(pages["lonely"], fragment)
    assert window.value("cy.nodes().not('.away').length") > 20
    alone = "cy.nodes().not('.away').filter((node) => node.connectedEdges().not('.away').empty()).length"
    assert window.value(alone) == 0


def test_counts_are_those_of_then(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["small"], "time=2023-03-04")
    assert window.text("legend").split("\n") == ["Person 2", "Location 1", "Event 0"]
    assert "Entities with most relations\nMira 2\nOslo 1\nToma 1\nMost frequent" in window.text("chosen")


def test_search_draws_what_it_finds_beyond_the_first_entities(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["large"], "shown=30")
    name, number = window.value("[store.nodes.at(-1).names[0], store.nodes.at(-1).number]")
    window.set("search", name, "input")
    assert window.value("cy.nodes('.ringed').map((node) => node.id())") == [f"n{number}"]
    box = window.value(f"cy.getElementById('n{number}').renderedPosition()")
    assert 0 < box["x"] < 1050
    assert 0 < box["y"] < 800
    window.set("search", "", "input")
    assert window.text("counts").startswith("30 of 150")


def test_node_tells_its_names_and_all_its_relations(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["small"])
    window.point(PLACE % "cy.getElementById('n0').renderedPosition()", click=True)
    window.until("view.node === 0")
    told = window.text("chosen")
    assert "Also called\nMira Lund" in told
    assert "Held then (3)" in told
    interval = "said on 4 March 2023, 10:15, ended on 18 March 2023, 10:15"
    assert f"Ended by then (1)\nlives in → Oslo\n{interval}\nby Mira in D1:1" in told
    window.set("time", "0", "input")
    assert "Said later (2)" in window.text("chosen")


def test_relation_tells_its_time_and_its_source(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["small"], "edge=m1")
    told = window.text("chosen")
    for words in ("Mira lives in Rome (18 March 2023)", "Ended on\nstill held", "Turns\nD2:2", "Said by\nMira"):
        assert words in told
    window.open(pages["small"])
    window.point(PLACE % "cy.getElementById('em0').renderedMidpoint()")
    window.until("!byId('tip').hidden")
    assert window.text("tip").startswith("Mira lives in Oslo\nsaid on 4 March 2023, 10:15, ended on 18 March 2023")


def test_type_is_hidden_by_its_legend(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["small"])
    assert window.text("legend").split("\n") == ["Person 2", "Location 2", "Event 1"]
    window.press("#legend button:nth-child(2)")
    assert window.text("counts").startswith("3 of 5 entities, 3 of 5 relations")


def test_address_holds_the_view(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["large"], "shown=30&time=2023-04-16&search=pottery&past=0&hide=Date&labels=0")
    assert window.value("[view.past, view.labels, view.hidden.size, view.search]") == [False, False, 1, "pottery"]
    assert window.text("now").startswith("As of 15 April 2023")
    assert window.value("byId('shown').selectedOptions[0].text") == "first 30"
    again = window.value("location.hash.slice(1)")
    window.open(pages["large"], again)
    assert window.value("location.hash.slice(1)") == again


@pytest.mark.parametrize(
    "nonsense", ["node=x&edge=m999&time=never&shown=-5&around=77777&store=Nobody&hide=,", "=&&%20"]
)
def test_address_without_sense_is_ignored(window: Browser, pages: dict[str, Path], nonsense: str) -> None:
    window.open(pages["small"], nonsense)
    assert window.value("cy.nodes().not('.away').length") > 0


def test_node_that_is_not_drawn_is_drawn_among_its_neighbours(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["large"], "shown=30")
    far = window.value("store.nodes.at(-1).number")
    window.value(f"choose({{ node: {far} }})")
    assert window.value(f"cy.getElementById('n{far}').hasClass('away')") is False
    assert window.text("around").startswith("Around ")
    window.press("#overview")
    assert window.text("counts").startswith("30 of 150 entities")


def test_relation_that_is_told_later_moves_the_time_to_it(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["small"], "time=2023-03-04&around=2&node=2")
    assert window.text("now") == "As of 18 March 2023, 10:15"
    window.set("time", "0", "input")
    assert window.text("counts").startswith("3 of 3 entities")
    window.value("choose({ edge: 'm3' })")
    assert window.text("now") == "As of 18 March 2023, 10:15"


def test_store_of_each_speaker_can_be_chosen(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["two"])
    assert window.text("counts").startswith("5 of 5")
    window.set("store", "1", "change")
    window.until("byId('counts').textContent.startsWith('20 of 20')")
    assert window.value("location.hash") == "#store=Toma"


def test_markup_in_names_is_only_text(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["evil"], "node=0&search=script")
    assert EVIL in window.text("chosen")
    assert EVIL in window.text("found")
    assert window.value("document.querySelectorAll('img').length") == 0


def test_graph_of_one_node_opens(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["bare"])
    assert window.text("counts") == "1 of 1 entities, 0 of 0 relations drawn; 0 ended"


def test_narrow_window_keeps_the_graph_in_sight(window: Browser, pages: dict[str, Path]) -> None:
    window.open(pages["small"], size=(600, 900))
    assert window.value("byId('graph').clientHeight") > 200
    assert window.value("document.documentElement.scrollWidth") <= 600
