"""Saved answers judged again: the same answers, another judge, another run folder."""

import json
import shutil
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
from memlab.rejudge import rejudged, with_judge
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


def again(folder: Path, config: DictConfig) -> Path:
    return rejudged(folder, config, {"judge": "by_length"}, Console(quiet=True), own_llm=False)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def manifest_of(folder: Path) -> dict[str, Any]:
    return RunFolder(folder).read_json("manifest") or {}


def lines(folder: Path, name: str) -> list[dict[str, Any]]:
    return [timeless(record) for record in RunFolder(folder).read(name)]


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if not k.endswith("seconds")}
    return [timeless(one) for one in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def unjudged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(composed(tmp_path_factory.mktemp("runs")))


def test_rejudging_gives_the_run_that_this_judge_would_have_given(tmp_path: Path) -> None:
    without = run(composed(tmp_path))
    judge = {"longest": 7, "repeats": 2, "probes": 2}
    found = again(without, composed(tmp_path, **judge))
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
    before = contents(folder)
    again(folder, composed(tmp_path, longest=30))
    assert contents(folder) == before


def test_the_manifest_names_the_new_judge_and_both_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = run(composed(tmp_path, longest=3))
    monkeypatch.setattr("sys.argv", ["memlab", "rejudge", "RUN", "judge=overlap"])
    main([str(folder), "judge=overlap", "judge.threshold=0.5"])
    [found] = [path for path in folder.parent.iterdir() if path != folder]
    old, new = manifest_of(folder), manifest_of(found)
    assert new["choices"] == {**old["choices"], "judge": "overlap"}
    assert new["config"] == {**old["config"], "judge": new["config"]["judge"]}
    assert new["config"]["judge"]["threshold"] == 0.5
    assert new["command"] == old["command"] != new["rejudged_by"]
    assert new["rejudged_by"] == ["memlab", "rejudge", "RUN", "judge=overlap"]


def test_a_model_for_the_judge_is_among_the_choices_the_run_keeps_its_own() -> None:
    old = {"judge": "local", "embedder@judge.embedder": "hash", "llm": "server", "embedder": "minilm"}
    new = {"judge": "llm", "llm": "openai", "embedder": "hash"}
    kept = {"judge": "llm", "llm": "server", "embedder": "minilm"}
    assert with_judge(old, new, own_llm=False) == kept
    assert with_judge(old, new, own_llm=True) == {**kept, "llm@judge.llm": "openai"}


def test_a_run_that_has_this_judge_already_stays_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = run(composed(tmp_path, longest=3))
    keys = ["judge=overlap", "judge.threshold=0.5"]
    main([str(folder), *keys])
    [found] = [path for path in folder.parent.iterdir() if path != folder]
    moved = shutil.copytree(found, tmp_path / "elsewhere" / "moved")
    for source, holder in ((folder, found), (found, found), (moved, moved)):
        before = contents(source), contents(holder)
        capsys.readouterr()
        main([str(source), *keys])
        assert "nothing is judged" in capsys.readouterr().out
        assert (contents(source), contents(holder)) == before
    assert [path.name for path in moved.parent.iterdir()] == ["moved"]
    own = run(composed(tmp_path, longest=4))
    before = contents(own), contents(folder)
    assert again(folder, composed(tmp_path, longest=4)) == own
    assert (contents(own), contents(folder)) == before


def test_an_unfinished_run_of_this_judge_is_left_to_its_own_command(tmp_path: Path) -> None:
    folder, own = run(composed(tmp_path)), run(composed(tmp_path, out="1"))
    before = contents(own)
    for source in (folder, own):
        with pytest.raises(RecordError, match="this very judge, unfinished; go on with it: python -m memlab"):
            again(source, composed(tmp_path, out="1"))
    assert contents(own) == before


@pytest.mark.parametrize(
    ("name", "place", "value", "words"),
    [
        ("manifest", ("config", "llm"), None, "lack config.llm"),
        ("manifest", ("choices",), None, "lack choices"),
        ("summary", ("questions", "not_asked"), None, "lack the summary's not_asked"),
        ("manifest", ("config", "extractor", "_target_"), "memlab.extract.gone.Gone", "memlab.extract.gone.Gone"),
    ],
)
def test_a_run_of_an_older_memlab_is_told(
    name: str, place: tuple[str, ...], value: str | None, words: str, unjudged: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(unjudged, tmp_path / "run")
    record = inner = RunFolder(folder).read_json(name) or {}
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    if value is None:
        del inner[place[-1]]
    (folder / f"{name}.json").write_text(json.dumps(record))
    with pytest.raises(RecordError, match=f"another memlab: .*{words}.* Run it again"):
        main([str(folder), "judge=overlap"])


def test_a_run_that_has_lost_records_is_told(unjudged: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(unjudged, tmp_path / "run")
    (folder / "scores.jsonl").unlink()
    with pytest.raises(RecordError, match=r"lines of scores.jsonl were lost"):
        again(folder, composed(tmp_path, longest=3))


def test_the_decisions_of_a_run_are_kept(tmp_path: Path) -> None:
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        keys = ["dataset=synthetic", "extractor=gold", "updater=oracle", "embedder=hash", f"runs={tmp_path}"]
        folder = run(compose("config", [*keys, "dataset.messages=10"]))
    found = again(folder, composed(tmp_path, longest=3))
    summaries = [RunFolder(path).read_json("summary") or {} for path in (folder, found)]
    assert summaries[0]["operations"] == summaries[1]["operations"] is not None


def test_only_verdicts_that_failed_are_asked_for_again(tmp_path: Path) -> None:
    folder = run(composed(tmp_path))
    first = again(folder, composed(tmp_path, out="1"))
    failed = [verdict for verdict in lines(first, "verdicts") if verdict["status"] == "failed"]
    whole = [verdict for verdict in lines(first, "verdicts") if verdict["status"] != "failed"]
    assert json.loads((first / "manifest.json").read_text())["status"] == ("incomplete" if failed else "complete")
    twice = again(folder, composed(tmp_path, out="1"))
    assert twice == first
    assert [verdict for verdict in lines(twice, "verdicts") if verdict["status"] != "failed"] == whole


def test_a_folder_without_a_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="holds no finished run"):
        again(tmp_path, composed(tmp_path, longest=3))


def test_a_preview_records_no_verdicts(tmp_path: Path) -> None:
    folder = run(composed(tmp_path))
    config = composed(tmp_path, longest=3)
    config.preview = True
    with pytest.raises(ConfigError, match="rejudge has no preview"):
        again(folder, config)
    with pytest.raises(ConfigError, match="records nothing"):
        run(config)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_keys_that_are_no_matter_of_a_judge_are_refused(tmp_path: Path) -> None:
    folder = run(composed(tmp_path))
    with pytest.raises(ConfigError, match="'updater=append' is no matter of a judge"):
        main([str(folder), "updater=append", "judge.repeats=2"])
