"""The HTML page of a conversation's graph: one file that asks nothing of any network."""

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from importlib.resources import files
from string import Template

from memlab.records import Record
from memlab.report.graph.drawn import drawn
from memlab.report.graph.graphml import legal
from memlab.report.graph.held import HeldGraph

SCRIPTS = ("cytoscape.min.js", "graph.js", "names.js", "side.js", "state.js")
FOLDER = files("memlab.report.graph") / "page_files"


def page(graphs: Sequence[HeldGraph], manifest: Record) -> str:
    """Return the page of the graphs of one conversation; equal graphs give equal bytes.

    All that was said is data, never markup: it stands in JSON without `<`, and the page's policy lets no script run but
    the page's own, known by their hashes, and lets nothing be fetched.
    """
    scripts = [text_of(name) for name in SCRIPTS]
    hashes = " ".join(f"'sha256-{sha256(script)}'" for script in scripts)
    return Template(text_of("page.html")).substitute(
        title=html.escape(legal(graphs[0].conversation)),
        policy=f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src {hashes}",
        style=text_of("page.css"),
        data=json.dumps(drawn(graphs, manifest), separators=(",", ":")).replace("<", "\\u003c"),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def text_of(name: str) -> str:
    """Return one of the page's files."""
    return (FOLDER / name).read_text(encoding="utf-8")


def sha256(script: str) -> str:
    """Return the hash by which a page's policy names a script."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
