"""SICK (Marelli et al. 2014): sentence pairs with entailment in both directions, read as operations on a memory."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from memlab.datasets.dataset import DatasetError
from memlab.train.pairs import LabelledPair, Parts
from memlab.update.relation import Relation

LICENCE = "CC BY-NC-SA 3.0"
COLUMNS = ("pair_ID", "sentence_A", "sentence_B", "entailment_AB", "entailment_BA", "SemEval_set")
SETS = ("TRAIN", "TRIAL", "TEST")

RELATION_OF: Mapping[tuple[str, str], tuple[Relation, Relation]] = {
    ("A_entails_B", "B_entails_A"): ("equivalent", "equivalent"),
    ("A_entails_B", "B_neutral_A"): ("equivalent", "augments"),
    ("A_neutral_B", "B_entails_A"): ("augments", "equivalent"),
    ("A_contradicts_B", "B_contradicts_A"): ("contradicts", "contradicts"),
    ("A_neutral_B", "B_neutral_A"): ("unrelated", "unrelated"),
}
"""What B is to a memory that says A, and A to one that says B: a memory that entails it says it already.

Mixed rows are none of these: what contradicts in one direction alone was told of two scenes.
"""
LABELS = frozenset(f"{a}_{what}_{b}" for a, b in ("AB", "BA") for what in ("entails", "neutral", "contradicts"))


def sick(path: Path) -> Parts:
    """Return the pairs of the official sets, each row in both orders; raises DatasetError with the line and remedy."""
    sets: dict[str, list[LabelledPair]] = {name: [] for name in SETS}
    for place, row in rows(path):
        if (own := sets.get(row["SemEval_set"].strip())) is None:
            raise DatasetError(f"{place}: SemEval_set is {row['SemEval_set']!r}, none of {', '.join(SETS)}")
        if strange := [row[name] for name in ("entailment_AB", "entailment_BA") if row[name] not in LABELS]:
            raise DatasetError(f"{place}: {strange[0]!r} is no entailment; this is not SICK.txt as published")
        if relations := RELATION_OF.get((row["entailment_AB"], row["entailment_BA"])):
            a, b, group = row["sentence_A"].strip(), row["sentence_B"].strip(), f"sick {row['pair_ID']}"
            own += [LabelledPair(a, b, relations[0], group), LabelledPair(b, a, relations[1], group)]
    if empty := [name for name in SETS if not sets[name]]:
        raise DatasetError(f"{path} has no usable row of {', '.join(empty)}; give the whole SICK.txt as published")
    return Parts(*(tuple(sets[name]) for name in SETS))


def rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the rows of the file and where they stand; raises DatasetError when it is no such table."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if absent := [name for name in COLUMNS if name not in (reader.fieldnames or ())]:
                raise DatasetError(
                    f"{path}:1: no column {', '.join(absent)}; give SICK.txt with its header, separated by tabs"
                )
            for number, row in enumerate(reader, start=2):
                if None in row or None in row.values():
                    raise DatasetError(f"{path}:{number}: not as many fields as the header; the file is damaged")
                yield f"{path}:{number}", row
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot read {path} ({error}); give the path of SICK.txt, or sick=null") from error
