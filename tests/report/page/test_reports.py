"""What else a report says of two runs on disk: few scores read fast, wrong golds, disclosures, figures as files."""

import json
import shutil
from pathlib import Path

import pytest

from memlab.commands.report import main
from memlab.records import RecordError, RunFolder
from memlab.report.comparison import Questions, every_table, reported
from memlab.report.disclosures import disclosures, listed
from memlab.report.folders import finished
from memlab.report.page.page import page
from memlab.report.scores import scores_looked_at
from memlab.report.wrong_golds import wrong_golds_table


def test_chosen_scores_are_those_of_the_file_however_it_is_written(folders: list[Path], tmp_path: Path) -> None:
    every = RunFolder(folders[0]).read("scores")
    chosen = [one for one in every if one["metric"] in ("f1", "evidence_recall")]
    assert scores_looked_at(RunFolder(folders[0]), ("f1", "evidence_recall")) == chosen
    tight = RunFolder(tmp_path)
    lines = [json.dumps(one, separators=(",", ":")) for one in every]
    tight.file("scores").write_text("\n".join(lines) + '\n{"metric": "f1", "val')
    assert scores_looked_at(tight, ("f1", "evidence_recall")) == chosen
    tight.file("scores").write_text("\n".join(lines[:3]) + '\n{"metric": "f1", "val\n')
    with pytest.raises(RecordError, match=r"scores\.jsonl:4"):
        scores_looked_at(tight)
    assert scores_looked_at(RunFolder(tmp_path / "nothing")) == []


def test_values_without_the_questions_whose_gold_is_wrong(folders: list[Path], tmp_path: Path) -> None:
    own = tmp_path / "run"
    shutil.copytree(folders[0], own)
    file = RunFolder(own).file("scores")
    file.write_text(file.read_text().replace("mini-", "conv-4"))  # lists of wrong golds are of LoCoMo
    scores = [one for one in RunFolder(own).read("scores") if one["metric"] == "f1" and one["value"] is not None]
    scores = [one for one in scores if one["category"] < 5]
    wrong = [one["id"] for one in scores if one["value"] > 0][:2]
    right = [one["value"] for one in scores if one["id"] not in wrong]
    names = tmp_path / "wrong.json"
    names.write_text(json.dumps(wrong))
    manifest, summary = finished(own)
    summary["metrics"]["judge_strict"] = {"overall": {"n": len(scores), "value": 1.0, "interval": None}}
    found = wrong_golds_table([own], [(manifest, summary)], names)
    raw, corrected = (found.headings.index(f"F1\n{kind}") for kind in ("raw", "right golds"))
    assert found.rows[0][corrected].startswith(f"{sum(right) / len(right):.3f}")
    assert found.rows[0][raw].startswith(f"{sum(one['value'] for one in scores) / len(scores):.3f}")
    assert f"n={len(scores)} questions, 2 of them with a wrong gold" in found.notes[1]
    assert found.notes[2].startswith("Warning: x: J strict 100.0% is above the ceiling of ")
    names.write_text(json.dumps(["conv-99/q1"]))
    assert wrong_golds_table([own], [finished(own)], names).notes[1].startswith("Warning: no question")


def test_disclosures_say_which_run_had_what(folders: list[Path]) -> None:
    run, left_open, setup = disclosures([finished(folder) for folder in folders])
    assert [row[-1] for row in run.rows] == [folder.name for folder in folders]
    assert {row[0]: row[1] for row in left_open.rows}["retriever.top_k"] == "null"
    told = {row[0]: row[1] for row in setup.rows}
    assert told["dataset sha256"] == finished(folders[0])[0]["dataset"]["sha256"]
    assert told["tokens"].startswith("cl100k_base, tiktoken ")
    assert told["attempts"] == "1 at every question, 12 of 12 on record"
    own = [{"s": "1"}, {"s": "2"}, {"s": "1", "t": "3"}, {"s": "1"}]
    assert listed("", "abcd", own, "").rows == (("s", "1 (all others); 2 (b)"), ("t", "3 (c)"))


def test_one_run_has_a_page_in_its_folder_and_figures_where_they_are_asked_for(
    folders: list[Path], tmp_path: Path, undrawn: None, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / folders[0].name
    shutil.copytree(folders[0], own)
    main([str(own), "--figures", str(tmp_path / "figures")])
    text = (own / "report.html").read_text()
    assert "1 run on mini: 12 questions about 2 conversations" in text
    assert "lead over the next" not in text
    written = {path.suffix for path in (tmp_path / "figures").iterdir()}
    assert written == {".svg", ".pdf"}
    main([*map(str, folders), "--format", "csv"])
    main([*map(str, folders), "--html", str(tmp_path / "both.html"), "--format", "csv"])
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([own.name, "both.html", "figures"])
    assert capsys.readouterr().err.count("page: ") == 2


def test_runs_of_the_paper_experiment_stand_beside_its_rows(folders: list[Path]) -> None:
    found = reported(folders)
    for manifest, _ in found.runs:
        manifest["dataset"]["name"] = "locomo"
        manifest["choices"]["system"] = "mem0_paper"
    plain = every_table(found.runs, Questions([], {}, None), ("f1",))
    assert not any("paper's table" in table.caption for table in plain)
    found.runs[0][0]["choices"]["experiment"] = "paper"
    beside = every_table(found.runs, Questions([], {}, None), ("f1",))
    assert any(table.caption.startswith("Beside the paper's table 2") for table in beside)


def test_runs_on_different_data_are_not_ranked(folders: list[Path], undrawn: None) -> None:
    found = reported(folders)
    found.runs[1][0]["dataset"]["sha256"] = "0" * 64
    text = page("two", found.folders, found.runs, found.tables, found.scores)
    assert "nothing is the best here" in text
    assert "These runs are on different data: turns are shown by their ids." in text
