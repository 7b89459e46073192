"""Saved answers judged again: the same answers, another judge, another run folder."""

import json
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig, open_dict
from rich.console import Console

from memlab.commands.rejudge import main
from memlab.conf_files import conf_folder
from memlab.dialogue import Question
from memlab.judge.judge import Judge, Verdict
from memlab.llm.chat import ChatFailed
from memlab.records import RecordError, RunFolder
from memlab.rejudge import rejudged
from memlab.settings import ConfigError
from memlab.study import run_job

SMALL = ("embedder=hash", "dataset.conversations=[mini-1]", "dataset.limit_questions=6")


class ByLength(Judge):
    """Calls short answers correct; is out for questions whose id ends in a digit that it is told."""

    def __init__(self, *, longest: int, rubrics: list[str], repeats: int, probes: int, out: str | None) -> None:
        self.longest, self.rubrics, self.repeats, self.probes, self.out = longest, tuple(rubrics), repeats, probes, out

    async def judge(self, question: Question, answer: str, rubric: str, sample: int) -> Verdict:
        if self.out and question.id.endswith(self.out):
            raise ChatFailed("retries_exhausted", "the judge is out")
        return Verdict(len(answer) <= self.longest + sample, reply=str(len(answer)))


def composed(runs: Path, **judge: Any) -> DictConfig:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        config = compose("config", [*SMALL, f"runs={runs}"])
    if judge:
        usual = {"longest": 10, "rubrics": ["generous"], "repeats": 1, "probes": 0, "out": None}
        with open_dict(config):
            config.judge = {"_target_": f"{__name__}.ByLength", **usual, **judge}
    return config


def run(config: DictConfig) -> Path:
    return run_job(config, {}, Console(quiet=True))


def lines(folder: Path, name: str) -> list[dict[str, Any]]:
    return [timeless(record) for record in RunFolder(folder).read(name)]


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if not k.endswith("seconds")}
    return [timeless(one) for one in value] if isinstance(value, list) else value


def test_rejudging_gives_the_run_that_this_judge_would_have_given(tmp_path: Path) -> None:
    without = run(composed(tmp_path))
    judge = {"longest": 7, "repeats": 2, "probes": 2}
    found = rejudged(without, composed(tmp_path, **judge), own_llm=False)
    anew = run(composed(tmp_path / "elsewhere", **judge))
    assert found.name == anew.name, "another run key"
    for name in ("answers", "memories", "ingest", "verdicts"):
        assert lines(found, name) == lines(anew, name), f"{name} differs"
    by_metric = [
        sorted(lines(folder, "scores"), key=lambda score: (score["id"], score["metric"])) for folder in (found, anew)
    ]
    assert by_metric[0] == by_metric[1]
    summaries = [json.loads((folder / "summary.json").read_text()) for folder in (found, anew)]
    assert summaries[0]["judges"] == summaries[1]["judges"] != {}
    assert json.loads((found / "manifest.json").read_text())["rejudged_from"] == without.name


def test_the_run_that_is_judged_again_stays_as_it_is(tmp_path: Path) -> None:
    folder = run(composed(tmp_path, longest=3))
    before = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    rejudged(folder, composed(tmp_path, longest=30), own_llm=False)
    assert {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()} == before


def test_only_verdicts_that_failed_are_asked_for_again(tmp_path: Path) -> None:
    folder = run(composed(tmp_path))
    first = rejudged(folder, composed(tmp_path, out="1"), own_llm=False)
    failed = [verdict for verdict in lines(first, "verdicts") if verdict["status"] == "failed"]
    whole = [verdict for verdict in lines(first, "verdicts") if verdict["status"] != "failed"]
    assert json.loads((first / "manifest.json").read_text())["status"] == ("incomplete" if failed else "complete")
    again = rejudged(folder, composed(tmp_path, out="1"), own_llm=False)
    assert again == first
    assert [verdict for verdict in lines(again, "verdicts") if verdict["status"] != "failed"] == whole


def test_a_folder_without_a_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="holds no finished run"):
        rejudged(tmp_path, composed(tmp_path, longest=3), own_llm=False)


def test_a_preview_records_no_verdicts(tmp_path: Path) -> None:
    folder = run(composed(tmp_path))
    config = composed(tmp_path, longest=3)
    config.preview = True
    with pytest.raises(ConfigError, match="rejudge has no preview"):
        rejudged(folder, config, own_llm=False)
    with pytest.raises(ConfigError, match="records nothing"):
        run(config)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_keys_that_are_no_matter_of_a_judge_are_refused(tmp_path: Path) -> None:
    folder = run(composed(tmp_path))
    with pytest.raises(ConfigError, match="'updater=append' is no matter of a judge"):
        main([str(folder), "updater=append", "judge.repeats=2"])
