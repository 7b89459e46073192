"""The card of a judge in words, as Markdown."""

from collections.abc import Mapping
from typing import Any


def readme(card: Mapping[str, Any]) -> str:
    """Return what the judge is, what it learnt from, and how far it can be believed."""
    labels = ", ".join(f"{judge} ({count:,})" for judge, count in card["labels"].items())
    use = (
        "python -m memlab judge=local judge.weights=FOLDER"
        if card["model"] == "local"
        else f"python -m memlab judge=overlap judge.threshold={card['threshold']}"
    )
    unseen = card["unseen_systems"]
    new = {} if unseen is None else unseen["by_system"]
    lines = [
        f"# A judge without a language model ({card['model']})",
        "",
        f"Predicts verdicts of {labels} on answers, from question, gold and answer. Use it: `{use}`.",
        f"Learnt from {card['data']['file']} (sha256 {card['data']['sha256'][:12]}). Where that data is not for "
        "commerce, these weights are not, either; do not pass them on.",
        "",
        f"All figures: {card['measured']}, against the majority of an answer's labels (a tie is correct). "
        "Where systems are held out, too, neither the conversation nor the system was learnt from.",
        "",
        "| answers | n | agreement | AUC | calibration error |",
        "|---|---|---|---|---|",
        overall("conversations held out", card),
        *(overall(f"of these, judged by {judge}", own) for judge, own in card["by_judge"].items()),
        *([] if unseen is None else [overall("conversations and systems held out", unseen)]),
        "",
        "| category | n | agreement | correct ones passed | wrong ones refused |",
        "|---|---|---|---|---|",
        *(
            f"| {category} | {own['n']:,} | {own['agreement']:.3f} | {share(own['sensitivity'])} | "
            f"{share(own['specificity'])} |"
            for category, own in card["by_category"].items()
        ),
        "",
        "| system | n | agreement | agreement, system held out | passed | passed, system held out | "
        "passed by the labels |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {system} | {own['n']:,} | {own['agreement']:.3f} | {share(new.get(system, {}).get('agreement'))} | "
            f"{own['passed']:.3f} | {share(new.get(system, {}).get('passed'))} | {own['passed_by_labels']:.3f} |"
            for system, own in card["by_system"].items()
        ),
        "",
        "Systems whose answers are wrong on purpose show how far fluent or vague words go with this judge. The errors "
        "differ from system to system by more than chance: a J is corrected by what they are across systems "
        "(memlab.score.across_systems), and its interval holds that they differ.",
        "",
    ]
    return "\n".join(lines)


def overall(name: str, own: Mapping[str, Any]) -> str:
    """Return the row of a set of answers."""
    figures = f"{own['agreement']:.3f} | {share(own['auc'])} | {own['expected_calibration_error']:.3f}"
    return f"| {name} | {own['n']:,} | {figures} |"


def share(value: float | None) -> str:
    """Return a share, or `-`."""
    return "-" if value is None else f"{value:.3f}"
