"""`python -m memlab graph RUN [conversation]`: the graph that a run holds, as a page to look at and as GraphML."""

import argparse
import hashlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from memlab.records import Record, RecordError, RunFolder, write_whole
from memlab.report.folders import run_folders
from memlab.report.graph.graphml import graphml
from memlab.report.graph.held import HeldGraph, held_graphs, of_conversation
from memlab.report.graph.listed import as_of, lines, moment, of_entity
from memlab.report.graph.page import page

LONGEST = 80
"""Characters of a file's name that come from the data."""


def main(arguments: list[str]) -> None:
    """Write the files of one conversation, or of all, and print their paths; or print the edges that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m memlab graph", description=__doc__)
    parser.add_argument("run", type=Path, metavar="RUN", help="the run's folder")
    parser.add_argument("conversation", nargs="?", help="its id (default: the run's first)")
    parser.add_argument("--all", action="store_true", help="every conversation of the run")
    parser.add_argument("--as-of", metavar="DATE", help="print the edges that held then, and write nothing")
    parser.add_argument("--entity", metavar="NAME", help="print only its edges, ended ones too without --as-of")
    chosen = parser.parse_args(arguments)
    if chosen.all and chosen.conversation is not None:
        parser.error("give a conversation or --all, not both")
    run = one_run(chosen.run)
    graphs = held_graphs(run)
    wanted = list(graphs.values()) if chosen.all else [of_conversation(graphs, chosen.conversation)]
    if chosen.as_of or chosen.entity:
        for graph in (graph for of_one in wanted for graph in of_one):
            edges = graph.edges if chosen.entity is None else of_entity(graph, chosen.entity)
            found = edges if chosen.as_of is None else as_of(edges, moment(chosen.as_of))
            for line in lines(found):
                print(line)
            if not found:
                print("no edge was held then", file=sys.stderr)
        return
    manifest = run.read_json("manifest") or {}
    for of_one in wanted:
        for path in written(run, of_one, manifest):
            print(path)
    if not chosen.all and chosen.conversation is None and len(graphs) > 1:
        _, *others = graphs
        print(f"the run's first conversation; name another, or --all: {', '.join(others)}", file=sys.stderr)


def one_run(path: Path) -> RunFolder:
    """Return the run at a path; of a study, the one run that has a graph. Raises RecordError when it is none."""
    folders = run_folders([path], everything=True)
    found = [RunFolder(folder) for folder in folders]
    if len(found) > 1:
        found = [run for run in found if run.file("graph").exists()] or found[:1]
    if len(found) > 1:
        raise RecordError(
            f"{path} holds several runs with a graph; give one: {', '.join(str(run.path) for run in found)}"
        )
    return found[0]


def written(run: RunFolder, graphs: Sequence[HeldGraph], manifest: Record) -> list[Path]:
    """Write the page of a conversation, and the GraphML of each of its stores; return the paths."""
    files = {run.path / f"graph-{file_name(graphs[0].conversation)}.html": page(graphs, manifest)}
    for graph in graphs:
        name = graph.conversation if graph.owner is None else f"{graph.conversation}-{graph.owner}"
        files[run.path / f"graph-{file_name(name)}.graphml"] = graphml(graph)
    for path, text in files.items():
        write_whole(path, text)
    return list(files)


def file_name(text: str) -> str:
    """Return a text as part of a file's name; what had to be changed gets a hash, so that no two become one."""
    safe = re.sub(r"[^\w.-]", "_", text, flags=re.ASCII)[:LONGEST]
    return safe if safe == text else f"{safe}-{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()[:8]}"
