"""Runs whose graph can be out of reach: no failure is an empty result, and the same command mends it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hydra import compose, initialize_config_dir
from rich.console import Console

from memlab.conf_files import conf_folder
from memlab.explain import explained
from memlab.part import PartFailed
from memlab.preview import show_previews
from memlab.records import RunFolder
from memlab.store.networkx_graph import NetworkxGraph
from tests.test_run import records, run

GRAPH = ("system=mem0g_graph_only", "dataset.conversations=[mini-1]", "dataset.limit_questions=8", "dataset.sessions=2")
DOWN = "bolt://here failed: it is down; nothing is lost; check that a server runs at store.graph.uri"


class Flaky(NetworkxGraph):
    """Behaves for so many reads, `left`, and then fails so many, `fails`."""

    left: ClassVar[int] = 0
    fails: ClassVar[int] = 0
    reads: ClassVar[int] = 0

    def _read(self) -> None:
        Flaky.reads += 1
        Flaky.left -= 1
        if Flaky.left < 0 and Flaky.fails > 0:
            Flaky.fails -= 1
            raise PartFailed(DOWN)

    async def leaving(self, node: int) -> list[int]:
        self._read()
        return await super().leaving(node)

    async def around(self, nodes: Sequence[int], hops: int, *, past: bool) -> list[int]:
        self._read()
        return await super().around(nodes, hops, past=past)


FLAKY = (*GRAPH, f"store.graph._target_={Flaky.__module__}.Flaky")


def down(monkeypatch: pytest.MonkeyPatch, *, after: int, reads: int) -> None:
    """Let the graph fail so many reads, after so many."""
    monkeypatch.setattr(Flaky, "left", after)
    monkeypatch.setattr(Flaky, "fails", reads)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, int]:
    """A run that nothing happened to, and how many reads of the graph its windows took."""
    Flaky.reads = 0
    folder = run(tmp_path_factory.mktemp("calm"), *FLAKY)
    anchored = sum(bool(record["channels"]["entity_centric"]["hits"]) for record in folder.read("answers"))
    assert anchored > 2
    return folder, Flaky.reads - anchored


def status(folder: RunFolder) -> Any:
    return (folder.read_json("manifest") or {})["status"]


def test_a_graph_that_is_down_while_a_window_is_ingested_stops_the_run_which_can_be_resumed(
    calm: tuple[RunFolder, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    down(monkeypatch, after=calm[1] // 2, reads=1)
    with pytest.raises(BaseExceptionGroup) as stopped:
        run(tmp_path, *FLAKY)
    told = explained(stopped.value, [])
    assert told is not None
    assert DOWN in told
    [folder] = map(RunFolder, (tmp_path / "adhoc").iterdir())
    assert status(folder) == "stopped"
    done = folder.read("ingest")
    assert 0 < len(done) < len(calm[0].read("ingest"))
    assert all(record["status"] == "done" for record in done)
    assert records(run(tmp_path, *FLAKY)) == records(calm[0])


@pytest.mark.parametrize("policy", ["skip", "evaluate"])
def test_a_window_that_the_graph_failed_is_recorded_as_failed_and_mended_by_the_next_run(
    calm: tuple[RunFolder, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policy: str
) -> None:
    down(monkeypatch, after=calm[1] // 2, reads=1)
    folder = run(tmp_path, *FLAKY, f"on_failed_window={policy}")
    [failed] = [record for record in folder.read("ingest") if record["status"] == "failed"]
    assert failed["reason"] == DOWN
    assert len(failed["operations"]) < len(failed["candidates"])
    assert bool(folder.read("answers")) == (policy == "evaluate")
    assert status(folder) == "incomplete"
    assert records(run(tmp_path, *FLAKY, f"on_failed_window={policy}")) == records(calm[0])


def test_a_question_that_the_graph_failed_is_failed_and_not_without_memories(
    calm: tuple[RunFolder, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    down(monkeypatch, after=calm[1], reads=2)
    folder = run(tmp_path, *FLAKY)
    answers = folder.read("answers")
    failed = [record for record in answers if record["status"] == "failed"]
    assert [(record["failed_at"], record["reason"]) for record in failed] == [("search", DOWN)] * 2
    assert len(answers) > 2
    assert status(folder) == "incomplete"
    recall = [score for score in folder.read("scores") if score["metric"] == "evidence_recall"]
    assert {score["value"] for score in recall if score["id"] in {record["id"] for record in failed}} == {None}
    assert records(run(tmp_path, *FLAKY)) == records(calm[0])


class Unreachable(NetworkxGraph):
    """Stands for a graph on a server, which a preview must leave alone."""

    def missing(self) -> list[str]:
        return ["graph=unreachable needs a server"]

    async def open(self, name: str) -> None:
        raise AssertionError(f"{name!r} was opened")


def test_a_preview_needs_no_graph_server_and_leaves_nothing_on_one() -> None:
    graph = f"store.graph._target_={Unreachable.__module__}.Unreachable"
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        config = compose("config", [*GRAPH, "answerer=llm", "llm=server", "preview=true", graph])
    console = Console(record=True, width=200)
    show_previews([("here", config)], console)
    assert "Lacking before it can run: graph=unreachable needs a server" in console.export_text()
