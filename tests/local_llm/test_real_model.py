"""The whole LLM path against a real small model on loopback: extraction, tool calls, answers, verdicts.

Run by `make local-llm`. Its answers are poor; what counts is that every part of the path works for real.
"""

import importlib.util
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.local_llm

MODEL = os.environ.get("MEMLAB_LOCAL_LLM", "0.5b")
FEW = ("dataset.conversations=[mini-1]", "dataset.sessions=1", "dataset.limit_questions=2")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of a llama.cpp server; skipped where its parts are not at hand."""
    tools = Path(os.environ.get("MEMLAB_TOOLS", Path(__file__).parents[3] / "shared" / "tools"))
    script = tools / "local_llm.py"
    if not script.is_file():
        pytest.skip(f"no {script}; set MEMLAB_TOOLS")
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("needs xllamacpp: pip install -r tests/local_llm/requirements.txt")
    fetched = subprocess.run([sys.executable, str(script), "fetch", MODEL], capture_output=True, text=True, check=False)
    if fetched.returncode:
        pytest.skip(f"the model {MODEL} cannot be had here: {fetched.stderr.strip()[-200:]}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(script), "serve", MODEL, "--port", str(port), "--threads", "1"]
    log = (tmp_path_factory.mktemp("server") / "log").open("w")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline().startswith("ready"), Path(log.name).read_text()[-500:]
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()


def run(server: str, folder: Path, *keys: str) -> dict[str, Any]:
    """Run mem0 against the server; return the run's records by file, and its JSON files."""
    command = [sys.executable, "-m", "memlab", "profile=server", "system=mem0", f"llm.base_url={server}", *FEW, *keys]
    done = subprocess.run([*command, f"runs={folder}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    [path] = folder.glob("adhoc/*")
    lines = {file.stem: [json.loads(line) for line in file.read_text().splitlines()] for file in path.glob("*.jsonl")}
    return lines | {file.stem: json.loads(file.read_text()) for file in path.glob("*.json")}


def test_the_whole_path_works_and_replays_without_the_server(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "cache"))
    found = run(server, tmp_path / "runs")
    phases = found["summary"]["phases"]
    assert found["manifest"]["status"] == "complete", found["summary"]["failures"]
    assert {"extract", "update", "answer", "judge"} <= set(phases)
    for phase in ("extract", "update", "answer", "judge"):
        assert phases[phase]["calls"] > 0, f"{phase} asked nothing"
        assert phases[phase]["prompt_tokens"] > 0
        assert phases[phase]["estimated"] == 0, "the server says its usage"
        assert phases[phase]["failed"] == 0
    assert found["memories"], "nothing was extracted"
    assert all(memory["sources"] for memory in found["memories"])
    assert all(answer["answer"] for answer in found["answers"])
    assert any(verdict["correct"] is not None for verdict in found["verdicts"])

    again = run(server, tmp_path / "again", "cache=only")
    for name in ("ingest", "memories", "answers", "verdicts", "scores"):
        assert timeless(again[name]) == timeless(found[name]), f"{name} differs when replayed"


GRAPH = (
    *("system=mem0g_graph_only", "extractor.reply=listed", "extractor.messages=8", "updater.ask=schema", "m=0"),
    *("entities@question_entities=spacy", "answerer=extractive", "judge=none"),
)
"""Triples alone, by few calls: a graph takes two for each window, and one for each triple that has rivals."""


def test_a_graph_is_extracted_and_searched(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMLAB_CACHE", str(tmp_path / "cache"))
    found = run(server, tmp_path / "runs", *GRAPH)
    assert found["manifest"]["status"] == "complete", found["summary"]["failures"]
    nodes = [line for line in found["graph"] if line["type"] == "node"]
    edges = [line for line in found["graph"] if line["type"] == "edge"]
    assert len(edges) == len(found["memories"]) >= 3, "hardly a triple was extracted"
    assert {edge[end] for edge in edges for end in ("source", "target")} <= {node["number"] for node in nodes}
    assert {"Greta", "Anna"} & {name for node in nodes for name in node["names"]}, "nobody who speaks is in the graph"
    assert all(memory["content"]["type"] == "triple" and memory["sources"] for memory in found["memories"])
    assert any(answer["shown"] for answer in found["answers"]), "no edge was found for any question"


def timeless(value: Any) -> Any:
    """Return records without what differs between a run and its replay."""
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if k != "replayed" and not k.endswith("seconds")}
    return [timeless(one) for one in value] if isinstance(value, list) else value
