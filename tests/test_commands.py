"""The command line as a user meets it: verbs, studies, mistakes."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from memlab.__main__ import main
from memlab.records import RunFolder
from memlab.report.comparison import tables

ROOT = Path(__file__).parents[1]


def call(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "memlab", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def refused(*arguments: str, cwd: Path = ROOT) -> str:
    """What a mistake is answered with; it ends with 2 or 1 and without a traceback."""
    done = call("embedder=hash", *arguments, cwd=cwd)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished study of three systems."""
    runs = tmp_path_factory.mktemp("runs")
    done = call("experiment=smoke", f"runs={runs}")
    assert done.returncode == 0, done.stderr
    return runs / "smoke"


def test_an_experiment_runs_all_its_jobs_and_compares_them(study: Path) -> None:
    compared = json.loads((study / "comparison.json").read_text())
    assert [run["choices"]["system"] for run in compared["runs"]] == ["mem0", "verbatim_bm25", "no_memory"]
    for run in compared["runs"]:
        assert (RunFolder(study / run["key"]).read_json("manifest") or {})["status"] == "complete"
    assert "| mem0" in (study / "comparison.md").read_text()


@pytest.mark.parametrize(("style", "mark"), [("markdown", "| system"), ("csv", "system,"), ("latex", "\\toprule")])
def test_report_prints_a_study_in_every_format(
    study: Path, style: str, mark: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["memlab", "report", str(study), "--format", style])
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr().out
    assert ended.value.code == 0
    assert mark in printed
    assert "verbatim" in printed


def test_runs_of_an_older_memlab_can_be_reported(study: Path, tmp_path: Path) -> None:
    run = next(path for path in study.iterdir() if path.is_dir())
    older, unjudged = (shutil.copytree(run, tmp_path / name) for name in ("older", "unjudged"))
    summary = json.loads((run / "summary.json").read_text())
    (unjudged / "summary.json").write_text(json.dumps({**summary, "judges": {}}))
    summary, manifest = (json.loads((older / f"{name}.json").read_text()) for name in ("summary", "manifest"))
    for key in ("status", "failures", "judges", "phases"):
        del summary[key]
    del summary["questions"]["not_asked"], manifest["prices"]
    for key in ("expected_windows", "failed_windows", "completeness", "write_p50_seconds", "write_p95_seconds"):
        del summary["ingest"][key]
    (older / "summary.json").write_text(json.dumps(summary))
    (older / "manifest.json").write_text(json.dumps(manifest))
    assert [table.rows for table in tables([older])] == [table.rows for table in tables([unjudged])]


def test_report_of_one_run_and_of_none(study: Path, tmp_path: Path) -> None:
    run = next(path for path in study.iterdir() if path.is_dir())
    assert call("report", str(run)).returncode == 0
    nothing = call("report", str(tmp_path / "nowhere"))
    assert nothing.returncode == 2
    assert "no run at" in nothing.stderr


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        ("retriever=nearst", "did you mean 'nearest'?"),
        ("retriver=nearest", "did you mean 'retriever'?"),
        ("retriever.topk=5", "did you mean 'retriever.top_k'?"),
        ("+retriever.topk=5", "did you mean 'top_k'?"),
        ("+concurency=5", "no key 'concurency'; did you mean 'concurrency'?"),
        ("m=many", "m is 'many'"),
        ("experiment=retreival", "did you mean 'retrieval'?"),
        ("dataset=locomo", "python -m memlab data locomo"),
        ("dataset.conversations=[mini-9]", "mini-9"),
        ("embedder=openai", "OPENAI_API_KEY"),
        ("extractor._target_=no.such.Class", "cannot import 'no.such.Class'"),
        ("m=1,2", "--multirun"),
    ],
)
def test_a_mistake_gets_its_message(mistake: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert words in refused(mistake, f"runs={tmp_path / 'runs'}")
    assert not (tmp_path / "runs").exists(), "something ran"


def test_a_sweep_with_a_faulty_job_is_refused_before_any_job_runs(tmp_path: Path) -> None:
    said = refused("-m", "m=5,-1", f"runs={tmp_path / 'runs'}")
    assert "m=-1 is too small" in said
    assert not (tmp_path / "runs").exists()


def test_an_unwritable_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "choose another: runs=FOLDER" in refused(f"runs={tmp_path / 'file'}")


def test_a_wrong_verb_is_named() -> None:
    done = call("reprot", "runs")
    assert done.returncode == 1
    assert "verbs: report, rejudge, score, audit, data, operations, doctor" in done.stderr


def test_help_lists_every_verb_and_system() -> None:
    printed = call("--help").stdout
    for word in ("report", "doctor", "mem0", "verbatim_fused", "rag_grid"):
        assert word in printed


def test_doctor_says_what_can_run_here() -> None:
    done = call("doctor")
    assert done.returncode == 0
    assert "profile=local" in done.stdout
    assert "python -m memlab data locomo" in done.stdout


def test_score_prints_the_categories_of_a_published_file(shared_data: Path) -> None:
    done = call("score", str(shared_data / "predictions" / "zep_grades.json"), "--format", "json")
    assert json.loads(done.stdout)["overall"]["n"] == 1109
    missing = call("score", "nowhere.json")
    assert missing.returncode == 2
    assert "no file at nowhere.json" in missing.stderr


MY_UPDATER = '''
from collections.abc import Sequence

from memlab.memory import Add, Decision, Noop
from memlab.update.updater import Proposal, Updater


class FirstWins(Updater):
    """Keeps what was said first: a candidate that is close to a memory is dropped."""

    def __init__(self, *, near: float) -> None:
        self.near = near

    async def decide(self, proposals: Sequence[Proposal]) -> list[Decision]:
        return [Decision((self.operation(proposal),)) for proposal in proposals]

    def operation(self, proposal: Proposal) -> Add | Noop:
        close = [hit for hit in proposal.related if hit.score >= self.near]
        return Noop(close[0].memory.id, proposal.candidate.sources) if close else Add(proposal.candidate)
'''
MY_CONF = "# Keeps what was said first.\n_target_: mylab.updates.FirstWins\nnear: 0.5\n"


def test_a_strategy_in_a_package_of_ones_own_works_by_its_import_path(tmp_path: Path) -> None:
    (tmp_path / "mylab").mkdir()
    (tmp_path / "mylab" / "updates.py").write_text(MY_UPDATER)
    (tmp_path / "myconf" / "updater").mkdir(parents=True)
    (tmp_path / "myconf" / "updater" / "first_wins.yaml").write_text(MY_CONF)
    small = ("embedder=hash", "dataset.conversations=[mini-1]", "dataset.limit_questions=3")
    by_option = call("--config-dir", "myconf", *small, "updater=first_wins", "runs=a", cwd=tmp_path)
    assert by_option.returncode == 0, by_option.stderr
    by_target = call(
        *small,
        "updater=append",
        "updater._target_=mylab.updates.FirstWins",
        "+updater.near=0.5",
        "runs=b",
        cwd=tmp_path,
    )
    assert by_target.returncode == 0, by_target.stderr
    [first], [second] = (list((tmp_path / runs / "adhoc").glob("*/summary.json")) for runs in "ab")
    assert first.parent.name == second.parent.name
    assert json.loads(first.read_text())["ingest"]["operations"]["noop"] > 0
    names = [json.loads((one.parent / "manifest.json").read_text())["choices"]["updater"] for one in (first, second)]
    assert names == ["first_wins", "FirstWins"], "a class of one's own is not called by the option it started from"
    wrong = call("--config-dir", "myconf", *small, "updater=first_wins", "updater.near=close", cwd=tmp_path)
    assert "setting 'near' is 'close'" in wrong.stderr


def test_an_installed_wheel_brings_its_configs_and_data(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, check=True, capture_output=True, cwd=ROOT)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    for needed in ("conf/config.yaml", "assets/cl100k_base.tiktoken.gz", "extract/rewrite/english.toml", "py.typed"):
        assert f"memlab/{needed}" in names
    code = "import memlab.conf_files as c; print(c.conf_folder())"
    site = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=site, cwd=tmp_path
    )
    assert found.stdout.strip() == str(tmp_path / "site" / "memlab" / "conf")
