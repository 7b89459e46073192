"""report.html: one file that asks nothing of any network."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from memlab.dialogue import CATEGORY_NAMES, Conversation, Turn
from memlab.records import Record, RunFolder
from memlab.report.disclosures import disclosures
from memlab.report.figures.every import every_figure
from memlab.report.figures.figure import svg
from memlab.report.figures.series import named_series
from memlab.report.page.held import MOST_HITS, STAGES, blocks
from memlab.report.page.packed import packed
from memlab.report.page.said import conversations_of
from memlab.report.page.told import CAVEAT, findings
from memlab.report.rows import Run
from memlab.report.table import Table
from memlab.summary.summary import latest

FOLDER = files("memlab.report.page") / "page_files"
SCRIPTS = ("data.js", "questions.js", "timeline.js", "start.js")
MOST_WARNINGS = 12


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
    _, series = named_series(runs)
    template = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return template.from_string(text_of("report.html.j2")).render(
        title=title,
        policy=f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src {hashes}",
        style=Markup(text_of("report.css")),
        scripts=[Markup(script) for script in scripts],
        findings=findings(runs, scores),
        caveat=CAVEAT,
        runs=[(one.label, folder.name) for one, folder in zip(series, folders, strict=True)],
        asked=runs[0][1]["questions"]["asked"],
        conversations=runs[0][0]["dataset"]["conversations"],
        dataset=" and ".join(dict.fromkeys(manifest["dataset"]["name"] for manifest, _ in runs)),
        warnings=list(dict.fromkeys(n for table in tables for n in table.notes if n.startswith("Warning")))[
            :MOST_WARNINGS
        ],
        tables=tables,
        figures=[(drawn, Markup(svg(drawn))) for drawn in every_figure(runs)],
        disclosures=disclosures(runs),
        lacking=lacking,
        blocks=[Markup(block) for block in data(folders, [one.label for one in series], scores, conversations)],
    )


def data(
    folders: Sequence[Path],
    names: Sequence[str],
    scores: Sequence[Sequence[Record]],
    conversations: Mapping[str, Conversation],
) -> list[str]:
    """Return the data of the failure browser and the timeline as script elements: an index, then block by block."""
    evidence = {q.id: q.evidence for one in conversations.values() for q in one.questions}
    found: list[dict[str, str]] = []
    asked: dict[str, Record] = {}
    for folder, values in zip(folders, scores, strict=True):
        answered = latest(RunFolder(folder).read("answers"))
        own = blocks(RunFolder(folder), answered, values, evidence)
        found.append({conversation: packed(block) for conversation, block in own.items()})
        for record in answered:
            asked.setdefault(record["id"], record)
    ids = list(dict.fromkeys(record["conversation"] for record in asked.values()))
    index = {
        "runs": names,
        "conversations": ids,
        "questions": [
            [r["id"], ids.index(r["conversation"]), r["category"], r["question"], r["gold"], evidence.get(r["id"], ())]
            for r in asked.values()
        ],
        "categories": {scheme: list(own) for scheme, own in CATEGORY_NAMES.items()},
        "stages": STAGES,
        "most": MOST_HITS,
    }
    return [
        element("index", packed(index)),
        *(
            element(f"turns-{ids.index(id_)}", packed([turn_row(turn) for turn in one.turns]))
            for id_, one in conversations.items()
            if id_ in ids
        ),
        *(
            element(f"run-{number}-{ids.index(id_)}", block)
            for number, own in enumerate(found)
            for id_, block in own.items()
            if id_ in ids
        ),
    ]


def turn_row(turn: Turn) -> list[str]:
    """Return a turn: id, speaker, text, when it was said, what its image shows."""
    return [turn.id, turn.speaker, turn.text, turn.said_at.strftime("%Y-%m-%d %H:%M"), turn.caption or ""]


def element(name: str, block: str) -> str:
    """Return a block of data as an element that no browser runs."""
    return f'<script type="application/octet-stream" id="data-{name}">{block}</script>'


def text_of(name: str) -> str:
    """Return one of the page's files."""
    return (FOLDER / name).read_text(encoding="utf-8")


def sha256(script: str) -> str:
    """Return the hash by which a page's policy names a script."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
