"""`python -m memlab compare RUN RUN...`: paired differences between runs and published prediction files."""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from memlab.compare.answers import Answers
from memlab.compare.cells import GROUPS
from memlab.compare.comparison import compared
from memlab.compare.files import read_file
from memlab.compare.matching import completed, only, without
from memlab.compare.runs import read_run
from memlab.report.compared import every_table
from memlab.report.compared_json import as_json
from memlab.report.folders import finished, run_folders
from memlab.report.rows import labels
from memlab.report.table import FORMATS, output


def main(arguments: list[str]) -> None:
    """Print how what the arguments name differs from the first of it, and how sure that is."""
    parser = argparse.ArgumentParser(prog="python -m memlab compare", description=__doc__)
    parser.add_argument(
        "sources",
        nargs="+",
        type=Path,
        metavar="RUN",
        help="a run's folder, a study's (its last comparison's runs), or a published predictions file; the first is "
        "what the others are compared with",
    )
    parser.add_argument(
        "--metric",
        action="append",
        help="may be repeated (default: f1; where both have it J, or the judge's verdicts, and evidence_recall)",
    )
    parser.add_argument(
        "--category",
        action="append",
        choices=list(GROUPS),
        help="only these cells, and only they are corrected for; may be repeated (default: all)",
    )
    parser.add_argument("--all-pairs", action="store_true", help="compare each with each")
    parser.add_argument(
        "--questions", type=natural, default=10, metavar="N", help="of those furthest apart, so many each way"
    )
    parser.add_argument("--ids", metavar="PATTERN", help="only questions with such ids, as '*:now' of synthetic data")
    parser.add_argument("--errors", type=Path, metavar="FILE", help="leave out the questions that it says are wrong")
    parser.add_argument("--cutoff", help="which of the cut-offs to take, in a file that answers at several")
    parser.add_argument("--seed", type=int, default=0, help="of the draws, with more than 14 conversations")
    parser.add_argument("--format", choices=["terminal", "json", *FORMATS], default="terminal")
    chosen = parser.parse_args(arguments)
    sources = completed(read(chosen.sources, chosen.cutoff))
    if chosen.ids is not None:
        sources = [only(source, chosen.ids) for source in sources]
    if chosen.errors is not None:
        from memlab.audit.known_errors import bad_questions

        bad = bad_questions(chosen.errors)
        sources = [without(source, bad) for source in sources]
    groups = [group for group in GROUPS if not chosen.category or group in chosen.category]
    found = compared(sources, chosen.metric, groups, all_pairs=chosen.all_pairs, seed=chosen.seed)
    if chosen.format == "json":
        print(json.dumps(as_json(found, chosen.questions), indent=2))
    elif chosen.format == "terminal":
        for table in every_table(found, chosen.questions):
            table.show(output())
    else:
        print("\n".join(FORMATS[chosen.format](table) for table in every_table(found, chosen.questions)), end="")


def natural(word: str) -> int:
    """Return a number that is not below 0."""
    if (value := int(word)) < 0:
        raise ValueError(word)
    return value


def read(paths: Sequence[Path], cutoff: str | None) -> list[Answers]:
    """Return the answers at some paths, in their order, each under a name of its own."""
    places = dict.fromkeys(place for path in paths for place in ([path] if path.is_file() else run_folders([path])))
    runs = {place: finished(place) for place in places if place.is_dir()}
    told = labels([manifest for manifest, _ in runs.values()])[1] if runs else []
    names = {place: place.stem for place in places} | dict(zip(runs, map(" ".join, told), strict=True))
    twice = Counter(names.values())
    names = {place: name if twice[name] == 1 else f"{name} ({place})" for place, name in names.items()}
    return [
        read_run(place, *runs[place], name=name) if place in runs else read_file(place, cutoff, name=name)
        for place, name in names.items()
    ]
