"""report.html: one file that asks nothing of any network."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from memlab.dialogue import Conversation
from memlab.records import Record
from memlab.report.disclosures import disclosures
from memlab.report.figures.every import every_figure
from memlab.report.figures.figure import svg
from memlab.report.figures.series import named_series
from memlab.report.page.data import RIGHT, Data, gathered, lost_at_retrieval
from memlab.report.page.packed import packed
from memlab.report.page.said import conversations_of
from memlab.report.page.told import ASKED, CAVEAT, findings
from memlab.report.rows import Run
from memlab.report.table import Table

FOLDER = files("memlab.report.page") / "page_files"
SCRIPTS = ("data.js", "address.js", "questions.js", "question.js", "timeline.js", "start.js")
MOST_WARNINGS = 12
EXAMPLE_OF = ASKED["evidence_recall@1764t"][0]
"""The finding whose best run has its example shown: at the budget that the paper is about."""


def page(
    title: str,
    folders: Sequence[Path],
    runs: Sequence[Run],
    tables: Sequence[Table],
    scores: Sequence[Sequence[Record]],
) -> str:
    """Return the page of some runs with their tables; equal records give equal bytes.

    `scores` are the records of each run's scores.jsonl. All that was said is data, never
    markup: the page unpacks it from base64 and writes it as text, and its policy lets no script run but its own.
    """
    scripts = [text_of(name) for name in SCRIPTS]
    hashes = " ".join(f"'sha256-{sha256(script)}'" for script in scripts)
    conversations, lacking = conversations_of(runs)
    names = [one.label for one in named_series(runs)[1]]
    data = gathered(folders, names, scores, conversations)
    found = findings(runs, scores)
    best = next((one.place for one in found if one.asked == EXAMPLE_OF), 0)
    warnings = [note for table in tables for note in table.notes if note.startswith("Warning")]
    template = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made = template.from_string(text_of("report.html.j2")).render(
        title=title,
        policy=f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src {hashes}",
        style=Markup(text_of("report.css")),
        scripts=[Markup(script) for script in scripts],
        findings=found,
        caveat=CAVEAT,
        example=example_of(data, best, conversations),
        right=RIGHT,
        runs=list(zip(names, (folder.name for folder in folders), runs, strict=True)),
        asked=len(data.index["questions"]),
        conversations=len(data.index["conversations"]),
        dataset=" and ".join(dict.fromkeys(manifest["dataset"]["name"] for manifest, _ in runs)),
        warnings=list(dict.fromkeys(warnings))[:MOST_WARNINGS],
        tables=tables,
        figures=[(drawn, Markup(svg(drawn))) for drawn in every_figure(runs)],
        disclosures=disclosures(runs),
        lacking=lacking,
        blocks=[Markup(element(name, block)) for name, block in {"index": packed(data.index), **data.blocks}.items()],
    )
    # Not all of what people send is Unicode: half a surrogate pair stays in the data, and no file can hold it.
    return made.encode("utf-8", "replace").decode("utf-8")


def example_of(data: Data, run: int, conversations: Mapping[str, Conversation]) -> dict[str, Any] | None:
    """Return a question whose evidence a run held and did not show, with the place in the page that tells all of it."""
    question, count = lost_at_retrieval(data.index, run)
    if not question:
        return None
    id_, conversation, _, text, gold, evidence = question
    one = conversations.get(data.index["conversations"][conversation])
    said = [turn for turn in one.turns if turn.id in evidence] if one else []
    chosen = urlencode({"run": run, "category": "1-4", "lost": "retrieved", "question": id_})
    return {"run": data.index["runs"][run], "count": count, "text": text, "gold": gold, "said": said, "link": chosen}


def element(name: str, block: str) -> str:
    """Return a block of data as an element that no browser runs."""
    return f'<script type="application/octet-stream" id="data-{name}">{block}</script>'


def text_of(name: str) -> str:
    """Return one of the page's files."""
    return (FOLDER / name).read_text(encoding="utf-8")


def sha256(script: str) -> str:
    """Return the hash by which a page's policy names a script."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
