"""A comparison as JSON, answers whole."""

from dataclasses import asdict
from typing import Any

from memlab.compare.cells import Cell
from memlab.compare.comparison import Comparison
from memlab.compare.questions import furthest
from memlab.report.certainty import verdict
from memlab.report.compared import apart_by
from memlab.report.compared_notes import notes


def as_json(found: Comparison, questions: int) -> dict[str, Any]:
    """Return a comparison as JSON holds it; `questions` of each direction and pair."""
    return {
        "schema": 1,
        "seed": found.seed,
        "sources": [
            {
                "name": source.name,
                "source": str(source.source),
                "form": source.form,
                "questions": len(source.rows),
                "failed": source.failed,
                "judge": source.judge,
                "notes": source.notes,
            }
            for source in found.sources
        ],
        "families": [
            {
                "metric": family.metric,
                "cells": sum(map(len, family.cells.values())),
                "pairs": [
                    {**places(found, place), "cells": [flat_cell(cell) for cell in cells]}
                    for place, cells in family.cells.items()
                ],
            }
            for family in found.families
        ],
        "questions": [
            {
                **places(found, place),
                "metric": apart_by(found, place),
                "questions": [asdict(one) for one in furthest(pair, apart_by(found, place), found.groups, questions)],
            }
            for place, pair in enumerate(found.pairs)
        ],
        "notes": list(notes(found)),
    }


def places(found: Comparison, place: int) -> dict[str, Any]:
    """Return which sources a pair is of, and what only one of them asks."""
    first, other = found.places[place]
    pair = found.pairs[place]
    return {
        "first": first,
        "other": other,
        "matched": len(pair.pairs),
        "only_first": len(pair.only_first),
        "only_other": len(pair.only_other),
    }


def flat_cell(cell: Cell) -> dict[str, Any]:
    """Return a cell with its difference's fields beside its own."""
    own = asdict(cell)
    difference = own.pop("difference")
    return {**own, **difference, "verdict": verdict(cell)}
