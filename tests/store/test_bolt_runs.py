"""Whole runs with the graph on a server that speaks Bolt: the records of a run with the graph in memory."""

from pathlib import Path

import pytest

from memlab.explain import explained
from memlab.records import LINES, RunFolder
from tests.store.bolt import Bolt, asked
from tests.test_run import records, run

pytestmark = pytest.mark.xdist_group("bolt")

SMALL = ("dataset.conversations=[mini-1]", "dataset.limit_questions=6", "dataset.sessions=2")
HYBRID = ("system=mem0g", *SMALL)
PER_SPEAKER = ("system=mem0g_graph_only", "perspective=per_speaker", *SMALL)


def on(bolt: Bolt) -> list[str]:
    """Return the settings that say where a server is."""
    database = "null" if bolt.database is None else bolt.database
    where = {"uri": bolt.uri, "user": bolt.user, "password_env": bolt.password_env, "database": database}
    return [f"store.graph.{name}={value}" for name, value in where.items()]


async def spaces(bolt: Bolt, folder: RunFolder) -> dict[str, tuple[int, int]]:
    """Return how many nodes and edges a server holds of each store of a run."""
    query = (
        "MATCH (n:Entity) WHERE n.space STARTS WITH $key OPTIONAL MATCH (n)-[r:RELATION]->() "
        "RETURN n.space, count(DISTINCT n), count(r)"
    )
    return {space: (nodes, edges) for space, nodes, edges in await asked(bolt, query, key=folder.path.name)}


@pytest.mark.parametrize(
    ("system", "chosen"), [(HYBRID, "graph@store.graph=neo4j"), (PER_SPEAKER, "store=neo4j")], ids=["hybrid", "graph"]
)
async def test_a_run_over_bolt_has_the_records_of_one_in_memory_also_when_it_was_cut(
    bolt: Bolt, tmp_path: Path, system: tuple[str, ...], chosen: str
) -> None:
    import asyncio

    def ran(*overrides: str) -> RunFolder:
        return run(tmp_path, *system, *overrides)

    here = await asyncio.to_thread(ran)
    there = await asyncio.to_thread(ran, chosen, *on(bolt))
    assert there.path != here.path
    assert records(there) == records(here)
    for name in ("memories", "graph"):
        assert there.file(name).read_bytes() == here.file(name).read_bytes()
    assert all("channels" in record for record in there.read("answers"))
    held = await spaces(bolt, there)
    nodes = [record for record in there.read("graph") if record["type"] == "node"]
    assert sum(count for count, _ in held.values()) == len(nodes) > 10
    for name in LINES:
        file = there.file(name)
        if file.exists():
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert await asyncio.to_thread(ran, chosen, *on(bolt)) == there
    assert records(there) == records(here)
    assert await spaces(bolt, there) == held, "the resumed run left something of the one before"


def test_a_server_that_is_down_is_named_before_anything_is_recorded(nowhere: Bolt, tmp_path: Path) -> None:
    with pytest.raises(BaseException) as stopped:  # noqa: PT011 - of one failure, or of a group of them
        run(tmp_path, *HYBRID, "graph@store.graph=neo4j", *on(nowhere), "store.graph.timeout_seconds=1")
    told = explained(stopped.value, [])
    assert told is not None
    assert nowhere.uri in told
    assert "check that a server runs at store.graph.uri, or use graph@store.graph=networkx" in told
    assert "the same command goes on from here" in told
