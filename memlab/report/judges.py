"""What judges found, for tables: J, and how far the judge can be trusted."""

from collections.abc import Iterator, Sequence

from memlab.records import Record
from memlab.report.rows import Run


def j_of(summary: Record, rubric: str, group: str = "overall") -> str:
    """Return J as the paper prints it, percent and deviation between repeats: `66.88 ± 0.15`; and its interval."""
    cell = summary["judges"].get(rubric, {}).get("j", {}).get(group)
    if not cell or cell["value"] is None:
        return "-"
    words = f"{cell['value']:.2f}" + ("" if cell["deviation"] is None else f" ± {cell['deviation']:.2f}")
    interval = summary["metrics"].get(f"judge_{rubric}", {}).get(group, {}).get("interval")
    return words + (f" [{100 * interval[0]:.0f}, {100 * interval[1]:.0f}]" if interval else "")


def judge_notes(runs: Sequence[Run]) -> Iterator[str]:
    """Yield who judged, what stayed unscored, and how the judge did on answers that were made to try it."""
    judged = [(manifest, summary) for manifest, summary in runs if summary["judges"]]
    if not judged:
        return
    models = dict.fromkeys(summary["phases"].get("judge", {}).get("model") or "?" for _, summary in judged)
    repeated = any(
        c["deviation"] is not None for _, s in judged for row in s["judges"].values() for c in row["j"].values()
    )
    deviations = ", mean and deviation over repeats" if repeated else ""
    yield f"J: percent of answers that {' and '.join(models)} calls correct{deviations}."
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
