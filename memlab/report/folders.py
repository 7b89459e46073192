"""Finished runs on disk: which folders are meant, and what is in them."""

from collections.abc import Sequence
from pathlib import Path

from memlab.records import Record, RecordError, RunFolder, parsed
from memlab.report.rows import Run


def finished(folder: Path) -> Run:
    """Return manifest and summary of a run; raises RecordError when it is not a finished run's folder."""
    run = RunFolder(folder)
    manifest, summary = run.read_json("manifest"), run.read_json("summary")
    if not (manifest and summary and "choices" in manifest and "metrics" in summary):
        raise RecordError(
            f"{folder} holds no finished run; give folders like runs/<experiment>/<key>, or finish the run"
        )
    return with_all_keys(manifest, summary)


def with_all_keys(manifest: Record, summary: Record) -> Run:
    """Return the records of a run, completed by what an older memlab did not record."""
    nothing = {"calls": 0, "usd": 0.0, "replayed": 0}
    ingest = {"expected_windows": summary["ingest"]["windows"], "failed_windows": 0, "write_p95_seconds": None}
    known = {
        **summary,
        "questions": {"not_asked": 0} | summary["questions"],
        "ingest": ingest | summary["ingest"],
    }
    return (
        {"prices": {"date": "-", "models": {}}} | manifest,
        {
            "status": manifest["status"],
            "judges": {},
            "phases": {"total": nothing},
            "channels": {},
            "graph": None,
            "operations": None,
        }
        | known,
    )


def run_folders(paths: Sequence[Path], *, everything: bool = False) -> list[Path]:
    """Return the run folders that paths name; a study's folder stands for its last comparison's runs, or for all."""
    found: list[Path] = []
    for path in paths:
        compared = path / "comparison.json"
        if (path / "manifest.json").exists():
            found.append(path)
        elif compared.exists() and not everything:
            rows = parsed(compared.read_bytes(), str(compared)).get("runs", [])
            found += [path / row["key"] for row in rows]
        elif path.is_dir() and (inside := sorted(run.parent for run in path.glob("*/summary.json"))):
            found += inside
        else:
            raise RecordError(
                f"no run at {path}; give a run's folder (runs/<experiment>/<key>) or a study's (runs/<experiment>)"
            )
    return list(dict.fromkeys(found))
