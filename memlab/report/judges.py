"""What judges found, for tables: J, and how far the judge can be trusted."""

from collections.abc import Iterator, Sequence

from memlab.records import Record
from memlab.report.cell import NOTHING, Number
from memlab.report.rows import Run


def j_of(summary: Record, rubric: str, group: str = "overall") -> Number:
    """Return J as the paper prints it, percent and deviation between repeats: `66.88 ± 0.15`; and its interval."""
    cell = summary["judges"].get(rubric, {}).get("j", {}).get(group)
    if not cell or cell["value"] is None:
        return Number(NOTHING)
    words = f"{cell['value']:.2f}" + ("" if cell["deviation"] is None else f" ± {cell['deviation']:.2f}")
    deviation = {} if cell["deviation"] is None else {"deviation": cell["deviation"]}
    interval = summary["metrics"].get(f"judge_{rubric}", {}).get(group, {}).get("interval")
    if not interval:
        return Number(words, cell["value"], **deviation)
    low, high = (100 * end for end in interval)
    return Number(f"{words} [{low:.0f}, {high:.0f}]", cell["value"], **deviation, low=low, high=high)


def corrected_of(summary: Record, rubric: str, group: str = "overall") -> Number:
    """Return J corrected for the errors of its judge, in percent, with its interval; `-` where it cannot be."""
    cell = summary["judges"].get(rubric, {}).get("corrected", {}).get(group)
    if not cell or cell["value"] is None:
        return Number(NOTHING)
    words = f"{cell['value']:.2f}" + (" (cut off)" if cell["clipped"] else "")
    if not cell["interval"]:
        return Number(words, cell["value"])
    low, high = cell["interval"]
    return Number(f"{words} [{low:.0f}, {high:.0f}]", cell["value"], low=low, high=high)


def j_headings(runs: Sequence[Run], rubric: str) -> list[str]:
    """Return the headings of a rubric's columns."""
    return [f"J {rubric}", *([f"J {rubric},\ncorrected"] if is_corrected(runs, rubric) else [])]


def j_cells(runs: Sequence[Run], summary: Record, rubric: str) -> list[str]:
    """Return the cells of a rubric's columns for one run."""
    return [j_of(summary, rubric), *([corrected_of(summary, rubric)] if is_corrected(runs, rubric) else [])]


def is_corrected(runs: Sequence[Run], rubric: str) -> bool:
    """Return whether the errors of a judge are known, of any run."""
    return any("corrected" in summary["judges"].get(rubric, {}) for _, summary in runs)


def error_notes(runs: Sequence[Run]) -> Iterator[str]:
    """Yield how far judges without a language model can be believed."""
    cards = {rubric: row["card"] for _, summary in runs for rubric, row in summary["judges"].items() if "card" in row}
    for rubric, card in cards.items():
        own = card["by_category"]
        each = "; ".join(
            f"{category}: {shown(one['sensitivity'])} / {shown(one['specificity'])}" for category, one in own.items()
        )
        judges = ", ".join(f"{judge} ({count:,})" for judge, count in card["labels"].items())
        figures = (
            f"agreement {card['agreement']:.3f}, AUC {card['auc']:.3f}, "
            f"calibration error {card['expected_calibration_error']:.3f}"
        )
        yield (
            f"J {rubric} is no language model's. Against verdicts of {judges} on n={card['n']:,} other answers, "
            f"conversations held out: {figures}; by category, correct passed / wrong refused: {each}."
        )
    yield from correction_notes(runs)


def correction_notes(runs: Sequence[Run]) -> Iterator[str]:
    """Yield how J was corrected, and why not where it was not."""
    cells = [
        (rubric, row["corrected"]["overall"])
        for _, summary in runs
        for rubric, row in summary["judges"].items()
        if "overall" in row.get("corrected", {})
    ]
    for method in dict.fromkeys(cell["method"] for _, cell in cells if cell["value"] is not None):
        yield (
            f"J, corrected: {method}; 95 % interval over conversations and over the judge's errors, if it errs on "
            "these answers as on those that it was measured on."
        )
    for rubric, reason in dict.fromkeys((rubric, cell["reason"]) for rubric, cell in cells if cell["value"] is None):
        yield f"J {rubric} is not corrected ({NOTHING}) where {reason}."


def shown(value: float | None) -> str:
    """Return a share with two digits."""
    return "-" if value is None else f"{value:.2f}"


def judge_notes(runs: Sequence[Run]) -> Iterator[str]:
    """Yield who judged, what stayed unscored, and how the judge did on answers that were made to try it."""
    judged = [(manifest, summary) for manifest, summary in runs if summary["judges"]]
    if not judged:
        return
    models = dict.fromkeys(
        # A judge without a language model has one rubric, of its own name.
        summary["phases"].get("judge", {}).get("model") or f"judge={'/'.join(summary['judges'])}"
        for _, summary in judged
    )
    repeated = any(
        c["deviation"] is not None for _, s in judged for row in s["judges"].values() for c in row["j"].values()
    )
    deviations = ", mean and deviation over repeats" if repeated else ""
    yield f"J: percent of answers that {' and '.join(models)} calls correct{deviations}."
    yield from error_notes(runs)
    for manifest, summary in judged:
        system = manifest["choices"].get("system") or "-"
        for rubric, row in summary["judges"].items():
            if row["unscored"]:
                reasons = ", ".join(f"{count} {status}" for status, count in row["unscored"].items())
                yield f"Warning: {system}: verdicts by the {rubric} rubric in no value: {reasons}."
    yield from dict.fromkeys(
        f"Judge on trial ({rubric}): it passed {tried(row['probes'])}."
        for _, summary in judged
        for rubric, row in summary["judges"].items()
        if row["probes"]
    )


WORDS = {"gold": "gold answers", "swapped": "answers to other questions", "vague": "vague non-answers"}


def tried(probes: Record) -> str:
    """Return how many of the answers of each kind a judge passed."""
    return ", ".join(f"{row['passed']} of {row['n']} {WORDS.get(kind, kind)}" for kind, row in probes.items())
