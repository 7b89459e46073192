"""The scores of a published predictions file as a table, raw and without the questions whose gold is wrong."""

from pathlib import Path

from memlab.dialogue import CATEGORIES, CATEGORY_NAMES, SCORED_CATEGORIES
from memlab.report.comparison import SCHEMES_NOTE
from memlab.report.rows import number
from memlab.report.table import Table
from memlab.score.published import FileScores, Scores

HEADINGS = ("category", "n", "F1", "BLEU-1", "J", "without\nverdict", "failed")
CORRECTED = ("n with\nright gold", "F1", "BLEU-1", "J", "ceiling\nof J")


def scored(file: Path, scores: FileScores, corrected: FileScores | None = None) -> Table:
    """Return a row a category and one for categories 1-4 together."""
    shown: list[int | None] = [c for c in CATEGORIES if scores.categories[c].n or scores.categories[c].failed]
    shown.append(None)
    rows = []
    for category in shown:
        cells = (named(category), *values(of(scores, category)))
        rows.append(cells if corrected is None else (*cells, *more(of(scores, category), of(corrected, category))))
    if scores.uncategorised.n:
        blank = () if corrected is None else ("-",) * len(CORRECTED)
        rows.append(("no category", *values(scores.uncategorised), *blank))
    headings = HEADINGS if corrected is None else (*HEADINGS, *CORRECTED)
    told = f"{scores.rows:,} rows of {len(scores.conversations) or '?'} conversations"
    title = f"{file.name} (format {scores.format}): {told}"
    return Table(title, headings, tuple(rows), (*notes(scores, corrected), SCHEMES_NOTE))


def named(category: int | None) -> str:
    """Return a category by number and both names."""
    if category is None:
        return "1-4 overall"
    return f"{category} {CATEGORY_NAMES['locomo'][category - 1]} ({CATEGORY_NAMES['paper'][category - 1]})"


def of(scores: FileScores, category: int | None) -> Scores:
    """Return the scores of a category, or of all scored ones."""
    return scores.overall if category is None else scores.categories[category]


def values(scores: Scores) -> tuple[str, ...]:
    """Return the numbers of one row."""
    found = (number(value, 4) for value in (scores.f1, scores.bleu1, scores.j))
    return (number(scores.n, 0), *found, str(scores.unlabelled), str(scores.failed))


def more(raw: Scores, right: Scores) -> tuple[str, ...]:
    """Return what is left of a row's numbers without wrong golds, and what share of its golds is right."""
    found = (number(value, 4) for value in (right.f1, right.bleu1, right.j))
    asked = raw.n + raw.failed
    return number(right.n, 0), *found, number((right.n + right.failed) / asked if asked else None, 4)


def notes(scores: FileScores, corrected: FileScores | None) -> tuple[str, ...]:
    """Return how the numbers compare with those in the file, and what looks odd about its rows."""
    lines = [
        f"{metric} computed again for {compared.rows:,} rows that publish it: "
        f"largest difference {compared.largest_difference:.1e}."
        for metric, compared in scores.comparisons.items()
    ]
    if scores.repeated:
        lines.append(f"{scores.repeated} rows ask a question of their conversation again with the same gold.")
    lines.append("J: mean over rows of the mean of a row's judge labels; rows without a verdict are in no J.")
    if corrected is not None:
        lines.append(
            f"To the right: without the {scores.rows - corrected.rows} rows whose gold is wrong by the list given. "
            "Ceiling: the share of rows with a right gold; a J above it is paid for wrong ones."
        )
        above = [c for c in (*SCORED_CATEGORIES, None) if beats(of(scores, c), of(corrected, c))]
        if above:
            lines.append(f"Warning: J is above the ceiling in: {', '.join(map(named, above))}.")
    return tuple(lines)


def beats(raw: Scores, right: Scores) -> bool:
    """Return whether a J is higher than the share of golds that are right."""
    asked = raw.n + raw.failed
    return raw.j is not None and raw.j > (right.n + right.failed) / asked
