"""`python -m memlab operations FILE [key=value ...]`: the decisions of updaters on labelled pairs.

Each pair is a memory and a fact that was said later. FILE is SICK.txt, HaluMem's preference events, or lines of JSON
with `memory`, `candidate`, `relation` (unrelated, equivalent, augments, contradicts) and `group`.
"""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_dir

from memlab.conf_files import conf_folder
from memlab.config import build, check
from memlab.datasets.subset import spaced
from memlab.gold import OPERATIONS
from memlab.llm.meter import metered
from memlab.node_check import takes_dataset
from memlab.parts import Parts
from memlab.report.figures.confusion import confusion
from memlab.report.figures.figure import faults, write
from memlab.report.rows import number, with_interval
from memlab.report.table import FORMATS, Table, output
from memlab.score.operations import operation_scores
from memlab.settings import ConfigError
from memlab.train.decided import Choice, decided
from memlab.train.files import labelled
from memlab.train.pairs import LabelledPair

Tried = tuple[str, list[Choice], float]
"""An updater's name, its choices, and the seconds of each."""

UPDATERS = "append,threshold,frozen_head"
SEED = 0
NOTE = (
    "One memory a pair. Macro-F1: mean over the operations that were right or chosen. Recall: of the pairs for which "
    "an operation is right. Intervals: 95 %, groups (rows of SICK in both orders, users of HaluMem) resampled "
    "(expanded percentiles)."
)


def main(arguments: list[str]) -> int:
    """Print how well updaters decide for the pairs of a file."""
    parser = argparse.ArgumentParser(
        prog="python -m memlab operations", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    # The default keeps argparse from saying that settings are required, too.
    parser.add_argument(
        "settings",
        nargs="*",
        default=[],
        metavar="updater=a,b,... key=value",
        help=f"what to compare (default: {UPDATERS}), and settings as for a run",
    )
    parser.add_argument(
        "--part",
        choices=["train", "validation", "test", "all"],
        default="test",
        help="of the file: what a training on it leaves for the test (default), or all pairs",
    )
    parser.add_argument("--limit", type=int, metavar="N", help="at most N pairs, evenly spaced; for models that cost")
    parser.add_argument("--figure", type=Path, metavar="FILE", help="draw the confusion matrices: .svg, .pdf or .png")
    parser.add_argument("--format", choices=["terminal", *FORMATS], default="terminal")
    chosen = parser.parse_intermixed_args(arguments)
    if chosen.limit is not None and chosen.limit < 1:
        raise ConfigError([f"--limit {chosen.limit}: expected 1 pair or more"])
    if chosen.figure is not None and (wrong := faults(chosen.figure) or place_faults(chosen.figure)):
        raise ConfigError(wrong)
    every = labelled(chosen.file, part=chosen.part)
    pairs = [every[place] for place in spaced(len(every), min(chosen.limit or len(every), len(every)))]
    found = [(name, *timed(parts, pairs)) for name, parts in compared(chosen.settings)]
    tables = [operations_table(chosen.file, found), confusion_table(found)]
    if chosen.format == "terminal":
        console = output()
        for table in tables:
            table.show(console)
    else:
        print("\n".join(FORMATS[chosen.format](table) for table in tables), end="")
    if chosen.figure is not None:
        write(confusion([(name, scores(choices)["confusion"]) for name, choices, _ in found]), chosen.figure)
    return 0


def place_faults(file: Path) -> list[str]:
    """Return why a file cannot be written; its folder is made."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        there = file.exists()
        file.open("ab").close()
        if not there:
            file.unlink()
    except OSError as error:
        return [f"--figure {file} cannot be written ({error.strerror or error}); choose another place"]
    return []


def compared(settings: Sequence[str]) -> list[tuple[str, Parts]]:
    """Return the updaters that settings name, each with the parts of its own config.

    Raises ConfigError with the faults of all of them.
    """
    given = dict(setting.partition("=")[::2] for setting in settings)
    # By force, so that the check tells which updater lacks a setting; Hydra would not say whose it is.
    others = [word if not word.startswith("updater.") else f"++{word}" for word in settings]
    others = [word for word in others if not word.startswith("updater=")]
    found: list[tuple[str, Parts]] = []
    faults: list[str] = []
    for name in given.get("updater", UPDATERS).split(","):
        with initialize_config_dir(str(conf_folder()), version_base="1.3"):
            config = compose("config", [f"updater={name}", *others])
        try:
            check(config)
        except ConfigError as error:
            faults += error.faults
            continue
        found.append((name, build(config)))
        if takes_dataset(type(found[-1][1].updater)):
            faults.append(
                f"updater={name} knows what is right in its dataset alone, not in a file of pairs; leave it out"
            )
    if faults:
        raise ConfigError(list(dict.fromkeys(faults)))
    return found


def timed(parts: Parts, pairs: Sequence[LabelledPair]) -> tuple[list[Choice], float]:
    """Return the choices of one updater and the seconds that each took as a run counts them."""

    async def choices() -> tuple[list[Choice], float]:
        await parts.embedder.embed([text for pair in pairs for text in (pair.memory, pair.candidate)])
        try:
            with metered() as meter:
                found = await decided(parts.updater, parts.embedder, pairs)
                return found, meter.seconds() / max(len(pairs), 1)
        finally:
            await parts.settle()

    return asyncio.run(choices())


def scores(choices: Sequence[Choice]) -> dict[str, Any]:
    """Return the scores of some choices."""
    return operation_scores([choice.judged for choice in choices], seed=SEED)


def operations_table(file: Path, found: Sequence[Tried]) -> Table:
    """Return how well each updater chose, a row each."""
    rows = []
    for name, choices, seconds in found:
        own = scores(choices)
        recalls = (number(own["operations"][verb]["recall"]) for verb in OPERATIONS)
        flaws = sum(bool(choice.flaws) for choice in choices)
        rows.append(
            (
                name,
                with_interval(own["accuracy"]),
                with_interval(own["macro_f1"]),
                *recalls,
                str(flaws),
                number(1000 * seconds, 2),
            )
        )
    headings = (
        "updater",
        "accuracy",
        "macro-F1",
        *(f"recall\n{verb}" for verb in OPERATIONS),
        "flawed",
        "ms per\ndecision",
    )
    pairs = found[0][1]
    groups = len({choice.judged.group for choice in pairs})
    return Table(
        f"Operations on {file.name}: n={len(pairs):,} pairs, {groups:,} groups", headings, tuple(rows), (NOTE,)
    )


def confusion_table(found: Sequence[Tried]) -> Table:
    """Return how often each operation was chosen, by updater and right operation."""
    rows = tuple(
        (name, right, *(number(counts[right][chosen], 0) for chosen in OPERATIONS))
        for name, choices, _ in found
        for counts in [scores(choices)["confusion"]]
        for right in OPERATIONS
        if any(counts[right].values())
    )
    return Table("Confusion: chosen (columns), in decisions", ("updater", "right", *OPERATIONS), rows)
