"""`python -m memlab report RUNS...`: tables of finished runs, figures, and a page with all that they hold."""

import argparse
import sys
from pathlib import Path

from memlab.report.comparison import PER_CATEGORY, reported, write_page
from memlab.report.folders import run_folders
from memlab.report.table import FORMATS, output
from memlab.report.wrong_golds import wrong_golds_table

PAGE = "report.html"


def main(arguments: list[str]) -> None:
    """Print tables of the runs that the arguments name; write their page, and their figures when asked."""
    parser = argparse.ArgumentParser(prog="python -m memlab report", description=__doc__)
    parser.add_argument(
        "runs",
        nargs="+",
        type=Path,
        metavar="RUN",
        help="a run's folder, or a study's: the runs of its last comparison (all of them when there was none)",
    )
    parser.add_argument("--format", choices=["terminal", *FORMATS], default="terminal")
    parser.add_argument(
        "--metric", action="append", help=f"shown per category; may be repeated (default: {', '.join(PER_CATEGORY)})"
    )
    parser.add_argument("--all", action="store_true", help="of a study's folder, all finished runs")
    parser.add_argument("--figures", type=Path, metavar="FOLDER", help="write every figure as SVG and PDF")
    parser.add_argument(
        "--errors", type=Path, metavar="FILE", help="questions whose gold is wrong; values with and without them"
    )
    page = parser.add_mutually_exclusive_group()
    page.add_argument(
        "--html", type=Path, metavar="FILE", help=f"the page (default: {PAGE} in the folder, of one given)"
    )
    page.add_argument("--no-html", action="store_true", help="write no page")
    chosen = parser.parse_args(arguments)
    folders = run_folders(chosen.runs, everything=chosen.all)
    if (left_out := len(run_folders(chosen.runs, everything=True)) - len(folders)) > 0:
        words = f"the last comparison's {len(folders)} runs; --all shows the {left_out} other finished ones, too"
        print(words, file=sys.stderr)
    found = reported(folders, chosen.metric or PER_CATEGORY)
    if chosen.errors is not None:
        found.tables.append(wrong_golds_table(folders, found.runs, chosen.errors))
    if chosen.format == "terminal":
        console = output()
        for table in found.tables:
            table.show(console)
    else:
        print("\n".join(FORMATS[chosen.format](table) for table in found.tables), end="")
    if chosen.figures is not None:
        from memlab.report.figures.every import every_figure
        from memlab.report.figures.figure import save

        for drawn in every_figure(found.runs):
            for path in save(drawn, chosen.figures):
                print(path, file=sys.stderr)
    file = chosen.html or (chosen.runs[0] / PAGE if len(chosen.runs) == 1 else None)
    if file is not None and not chosen.no_html:
        write_page(file, chosen.runs[0].name, found)
        print(f"page: {file}", file=sys.stderr)
