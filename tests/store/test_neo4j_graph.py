"""A graph behind a wire: what it asks for before it is used, and what lies on the server then."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hydra.utils import instantiate
from omegaconf import OmegaConf

from memlab.conf_files import conf_folder
from memlab.memory import Node
from memlab.part import PartFailed
from memlab.store import cypher
from memlab.store.property_graph import PropertyGraph
from memlab.testing.graphs import ODD_NAMES, day, edge, put_nodes, put_odd_edges
from memlab.testing.naive_graph import NaiveGraph
from memlab.testing.samples import START
from tests.store.bolt import NAME, PASSWORD, Bolt, asked, opened

pytestmark = pytest.mark.xdist_group("bolt")


def test_the_option_is_built_from_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NEO4J_PASSWORD", PASSWORD)
    pytest.importorskip("neo4j", reason="needs the package neo4j")
    node = OmegaConf.load(conf_folder() / "graph" / "neo4j.yaml")
    assert PASSWORD not in str(OmegaConf.to_container(node, resolve=True))
    assert instantiate(node).missing() == []


def test_a_missing_package_password_and_address_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_PASSWORD", raising=False)
    monkeypatch.setattr("memlab.store.neo4j_graph.find_spec", lambda name: None)
    graph = Bolt("http://here", "neo4j", "NO_SUCH_PASSWORD", None).graph()
    assert graph.missing() == [
        "store.graph.uri is 'http://here'; it must begin with one of bolt://, bolt+s://, bolt+ssc://, neo4j://, "
        "neo4j+s://, neo4j+ssc://, as in bolt://localhost:7687",
        "graph=neo4j needs the package neo4j; pip install 'memlab[neo4j]' or use graph@store.graph=networkx",
        "graph=neo4j needs NO_SUCH_PASSWORD for http://here; set it, "
        "or store.graph.password_env=null for a server that asks for none",
    ]


@pytest.mark.parametrize(
    "uri", ["", "localhost", "localhost:7687", "bolt://", "bolt://host:port", "bolt://[::1", "x://y"]
)
def test_a_malformed_address_is_named(uri: str, nowhere: Bolt) -> None:
    (fault,) = nowhere.graph(uri=uri).missing()
    assert fault.startswith(f"store.graph.uri is {uri!r}; ")


@pytest.mark.parametrize(
    "uri", ["bolt://h", "neo4j+s://x.databases.neo4j.io", "bolt://[::1]:7687", "bolt+ssc://10.0.0.1:1"]
)
def test_a_sound_address_is_no_fault(uri: str, nowhere: Bolt) -> None:
    assert nowhere.graph(uri=uri, password_env=None).missing() == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"batch": 0}, "batch is 0; it must be at least 1"),
        ({"timeout_seconds": 0.0}, "timeout_seconds is 0.0; it must be more than 0"),
        ({"uri": "bolt://ada:secret@h"}, "uri holds a user or password"),
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, Any], message: str, nowhere: Bolt) -> None:
    with pytest.raises(ValueError, match=message) as refusal:
        nowhere.graph(**changes)
    assert "secret" not in str(refusal.value)


async def test_a_graph_that_was_not_opened_says_so(nowhere: Bolt) -> None:
    graph = nowhere.graph()
    await graph.close()
    with pytest.raises(RuntimeError, match="to be opened"):
        await graph.leaving(0)


async def test_what_another_program_removed_is_missed(bolt: Bolt) -> None:
    async with opened(bolt.graph()) as graph:
        put_nodes(graph, 2)
        assert await graph.leaving(0) == []
        await asked(bolt, "MATCH (n:Entity {space: $name}) DETACH DELETE n", name=NAME)
        graph.put_edge(edge(0, 0, 1))
        with pytest.raises(PartFailed, match=f"{bolt.uri} has lost nodes or edges of '{NAME}'"):
            await graph.leaving(0)
        put_nodes(graph, 2)  # as another program might put them back
        assert await graph.leaving(0) == [0]


async def test_names_come_back_equal_and_times_as_epoch_integers(bolt: Bolt) -> None:
    async with opened(bolt.graph()) as graph:
        put_odd_edges(graph)
        assert await graph.leaving(0) == [0]
        query = (
            "MATCH (n:Entity {space: $name})-[r:RELATION]->(n) "
            "RETURN n.number, n.name, n.names, n.kind, r.relation, r.subject, r.object_kind, r.when, "
            "r.since, r.until, r.text "
            "ORDER BY n.number"
        )
        rows = await asked(bolt, query, name=NAME)
        assert len(rows) == len(ODD_NAMES)
        for odd, (_, name, names, *texts, since, until, text) in zip(ODD_NAMES, rows, strict=True):
            sent = cypher.sendable(odd)
            assert (name, names, since, until) == (sent, [sent, f"{sent}!"], cypher.epoch(START), cypher.STILL)
            assert texts == [sent] * 5
            assert text.startswith(sent)


async def test_writes_go_in_batches_and_removal_too(bolt: Bolt) -> None:
    async with opened(bolt.graph(batch=3)) as graph:
        put_nodes(graph, 10)
        for number in range(9):
            graph.put_edge(edge(number, number, number + 1))
            graph.end_edge(number, 0, day(1))
        assert await graph.around([0], 9, past=True) == list(range(9))
        assert await asked(bolt, "MATCH (n:Entity {space: $name}) RETURN count(n)", name=NAME) == [[10]]
        await graph.open(NAME)
        assert await asked(bolt, "MATCH (n:Entity {space: $name}) RETURN count(n)", name=NAME) == [[0]]


async def test_a_server_without_the_index_answers_all_the_same(bolt: Bolt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cypher, "INDEX", "CREATE NOTHING THAT IS KNOWN HERE")
    async with opened(bolt.graph()) as graph:
        put_nodes(graph, 2)
        graph.put_edge(edge(0, 0, 1))
        assert await graph.leaving(0) == [0]


async def test_the_index_is_there(bolt: Bolt) -> None:
    async with opened(bolt.graph()):
        assert ["space", "number"] in [row[0] for row in await asked(bolt, "SHOW INDEXES YIELD properties")]


async def test_graphs_written_at_once_stay_apart(bolt: Bolt) -> None:
    async def written(name: str, size: int) -> None:
        naive = NaiveGraph()
        async with opened(bolt.graph(batch=5), name) as graph:
            for number in range(size):
                for one in (graph, naive):
                    one.put_node(Node(number, (name,), "Object", START))
                    one.put_edge(edge(number, number, number // 2))
                if number % 3 == 0:
                    await same(graph, naive, lambda one: one.around([0], 2, past=False))
            await same(graph, naive, lambda one: one.as_of(day(1)))

    async with asyncio.TaskGroup() as tasks:
        for number in range(8):
            tasks.create_task(written(f"{NAME}-{number}", 12 + number))


async def test_reads_at_once_send_what_is_queued_once(bolt: Bolt) -> None:
    async with opened(bolt.graph(batch=2)) as graph:
        put_nodes(graph, 5)
        for number in range(5):
            graph.put_edge(edge(number, 0, number))
        found = await asyncio.gather(*(graph.leaving(0) for _ in range(4)), graph.around([4], 1, past=False))
        assert found == [[0, 1, 2, 3, 4]] * 4 + [[4]]


async def same(graph: PropertyGraph, naive: PropertyGraph, read: Callable[[PropertyGraph], Awaitable[Any]]) -> None:
    assert await read(graph) == await read(naive)
