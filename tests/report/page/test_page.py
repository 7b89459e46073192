"""report.html: whole, its own, the same again, and readable in a browser."""

import base64
import gzip
import html
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memlab.records import RunFolder
from memlab.report.comparison import reported, write_page
from memlab.report.page.page import SCRIPTS, text_of
from tests.report.browser import Browser, browser, chromium

TITLE = "two <runs> \ud800"


@pytest.fixture(scope="module")
def page(folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "report.html"
    write_page(file, TITLE, reported(folders))
    return file


def block(page: str, name: str) -> Any:
    found = re.search(f'id="data-{name}">([^<]*)<', page)
    assert found
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_equal_runs_give_equal_pages(folders: list[Path], page: Path, tmp_path: Path) -> None:
    write_page(tmp_path / "again.html", TITLE, reported(folders))
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_the_page_asks_nothing_of_any_network_and_runs_its_own_scripts_alone(page: Path) -> None:
    text = html.unescape(page.read_text())
    assert "default-src 'none'" in text
    assert text.count("'sha256-") == text.count("<script>") == len(SCRIPTS)
    assert not any("</script" in text_of(name) for name in SCRIPTS)
    assert "alert" not in text
    assert not re.findall(r'\b(?:src|href)="(?!#)', text)
    assert "<h1>two &lt;runs&gt; ?</h1>" in page.read_text()


def test_the_data_are_those_of_the_records(folders: list[Path], page: Path) -> None:
    text = page.read_text()
    index = block(text, "index")
    answers = RunFolder(folders[0]).read("answers")
    assert [question[0] for question in index["questions"]] == [record["id"] for record in answers]
    for place, conversation in enumerate(index["conversations"]):
        rows, memories = block(text, f"answers-0-{place}"), block(text, f"memories-0-{place}")
        expected = [record for record in answers if record["conversation"] == conversation]
        assert [row[3] for row in rows] == [record["answer"] for record in expected]
        for row, record in zip(rows, expected, strict=True):
            assert [memories[number][0] for number in row[10][0]][:5] == [id_ for id_, _ in record["hits"][:5]]
        turns = {turn[0] for turn in block(text, f"turns-{place}")}
        assert all(turns.issuperset(memory[2]) for memory in memories)
    shared = [name for name in index["memories"][1].values() if name.startswith("memories-0-")]
    assert shared, "equal blocks are held once"
    assert not any(f'id="data-{name.replace("-0-", "-1-")}"' in text for name in shared)


def test_findings_name_the_best_run_and_how_sure_its_lead_is(page: Path) -> None:
    text = page.read_text()
    assert "Evidence within 512 tokens" in text
    assert re.search(r"<b>max_tokens=\d+</b><small>0\.\d+", text)
    assert re.search(r'badge (?:sure|unsure)">(?:yes|cannot tell)</b> over max_tokens=\d+', text)
    assert "2 conversations cannot show any difference" in text
    assert "have evidence that max_tokens=40 extracted and did not retrieve" in text


def test_a_dataset_that_is_gone_costs_the_texts_of_turns_alone(
    folders: list[Path], tmp_path: Path, undrawn: None
) -> None:
    found = reported(folders)
    for manifest, _ in found.runs:
        manifest["config"]["dataset"] = {"_target_": "nobody.Knows"}
    write_page(tmp_path / "report.html", "two runs", found)
    text = (tmp_path / "report.html").read_text()
    assert "The dataset cannot be read here, so turns are shown by their ids" in text
    assert 'id="data-turns-0"' not in text
    assert block(text, "memories-0-0")
    assert any("3" in own[3] for own in block(text, "index")["outcomes"][0]), "from the scores alone"


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("no Chromium here")
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def opened(window: Browser, page: Path) -> Browser:
    begun = time.perf_counter()
    window.open(page)
    assert time.perf_counter() - begun < 2
    return window


def test_questions_can_be_looked_through(opened: Browser, page: Path) -> None:
    assert opened.console == []
    assert [one for one in opened.requests if not one.startswith(("file:", "about:"))] == []
    every = opened.value("shown.length")
    assert opened.text("detail").startswith(opened.value("shown[0][3]"))
    opened.set("f-run", "1", "input")
    opened.until("document.getElementById('detail').innerText.includes('evil')")
    assert opened.value("document.querySelectorAll('#detail script').length") == 0
    opened.set("f-lost", "retrieved", "input")
    opened.until(f"shown.length < {every} && shown.length > 0 && location.hash.includes('lost=retrieved')")
    assert "held by a memory, but was not shown" in opened.text("detail")
    opened.value("document.getElementById('list').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }))")
    opened.until("shown.length < 2 || location.hash.includes(encodeURIComponent(shown[1][0]))")
    kept = opened.value("[view.question, ...shown.map(one => one[0])]")
    opened.open(page, opened.value("location.hash").removeprefix("#"))
    assert opened.value("[view.question, ...shown.map(one => one[0])]") == kept
    opened.set("f-versus", "evidence 0", "input")
    opened.until("shown.length === 0")  # a smaller budget shows no more
    assert "No question fits" in opened.text("detail")
    opened.press("#f-reset")
    opened.until(f"shown.length === {every}")
    opened.press(".systems tbody tr:first-child button")
    opened.until("view.run === '0' && document.getElementById('count').innerText.includes('max_tokens=40')")
    assert opened.console == []


def test_a_memory_found_leads_to_its_history(opened: Browser) -> None:
    assert "of them retired" in opened.text("t-count")
    id_ = opened.value("document.querySelector('.hits a').innerText").removeprefix("history of ")
    opened.press(".hits a")
    opened.until("document.getElementById('t-list').children.length === 2")
    assert opened.text("t-list").split("\n")[2].startswith(f"{id_} · made ")
    opened.press("#t-reset")
    opened.set("t-kind", "all", "input")
    opened.until("document.getElementById('t-list').children.length > 10")
    assert opened.value("location.hash") == "#m?kind=all"
    opened.press("#findings blockquote a")
    opened.until("view.lost === 'retrieved' && document.getElementById('f-lost').value === 'retrieved'")
    assert opened.console == []
