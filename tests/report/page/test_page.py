"""report.html: whole, its own, the same again, and readable in a browser."""

import base64
import gzip
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memlab.records import RunFolder
from memlab.report.comparison import reported, write_page
from memlab.report.page.page import SCRIPTS, text_of
from tests.report.browser import Browser, browser, chromium
from tests.test_run import run

LOUD = '</script><script>alert("x")</script> \ud83d\ude00 \u202eevil \ud800'
WRITTEN_ANEW = ("memories", "answers")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two finished runs; a memory and an answer of the second are hostile."""
    made = tmp_path_factory.mktemp("runs")
    found = [run(made, "extractor=verbatim", "updater=append", f"max_tokens={tokens}") for tokens in (40, 120)]
    for name, change in {"memories": ("content", {"type": "fact", "text": LOUD}), "answers": ("answer", LOUD)}.items():
        records = found[1].read(name)
        records[0][change[0]] = change[1]
        found[1].file(name).write_text("".join(json.dumps(record) + "\n" for record in records))
    return [folder.path for folder in found]


@pytest.fixture(scope="module")
def page(folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "report.html"
    write_page(file, "two runs", reported(folders))
    return file


def block(page: str, name: str) -> Any:
    found = re.search(f'id="data-{name}">([^<]*)<', page)
    assert found
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_equal_runs_give_equal_pages(folders: list[Path], page: Path, tmp_path: Path) -> None:
    write_page(tmp_path / "again.html", "two runs", reported(folders))
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_the_page_asks_nothing_of_any_network_and_runs_its_own_scripts_alone(page: Path) -> None:
    text = html.unescape(page.read_text())
    assert "default-src 'none'" in text
    assert text.count("'sha256-") == text.count("<script>") == len(SCRIPTS)
    assert not any("</script" in text_of(name) for name in SCRIPTS)
    assert "alert" not in text
    assert not re.findall(r'\b(?:src|href)="(?!#)', text)


def test_the_data_are_those_of_the_records(folders: list[Path], page: Path) -> None:
    text = page.read_text()
    index = block(text, "index")
    answers = RunFolder(folders[0]).read("answers")
    assert [question[0] for question in index["questions"]] == [record["id"] for record in answers]
    for place, conversation in enumerate(index["conversations"]):
        own = block(text, f"run-0-{place}")
        expected = [record for record in answers if record["conversation"] == conversation]
        assert [row[3] for row in own["answers"]] == [record["answer"] for record in expected]
        for row, record in zip(own["answers"], expected, strict=True):
            assert [own["memories"][hit[0]][0] for hit in row[9]][:5] == [id_ for id_, _ in record["hits"][:5]]
        turns = {turn[0] for turn in block(text, f"turns-{place}")}
        assert all(turns.issuperset(memory[2]) for memory in own["memories"])


def test_findings_name_the_best_run_and_how_sure_its_lead_is(page: Path) -> None:
    text = page.read_text()
    assert "Evidence within 512 tokens" in text
    assert re.search(r"max_tokens=\d+ 0\.\d+, max_tokens=\d+ 0\.\d+", text)
    assert "nothing can be told" in text or "cannot tell" in text or "is higher" in text


def test_a_dataset_that_is_gone_costs_the_texts_of_turns_alone(folders: list[Path], tmp_path: Path) -> None:
    found = reported(folders)
    for manifest, _ in found.runs:
        manifest["config"]["dataset"] = {"_target_": "nobody.Knows"}
    write_page(tmp_path / "report.html", "two runs", found)
    text = (tmp_path / "report.html").read_text()
    assert "The dataset cannot be read here, so turns are shown by their ids" in text
    assert 'id="data-turns-0"' not in text
    assert block(text, "run-0-0")["memories"]


@pytest.fixture
def opened(page: Path, tmp_path: Path) -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("no Chromium here")
    with browser(tmp_path / "profile") as found:
        found.open(page)
        yield found


def test_questions_and_memories_can_be_looked_through(opened: Browser, page: Path) -> None:
    assert opened.console == []
    assert [one for one in opened.requests if not one.startswith(("file:", "about:"))] == []
    every = opened.value("shown.length")
    assert opened.text("detail").startswith(opened.value("shown[0][3]"))
    opened.set("f-run", "1", "input")
    opened.until("document.getElementById('detail').innerText.includes('evil')")
    assert opened.value("document.querySelectorAll('#detail script').length") == 0
    opened.set("f-lost", "retrieved", "input")
    opened.until(f"shown.length < {every} && shown.length > 0")
    assert "lost=retrieved" in opened.value("location.hash")
    kept = opened.value("shown.map(one => one[0])")
    opened.open(page, opened.value("location.hash").removeprefix("#"))
    assert opened.value("shown.map(one => one[0])") == kept
    opened.set("f-text", "no such words anywhere", "input")
    opened.until("shown.length === 0")
    assert "No question fits" in opened.text("detail")
    assert opened.text("t-count").startswith("0 of ")
    opened.set("t-kind", "all", "input")
    opened.until("document.getElementById('t-list').children.length > 10")
    assert opened.console == []
