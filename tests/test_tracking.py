"""An offline W&B run is read back from disk."""

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import wandb

from memlab.records import RunFolder
from memlab.tracking import WandB, scalars
from tests.test_run import run

BLOCK = 1 << 15
FILE_HEADER, PIECE_HEADER = 7, 7
FULL, LAST = 1, 4


def logged(content: bytes) -> Iterator[bytes]:
    """The records of a LevelDB log after W&B's file header: pieces with (crc32, length, type), none across blocks."""
    place, record = FILE_HEADER, b""
    while place + PIECE_HEADER < len(content):
        if BLOCK - place % BLOCK < PIECE_HEADER:
            place += BLOCK - place % BLOCK
            continue
        _crc, length, kind = struct.unpack_from("<IHB", content, place)
        record += content[place + PIECE_HEADER : place + PIECE_HEADER + length]
        place += PIECE_HEADER + length
        if kind in (FULL, LAST):
            yield record
            record = b""


def read_back(file: Path) -> dict[str, Any]:
    """What a .wandb file holds: the run's header, its config, the last history row, the names of artifacts."""
    from wandb.proto import wandb_internal_pb2

    found: dict[str, Any] = {"config": {}, "history": {}, "artifacts": []}
    for data in logged(file.read_bytes()):
        record = wandb_internal_pb2.Record()
        record.ParseFromString(data)
        match record.WhichOneof("record_type"):
            case "run":
                found["group"], found["id"] = record.run.run_group, record.run.run_id
                found["config"] |= {item.key: json.loads(item.value_json) for item in record.run.config.update}
            case "history":
                for item in record.history.item:
                    found["history"][item.key or "/".join(item.nested_key)] = json.loads(item.value_json)
            case "request" if record.request.HasField("log_artifact"):
                found["artifacts"].append(record.request.log_artifact.artifact.name)
            case "artifact":
                found["artifacts"].append(record.artifact.name)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("WANDB_API_KEY", raising=False)
        finished = run(tmp_path_factory.mktemp("runs"), "tracker=wandb")
    wandb.teardown()  # its service writes the last records in its own time
    return finished


def test_an_offline_run_holds_config_metrics_table_and_artifact(folder: RunFolder) -> None:
    [file] = folder.path.parent.glob("wandb/offline-run-*/*.wandb")
    found = read_back(file)
    summary = folder.read_json("summary") or {}
    assert found["group"] == "adhoc"
    assert found["id"] == folder.path.name
    assert found["config"]["m"] == 10
    assert found["history"]["f1/overall"] == pytest.approx(summary["metrics"]["f1"]["overall"]["value"])
    assert found["history"]["latency/search_p95_seconds"] == pytest.approx(summary["latency"]["search_p95_seconds"])
    assert found["history"]["tokens/context_tokens"] > 0
    assert found["history"]["questions/nrows"] == 12
    assert f"run-{folder.path.name}" in found["artifacts"]


def test_online_without_a_key_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    [fault] = WandB(project="memlab", entity=None, mode="online").missing()
    assert "WANDB_API_KEY" in fault
    assert "tracker.mode=offline" in fault


def test_verdicts_and_phases_are_among_the_scalars() -> None:
    summary = {
        "metrics": {"f1": {"overall": {"value": 0.5}}},
        "judges": {"strict": {"j": {"overall": {"value": 40.0}, "2": {"value": None}}}},
        "phases": {"extract": {"model": "small", "calls": 7, "usd": None}, "total": {"calls": 9}},
        **{part: {} for part in ("tokens", "latency", "ingest", "questions")},
    }
    assert scalars(summary) == {"f1/overall": 0.5, "j/strict/overall": 40.0, "extract/calls": 7, "total/calls": 9}
