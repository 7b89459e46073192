"""Runs that a trained judge judges: old ones too, and each training in a run of its own, wherever it lies."""

import json
import random
import shutil
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from rich.console import Console

from memlab.commands.rejudge import main as rejudge
from memlab.commands.train import main as train
from memlab.conf_files import conf_folder
from memlab.records import RunFolder
from memlab.run_key import content_sha256
from memlab.study import run_job
from tests.train.judging.test_train_judge import line

SMALL = (
    *("embedder=hash", "dataset.conversations=[mini-1]", "dataset.limit_questions=6"),
    *("extractor=verbatim", "updater=append"),
)


def trained(folder: Path, seed: int) -> str:
    file = folder.parent / "pairs.jsonl"
    dice = random.Random(1)
    file.write_text("".join(json.dumps(line(n, dice)) + "\n" for n in range(48)))
    shutil.rmtree(folder, ignore_errors=True)
    train(["judge", str(file), "embedder=hash", "epochs=1", "heads=1", "hidden=4", f"seed={seed}", f"output={folder}"])
    return f"judge.weights={folder}"


def test_an_old_run_is_judged_by_weights_and_by_other_weights_in_their_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        old = run_job(compose("config", [*SMALL, "judge=none", f"runs={tmp_path}"]), {}, Console(quiet=True))
    own = ["judge=local", "embedder@judge.embedder=hash", "judge.probes=1"]
    weights = trained(tmp_path / "judge", seed=1)
    rejudge([str(old), *own, weights])
    assert "judge=local calls correct" in " ".join(capsys.readouterr().out.split())
    [new] = [folder for folder in old.parent.iterdir() if folder != old]
    verdicts = [verdict for verdict in RunFolder(new).read("verdicts") if verdict["probe"] is None]
    golds = [answer for answer in RunFolder(old).read("answers") if answer["gold"] is not None]
    assert len(verdicts) == len(golds) > 3
    assert all(verdict["correct"] is (verdict["probability"] > 0.5) for verdict in verdicts)
    assert all(verdict["spent"]["calls"] == 0 for verdict in verdicts)
    summary = json.loads((new / "summary.json").read_text())
    assert set(summary["judges"]["local"]) >= {"corrected", "card", "j", "probes"}
    manifest = json.loads((new / "manifest.json").read_text())
    assert manifest["judge"] == json.loads((tmp_path / "judge" / "card.json").read_text())
    assert manifest["model_files"] == {"judge.weights": content_sha256(tmp_path / "judge")}
    trained(tmp_path / "judge", seed=2)
    content_sha256.cache_clear()  # as a new process would
    rejudge([str(new), *own, weights])
    [other] = [folder for folder in old.parent.iterdir() if folder not in (old, new)]
    told = json.loads((other / "manifest.json").read_text())
    assert told["judge"]["key"] != manifest["judge"]["key"]
    assert told["model_files"] == {"judge.weights": content_sha256(tmp_path / "judge")} != manifest["model_files"]
