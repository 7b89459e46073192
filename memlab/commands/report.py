"""`python -m memlab report RUNS...`: tables of finished runs."""

import argparse
import sys
from pathlib import Path

from memlab.report.comparison import PER_CATEGORY, finished, run_folders, tables
from memlab.report.confusion_figure import draw, faults
from memlab.report.operations import matrices
from memlab.report.table import FORMATS, output
from memlab.settings import ConfigError


def main(arguments: list[str]) -> None:
    """Print tables of the runs that the arguments name."""
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
    parser.add_argument(
        "--figure",
        type=Path,
        metavar="FILE",
        help="draw the confusion of operations, of runs with gold: .svg, .pdf, .png",
    )
    chosen = parser.parse_args(arguments)
    if chosen.figure is not None and (wrong := faults(chosen.figure)):
        raise ConfigError(wrong)
    folders = run_folders(chosen.runs, everything=chosen.all)
    if (left_out := len(run_folders(chosen.runs, everything=True)) - len(folders)) > 0:
        words = f"the last comparison's {len(folders)} runs; --all shows the {left_out} other finished ones, too"
        print(words, file=sys.stderr)
    found = tables(folders, chosen.metric or PER_CATEGORY)
    if chosen.format == "terminal":
        console = output()
        for table in found:
            table.show(console)
    else:
        print("\n".join(FORMATS[chosen.format](table) for table in found), end="")
    if chosen.figure is not None:
        draw(matrices([finished(folder) for folder in folders]), chosen.figure)
