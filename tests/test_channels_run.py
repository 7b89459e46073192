"""A run with a fused search, end to end: records, scores, summary and comparison tell its channels apart."""

import json
from pathlib import Path

import pytest
from rich.console import Console

from memlab.records import RunFolder
from memlab.report.comparison import tables, write_comparison
from memlab.score.evidence import RANKS
from tests.test_run import records, run

FUSED = ("extractor=verbatim", "updater=append", "retriever=fused", "max_tokens=150")


@pytest.fixture(scope="module")
def fused(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return run(tmp_path_factory.mktemp("runs"), *FUSED)


def test_every_answer_tells_what_each_channel_would_show(fused: RunFolder) -> None:
    for record in fused.read("answers"):
        assert set(record["channels"]) == {"nearest", "bm25"}
        for channel in record["channels"].values():
            assert channel["context_tokens"] <= 150
            assert channel["shown"] <= len(channel["hits"]) <= max(channel["shown"], *RANKS)
            assert channel["search_seconds"] <= record["search_seconds"]
        assert {id_ for id_, _ in record["hits"][:3]} <= {
            id_ for channel in record["channels"].values() for id_, _ in channel["hits"]
        }


def test_a_channel_alone_is_what_a_run_of_it_alone_shows(fused: RunFolder, tmp_path: Path) -> None:
    alone = run(tmp_path, *FUSED, "retriever=bm25")
    for record, channels in zip(alone.read("answers"), fused.read("answers"), strict=True):
        own = channels["channels"]["bm25"]
        assert (own["shown"], own["context_tokens"]) == (record["shown"], record["context_tokens"])
        assert own["hits"][: own["shown"]] == record["hits"][: own["shown"]]
    summary, of_fused = alone.read_json("summary") or {}, fused.read_json("summary") or {}
    assert of_fused["metrics"]["evidence_recall[bm25]"] == summary["metrics"]["evidence_recall"]
    assert summary["channels"] == {}


def test_the_summary_has_a_row_for_each_channel(fused: RunFolder) -> None:
    found = (fused.read_json("summary") or {})["channels"]
    assert list(found) == ["nearest", "bm25"]
    for name, channel in found.items():
        assert channel["alone"]["overall"]["value"] <= channel["whole"]["overall"]["value"]
        assert channel["evidence_recall"]["overall"]["n"] > 0
        assert 0 < channel["context_tokens"] <= 150, name


def test_two_stores_have_one_ranking_a_channel(tmp_path: Path) -> None:
    folder = run(tmp_path, *FUSED, "perspective=per_speaker", "dataset.conversations=[mini-1]")
    known = {record["id"] for record in folder.read("memories")}
    for record in folder.read("answers"):
        ids = [id_ for id_, _ in record["channels"]["nearest"]["hits"]]
        assert set(ids) <= known
        assert len({id_.split(":")[0] for id_ in ids}) == 2
        assert record["channels"]["nearest"]["context_tokens"] <= 150


def test_a_run_whose_scores_were_lost_gets_its_channels_back(fused: RunFolder) -> None:
    before = records(fused)
    fused.file("scores").unlink()
    assert records(run(fused.path.parent.parent, *FUSED)) == before


def test_a_study_is_compared_by_channel_and_by_what_each_system_alone_shows(fused: RunFolder) -> None:
    other = run(fused.path.parent.parent, *FUSED, "retriever=recent")
    manifest = other.read_json("manifest") or {}
    (other.path / "manifest.json").write_text(json.dumps({**manifest, "choices": {"system": "recent"}}))
    write_comparison([fused.path, other.path], Console(quiet=True))
    study = fused.path.parent
    text = (study / "comparison.md").read_text()
    assert "Channels: categories 1-4" in text
    assert " bm25 |" in text
    assert "Shown by one system alone" in text
    first, second = json.loads((study / "comparison.json").read_text())["runs"]
    assert list(first["channels"]) == ["nearest", "bm25"]
    assert second["channels"] == {}
    assert first["alone"]["n"] == second["alone"]["n"] > 0
    assert first["alone"]["alone"] > second["alone"]["alone"]


def test_a_run_alone_has_no_table_across_systems(fused: RunFolder) -> None:
    captions = [table.caption.split(":")[0] for table in tables([fused.path])]
    assert "Channels" in captions
    assert "Shown by one system alone" not in captions
