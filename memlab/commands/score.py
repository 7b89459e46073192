"""`python -m memlab score FILE`: F1, BLEU-1 and J per category of a published predictions file."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from memlab.dialogue import CATEGORIES, CATEGORY_NAMES
from memlab.report.comparison import SCHEMES_NOTE
from memlab.report.rows import number
from memlab.report.table import FORMATS, Table, output
from memlab.score.published import FileScores, Scores, score_file


def main(arguments: list[str]) -> None:
    """Print the scores of the file that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m memlab score", description=__doc__)
    parser.add_argument("file", type=Path, help="in the format of Mem0, Memobase, Zep, MIRIX or one of their kin")
    parser.add_argument("--cutoff", help="which of the cut-offs to score, in a file that answers at several")
    parser.add_argument("--format", choices=["terminal", "json", *FORMATS], default="terminal")
    chosen = parser.parse_args(arguments)
    if not chosen.file.is_file():
        parser.error(f"no file at {chosen.file}")
    scores = score_file(chosen.file, chosen.cutoff)
    if chosen.format == "json":
        print(json.dumps(asdict(scores), indent=2))
    elif chosen.format == "terminal":
        table(chosen.file, scores).show(output())
    else:
        print(FORMATS[chosen.format](table(chosen.file, scores)), end="")


def table(file: Path, scores: FileScores) -> Table:
    """Return a row a category and one for categories 1-4 together."""
    rows = [
        (f"{c} {CATEGORY_NAMES['locomo'][c - 1]} ({CATEGORY_NAMES['paper'][c - 1]})", scores.categories[c])
        for c in CATEGORIES
        if scores.categories[c].n or scores.categories[c].failed
    ]
    rows.append(("1-4 overall", scores.overall))
    if scores.uncategorised.n:
        rows.append(("no category", scores.uncategorised))
    headings = ("category", "n", "F1", "BLEU-1", "J", "without\nverdict", "failed")
    return Table(
        f"{file.name} ({scores.format}): {scores.rows:,} rows of {len(scores.conversations) or '?'} conversations",
        headings,
        tuple((name, *cells(row)) for name, row in rows),
        (*notes(scores), SCHEMES_NOTE),
    )


def cells(scores: Scores) -> tuple[str, ...]:
    """Return the numbers of one row."""
    values = (number(value, 4) for value in (scores.f1, scores.bleu1, scores.j))
    return (f"{scores.n:,}", *values, str(scores.unlabelled), str(scores.failed))


def notes(scores: FileScores) -> tuple[str, ...]:
    """Return how the numbers compare with those in the file, and what looks odd about its rows."""
    lines = [
        f"{metric} computed again for {compared.rows:,} rows that publish it: "
        f"largest difference {compared.largest_difference:.1e}."
        for metric, compared in scores.comparisons.items()
    ]
    if scores.repeated:
        lines.append(f"{scores.repeated} rows ask a question of their conversation again with the same gold.")
    lines.append("J: mean over rows of the mean of a row's judge labels; rows without a verdict are in no J.")
    return tuple(lines)
