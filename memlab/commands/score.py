"""`python -m memlab score FILE`: F1, BLEU-1 and J per category of a published predictions file."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from memlab.audit.known_errors import marked, read_errors
from memlab.audit.predictions import without_rows
from memlab.report.scored import scored
from memlab.report.table import FORMATS, output
from memlab.score.prediction_files import read_predictions
from memlab.score.published import score_published


def main(arguments: list[str]) -> None:
    """Print the scores of the file that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m memlab score", description=__doc__)
    parser.add_argument("file", type=Path, help="in the format of Mem0, Memobase, Zep, MIRIX or one of their kin")
    parser.add_argument("--cutoff", help="which of the cut-offs to score, in a file that answers at several")
    parser.add_argument("--errors", type=Path, metavar="FILE", help=ERRORS_HELP)
    parser.add_argument("--format", choices=["terminal", "json", *FORMATS], default="terminal")
    chosen = parser.parse_args(arguments)
    if not chosen.file.is_file():
        parser.error(f"no file at {chosen.file}")
    published = read_predictions(chosen.file, chosen.cutoff)
    if chosen.cutoff and not published.has_cutoffs:
        parser.error(NO_CUTOFFS.format(chosen.cutoff))
    scores, corrected = score_published(published), None
    if chosen.errors is not None:
        corrected = score_published(without_rows(published, marked(read_errors(chosen.errors), published.predictions)))
    if chosen.format == "json":
        more = {} if corrected is None else {"without_wrong_golds": asdict(corrected)}
        print(json.dumps({**asdict(scores), **more}, indent=2))
    elif chosen.format == "terminal":
        scored(chosen.file, scores, corrected).show(output())
    else:
        print(FORMATS[chosen.format](scored(chosen.file, scores, corrected)), end="")


NO_CUTOFFS = "--cutoff {}: no file here answers at several cut-offs; leave it out"
ERRORS_HELP = (
    "questions whose gold is wrong, to score without: a JSON list of objects with question_id (locomo_0_qa3, "
    "conv-26/q3), question, golden_answer and error_type (WRONG_CITATION: the gold is right), or ids alone, one a line"
)
