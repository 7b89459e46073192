"""The audit of a published predictions file: is it complete, whole, of one attempt, and below the ceiling?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from memlab.audit.ceiling import Ceiling, ceiling
from memlab.audit.extent import Extent, called, completeness, extent
from memlab.audit.findings import Finding
from memlab.audit.known_errors import marked, read_errors, shared_ids
from memlab.audit.merged import merged
from memlab.audit.outliers import ALPHA, FEWEST, Scored, Standing, standings
from memlab.dialogue import SCORED_CATEGORIES
from memlab.paper.locomo import sample_id
from memlab.score.overlap import f1
from memlab.score.prediction_files import Prediction, PredictionFile, read_predictions
from memlab.score.published import FileScores, score_published


@dataclass(frozen=True, slots=True)
class PredictionsAudit:
    """A file with what was found. `standings` by metric (J, F1), empty where no row tells its conversation.

    `corrected`: scores without the `wrong` rows whose gold is known to be wrong; None where no list of them was given.
    """

    file: Path
    published: PredictionFile
    meant: Extent
    standings: Mapping[str, Sequence[Standing]]
    scores: FileScores
    corrected: FileScores | None
    wrong: int
    findings: tuple[Finding, ...]


def audit_predictions(file: Path, cutoff: str | None = None, errors: Path | None = None) -> PredictionsAudit:
    """Audit a file; `errors`: a list of wrong golds. Raises the errors of the readers of both."""
    published = read_predictions(file, cutoff)
    rows = published.predictions
    meant = extent(rows)
    wrong = frozenset[int]() if errors is None else marked(read_errors(errors), rows)
    stand = {metric: standings(values, ALPHA / 2) for metric, values in _scored(rows).items() if values}
    scores = score_published(published)
    findings = [*completeness(rows, meant), *_amiss(rows), *_broken(stand, rows), *merged(file, rows)]
    limits = _known_ceilings(rows, wrong) if errors is not None else _ceilings(scores)
    findings += [*_above(scores, limits), *(_credit(rows, wrong) if wrong else ())]
    corrected = None if errors is None else score_published(without_rows(published, wrong))
    return PredictionsAudit(file, published, meant, stand, scores, corrected, len(wrong), tuple(findings))


def without_rows(published: PredictionFile, places: frozenset[int]) -> PredictionFile:
    """Return a file without some of its rows, by position."""
    kept = (row for place, row in enumerate(published.predictions) if place not in places)
    return replace(published, predictions=tuple(kept))


def _scored(rows: Sequence[Prediction]) -> dict[str, list[Scored]]:
    told = [
        (row, sample_id(row.conversation))
        for row in rows
        if row.conversation is not None and row.answer is not None and row.category != 5
    ]
    return {
        "J": [Scored(home, row.category, fmean(row.judgements)) for row, home in told if row.judgements],
        "F1": [Scored(home, row.category, f1(row.gold, row.answer or "")) for row, home in told],
    }


def _amiss(rows: Sequence[Prediction]) -> Iterator[Finding]:
    """Yield rows that no mean should hold, and rows that are missing from one."""
    fifth = [row for row in rows if row.category == 5]
    if verdicts := sum(bool(row.judgements) for row in fifth):
        words = f"{verdicts} rows of category 5 carry verdicts: it has no gold answer and is in no score of the paper's"
        yield Finding("category 5", "rows", words)
    elif fifth:
        words = f"{len(fifth)} rows of category 5, without verdicts; they are in no score here"
        yield Finding("category 5", "rows", words, "note")
    if shared := sorted(shared_ids(rows)):
        words = f"question ids that several questions carry: {len(shared)}, first {shared[0]}; these go by their texts"
        yield Finding("ids", "rows", words)
    scored = [row for row in rows if row.category != 5]
    if failed := sum(row.answer is None for row in scored):
        words = f"{failed} of {len(scored):,} rows failed: in no score here; who counts them as wrong gets a lower one"
        yield Finding("failed", "rows", words)
    if empty := sum(row.answer is not None and not row.answer.strip() for row in scored):
        yield Finding("empty", "rows", f"{empty} of {len(scored):,} answers are empty texts, scored as answers", "note")
    lacking = sum(row.answer is not None and not row.judgements for row in scored)
    if lacking == len(scored):
        yield Finding("unjudged", "rows", "no row carries a verdict: only F1 and BLEU-1 can be checked", "note")
    elif lacking:
        words = f"{lacking} of {len(scored):,} answers carry no verdict and are in no J"
        yield Finding("unjudged", "rows", words)


def _broken(stand: Mapping[str, Sequence[Standing]], rows: Sequence[Prediction]) -> Iterator[Finding]:
    if not stand:
        words = "no row tells its conversation: whether one of them is broken cannot be tested"
        yield Finding("untested", "conversations", words, "note")
    elif (number := max(len(found) for found in stand.values())) < FEWEST:
        words = f"{number} conversations are too few to tell whether one lies far from the others"
        yield Finding("untested", "conversations", words, "note")
    for metric, found in stand.items():
        for one in found:
            if one.flagged:
                side = "above" if one.gap > 0 else "below"
                words = (
                    f"{metric} is {100 * one.value:.1f} over {one.n} questions, {abs(100 * one.gap):.1f} points {side} "
                    f"what the other conversations give (p = {one.p or 0:.1g}): made or judged otherwise, or broken?"
                )
                yield Finding("outlier", called(one.conversation), words)


def _ceilings(scores: FileScores) -> dict[int | None, Ceiling]:
    counts = {category: found.n + found.failed for category, found in scores.categories.items()}
    found = {category: ceiling(category, counts) for category in (None, *SCORED_CATEGORIES)}
    return {category: limit for category, limit in found.items() if limit is not None}


def _known_ceilings(rows: Sequence[Prediction], wrong: frozenset[int]) -> dict[int | None, Ceiling]:
    """Return the ceilings by the list of wrong golds that was given."""
    found: dict[int | None, Ceiling] = {}
    for category in (None, *SCORED_CATEGORIES):
        among = SCORED_CATEGORIES if category is None else (category,)
        chosen = [place for place, row in enumerate(rows) if row.category in among]
        if chosen:
            found[category] = Ceiling(len(wrong.intersection(chosen)), len(chosen), True)
    return found


def _above(scores: FileScores, limits: Mapping[int | None, Ceiling]) -> Iterator[Finding]:
    for category, limit in limits.items():
        j = (scores.overall if category is None else scores.categories[category]).j
        if j is not None and 100 * j > limit.percent:
            where = "overall" if category is None else f"category {category}"
            yield Finding("ceiling", where, f"J {100 * j:.2f} is above the ceiling of right golds, {limit.told}")


def _credit(rows: Sequence[Prediction], wrong: frozenset[int]) -> Iterator[Finding]:
    judged = [fmean(rows[place].judgements) for place in sorted(wrong) if rows[place].judgements]
    if judged:
        words = f"of {len(judged)} answers to questions whose gold is wrong, {fmean(judged):.1%} were judged correct"
        yield Finding("wrong golds", "rows", words, "note")
