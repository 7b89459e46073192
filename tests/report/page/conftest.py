"""Finished runs that pages are made of."""

import json
from pathlib import Path

import pytest

from tests.test_run import run

LOUD = '</script><script>alert("x")</script> \ud83d\ude00 \u202eevil \ud800'


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two finished runs; a memory and an answer of the second are hostile."""
    made = tmp_path_factory.mktemp("runs")
    found = [run(made, "extractor=verbatim", "updater=append", f"max_tokens={tokens}") for tokens in (40, 120)]
    for name, change in {"memories": ("content", {"type": "fact", "text": LOUD}), "answers": ("answer", LOUD)}.items():
        records = found[1].read(name)
        records[0][change[0]] = change[1]
        found[1].file(name).write_text("".join(json.dumps(record) + "\n" for record in records))
    return [folder.path for folder in found]


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the figures, which take longest, where they are not looked at."""
    monkeypatch.setattr("memlab.report.page.page.every_figure", lambda runs: [])
