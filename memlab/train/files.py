"""Labelled pairs in a file, whatever its form: SICK, HaluMem's events, or lines of JSON."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from memlab.datasets.dataset import DatasetError
from memlab.train import halumem
from memlab.train.pairs import LabelledPair, Parts, held_out
from memlab.train.sick import sick
from memlab.update.relation import RELATIONS

Part = Literal["train", "validation", "test", "all"]
FORMS = "SICK.txt, HaluMem's preference events, or lines of JSON with memory, candidate, relation and group"


def labelled(path: Path, *, part: Part) -> list[LabelledPair]:
    """Return the pairs of a part of a file, `test`: those that a training on it never sees.

    Raises DatasetError, with the line and the remedy, when the file has none.
    """
    found = parts(path, everything=part == "all")
    pairs = [*found.train, *found.validation, *found.test] if part == "all" else list(getattr(found, part))
    if not pairs:
        remedy = f"give {FORMS}" if part == "all" else "use --part all"
        raise DatasetError(f"{path} has no pair in its part '{part}'; {remedy}")
    return pairs


def parts(path: Path, *, everything: bool) -> Parts:
    """Return the pairs of a file by its form; `everything`: no matter how few groups there are to hold out."""
    try:
        first = next((line for line in path.open(encoding="utf-8") if line.strip()), "")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot read {path} ({error}); give {FORMS}") from error
    if first.startswith("pair_ID"):
        return sick(path)
    if '"event_list"' in first:
        if not everything:
            return halumem.halumem(path)
        by_user = enumerate(halumem.read(path))
        return Parts(test=tuple(one for user, events in by_user for one in halumem.pairs(events, f"halumem {user}")))
    pairs = tuple(written(path))
    return Parts(test=pairs) if everything else held_out(pairs, validation=0, test=len({one.group for one in pairs}))


def written(path: Path) -> Iterator[LabelledPair]:
    """Yield the pairs of lines of JSON."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            pair = LabelledPair(row["memory"], row["candidate"], row["relation"], str(row["group"]))
        except (ValueError, KeyError, TypeError) as error:
            fault = f"no labelled pair ({type(error).__name__}: {error})"
            raise DatasetError(f"{path}:{number}: {fault}; give {FORMS}") from error
        if pair.relation not in RELATIONS:
            raise DatasetError(f"{path}:{number}: relation is {pair.relation!r}, none of {', '.join(RELATIONS)}")
        for name, text in (("memory", pair.memory), ("candidate", pair.candidate)):
            if not (isinstance(text, str) and text.strip()):
                raise DatasetError(f"{path}:{number}: {name} is {text!r}, which says nothing; give a text")
        yield pair
