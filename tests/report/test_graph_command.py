from pathlib import Path

import pytest

from memlab.commands.graph import file_name, main
from memlab.records import RecordError
from tests.report.graph_runs import small, write_run


def test_first_conversation_is_written_and_the_others_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(tmp_path, [("conv-26", None, small()), ("conv-30", None, small())])
    main([str(tmp_path)])
    said = capsys.readouterr()
    assert said.out.split() == [str(tmp_path / "graph-conv-26.html"), str(tmp_path / "graph-conv-26.graphml")]
    assert "--all: conv-30" in said.err
    assert sorted(path.name for path in tmp_path.glob("graph-*")) == ["graph-conv-26.graphml", "graph-conv-26.html"]


def test_named_conversation_and_all_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path, [("conv-26", None, small()), ("conv-30", None, small())])
    main([str(tmp_path), "conv-30"])
    assert [path.name for path in tmp_path.glob("graph-*.html")] == ["graph-conv-30.html"]
    main([str(tmp_path), "--all"])
    assert len(list(tmp_path.glob("graph-*"))) == 4
    assert capsys.readouterr().err == ""


def test_stores_of_two_speakers_are_one_page_and_two_graphml_files(tmp_path: Path) -> None:
    write_run(tmp_path, [("c", "Mira", small()), ("c", "Toma", small())])
    main([str(tmp_path)])
    assert sorted(path.name for path in tmp_path.glob("graph-*")) == [
        "graph-c-Mira.graphml",
        "graph-c-Toma.graphml",
        "graph-c.html",
    ]


def test_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    write_run(tmp_path, [("c", None, small())])
    written = []
    for _ in range(2):
        main([str(tmp_path)])
        written.append([path.read_bytes() for path in sorted(tmp_path.glob("graph-*"))])
    assert written[0] == written[1]


def test_study_stands_for_its_one_run_with_a_graph(tmp_path: Path) -> None:
    for name in ("dense", "mem0g"):
        write_run(tmp_path / name, [("c", None, small())], graph=name == "mem0g")
        (tmp_path / name / "summary.json").write_text('{"schema": 1}')
    main([str(tmp_path)])
    assert (tmp_path / "mem0g" / "graph-c.html").exists()
    write_run(tmp_path / "dense", [("c", None, small())])
    with pytest.raises(RecordError, match="several runs with a graph; give one"):
        main([str(tmp_path)])


def test_no_run_is_told_apart_from_no_graph(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no run at"):
        main([str(tmp_path / "nowhere")])
    write_run(tmp_path, [("c", None, small())], graph=False)
    with pytest.raises(RecordError, match="no graph in"):
        main([str(tmp_path)])


def test_conversation_and_all_exclude_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path), "c", "--all"])
    assert "not both" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["../../etc/x", "a b", "é", "\ud800", "x" * 500, "", "CON:"])
def test_any_id_is_a_file_name_of_its_own(name: str) -> None:
    found = file_name(name)
    assert len(found) < 120
    assert found.isascii()
    assert not set(found) & set('/\\:*?"<>| ')
    assert found != file_name(name + "?")


def printed(tmp_path: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    write_run(tmp_path, [("c", None, small())])
    main([str(tmp_path), *arguments])
    assert not list(tmp_path.glob("graph-*"))
    return [line.split("\t")[2] for line in capsys.readouterr().out.splitlines()]


def test_edges_as_of_a_day_are_those_said_by_then_and_not_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(tmp_path, capsys, "--as-of", "2023-03-03") == []
    assert printed(tmp_path, capsys, "--as-of", "2023-03-04") == ["Mira lives in Oslo", "Toma knows Mira"]
    assert printed(tmp_path, capsys, "--as-of", "2023-03-04T10:00") == []
    homes = [words for words in printed(tmp_path, capsys, "--as-of", "2023-03-18") if "lives" in words]
    assert homes == ["Mira lives in Rome (18 March 2023)"]


def test_edges_of_an_entity_are_all_it_ever_had_under_any_of_its_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(printed(tmp_path, capsys, "--entity", "mira lund")) == 4
    assert printed(tmp_path, capsys, "--entity", "Oslo", "--as-of", "2024-01-01") == []
    main([str(tmp_path), "--entity", "Oslo"])
    assert capsys.readouterr().out == "4 March 2023\tuntil 18 March 2023\tMira lives in Oslo\tD1:1\n"


def test_an_unknown_entity_and_a_word_that_is_no_date_are_named(tmp_path: Path) -> None:
    write_run(tmp_path, [("c", None, small())])
    with pytest.raises(RecordError, match="no entity 'Mirra'; did you mean 'Mira'"):
        main([str(tmp_path), "--entity", "Mirra"])
    with pytest.raises(RecordError, match="'soon' is no date"):
        main([str(tmp_path), "--as-of", "soon"])
